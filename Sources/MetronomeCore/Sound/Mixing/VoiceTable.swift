internal import ClickSound
internal import MIDIClock

/// The rendered clicks, ready for mixing: strong, medium and weak of each set and of the font.
///
/// Unchecked: filled before it is shared, then only read, and its memory lives until the last
/// reference is released.
@safe final class VoiceTable: @unchecked Sendable {
  /// A click's frames; both channels may share memory.
  @unsafe struct Voice {
    var left: UnsafePointer<Float>
    var right: UnsafePointer<Float>
    var count: Int
  }

  /// Frames per second.
  let rate: Int
  private let voices: UnsafeMutablePointer<Voice>
  private var owned: [UnsafeMutablePointer<Float>]
  /// The number of banks: the built-in sets, and the font if there is one.
  let bankCount: Int

  /// The bank of the font.
  static let fontBank = ClickSet.allCases.count

  /// Renders the voices for `notes`.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - notes: The notes of the accents.
  ///   - font: The sounds of a user's font: strong, medium, weak.
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

  /// The voice of an accent; for a silent one, the weak voice.
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
