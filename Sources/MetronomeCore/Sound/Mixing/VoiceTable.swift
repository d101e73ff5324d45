internal import ClickSound
internal import MIDIClock

/// The clicks as frames, ready to be mixed: of each set and of the font, strong, medium and weak.
///
/// Unchecked: filled before it is shared, then only read, and its memory stays until the last who
/// holds it has gone.
@safe final class VoiceTable: @unchecked Sendable {
  /// A click's frames; both sides may be the same memory.
  @unsafe struct Voice {
    var left: UnsafePointer<Float>
    var right: UnsafePointer<Float>
    var count: Int
  }

  /// Frames per second.
  let rate: Int
  private let voices: UnsafeMutablePointer<Voice>
  private var owned: [UnsafeMutablePointer<Float>]
  /// Banks: the built-in sets, then the font if there is one.
  let bankCount: Int

  /// The bank of the font.
  static let fontBank = ClickSet.allCases.count

  /// Makes the voices of `notes`.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - notes: Which notes the accents have.
  ///   - font: What a user's font has for them: strong, medium, weak.
  init(rate: Int, notes: ClickVoice, font: [StereoFrames]? = nil) {
    self.rate = rate
    bankCount = Self.fontBank + (font == nil ? 0 : 1)
    unsafe owned = []
    unsafe voices = .allocate(capacity: bankCount * 3)
    for (bank, set) in ClickSet.allCases.enumerated() {
      for (slot, note) in [notes.strong, notes.medium, notes.weak].enumerated() {
        let accent = ClickSet.accent(key: note.key, velocity: note.velocity)
        let gain = ClickSet.gain(velocity: note.velocity)
        let frames = unsafe keep(set.frames(accent, rate: rate).map { $0 * gain })
        unsafe (voices + bank * 3 + slot).initialize(
          to: Voice(left: frames.pointer, right: frames.pointer, count: frames.count))
      }
    }
    for (slot, sound) in (font ?? []).prefix(3).enumerated() {
      let left = unsafe keep(sound.left)
      let right = unsafe keep(sound.right)
      unsafe (voices + Self.fontBank * 3 + slot).initialize(
        to: Voice(left: left.pointer, right: right.pointer, count: left.count))
    }
  }

  deinit {
    unsafe voices.deallocate()
    var index = 0
    while unsafe index < owned.count {
      unsafe owned[index].deallocate()
      index += 1
    }
  }

  private func keep(_ frames: [Float]) -> (pointer: UnsafePointer<Float>, count: Int) {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, frames.count))
    for (index, frame) in frames.enumerated() { unsafe (memory + index).initialize(to: frame) }
    unsafe owned.append(memory)
    return unsafe (UnsafePointer(memory), frames.count)
  }

  /// The voice of an accent; a silent one has none and gets the weak one.
  ///
  /// Real-time safe: yes.
  func voice(_ accent: Accent, bank: Int) -> Voice {
    let slot = Self.slot(accent)
    return unsafe voices[min(bank, bankCount - 1) * 3 + slot]
  }

  private static func slot(_ accent: Accent) -> Int {
    switch accent {
    case .strong: 0
    case .medium: 1
    case .weak, .silent: 2
    }
  }
}
