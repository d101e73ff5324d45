internal import ClickSound
public import MIDIClock

/// Renders clicks without a clock: each begins at the frame nearest to its exact instant.
///
/// One thread at a time uses it.
@safe public final class ClickRenderer {
  private let mixer: VoiceMixer
  private let bank: Int
  private let gain: Float
  private let onsets: [(frame: Int64, accent: Accent)]
  private var next = 0
  private var frame: Int64 = 0
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>

  /// Frames in all: exactly as many as the music lasts, so that it can be looped.
  public let frameCount: Int64

  /// The most frames of a block: fewer than lie between most clicks, since silence costs nothing.
  public static let block = 2_048

  /// Prepares to render `clicks`, whose beginning is frame 0.
  ///
  /// Only a sound font needs FluidSynth.
  /// - Parameters:
  ///   - clicks: What sounds.
  ///   - settings: The sound: set or font, volume, notes.
  ///   - rate: Frames per second.
  /// - Throws: `SoundError` when the font cannot be used.
  public init(
    _ clicks: ClickList, _ settings: SoundSettings, rate: Int
  ) throws(SoundError) {
    var font: [StereoFrames]?
    if let path = settings.font {
      font = try FontVoices.render(try .open(), path: path, notes: settings.notes, rate: rate)
    }
    let table = VoiceTable(rate: rate, notes: settings.notes, font: font)
    mixer = VoiceMixer(table)
    bank =
      font == nil ? ClickSet.allCases.firstIndex(of: settings.set) ?? 0 : VoiceTable.fontBank
    gain = Float(settings.volume) / 100
    let place = { (time: HostTime) in
      // The nearest frame; exact, since a nanosecond is far below one.
      let scaled = Int128((time - clicks.begin).nanoseconds) * Int128(rate)
      return Int64((scaled * 2 + 1_000_000_000) / 2_000_000_000)
    }
    frameCount = place(clicks.end)
    onsets = clicks.clicks.map { click in
      (
        place(click.time),
        settings.notes.accent(key: click.key, velocity: click.velocity)
      )
    }
    unsafe left = .allocate(capacity: Self.block)
    unsafe right = .allocate(capacity: Self.block)
  }

  deinit {
    unsafe left.deallocate()
    unsafe right.deallocate()
  }

  /// What `render` made of a block.
  public enum Block {
    /// Nothing sounds in so many frames.
    case silence(Int)
    /// So many frames were put into the array.
    case sound(Int)
    /// There are no more.
    case end
  }

  /// Renders the next block: both sides by turns, -1 to 1, from the first place of `frames` on.
  public func render(into frames: inout [Float]) -> Block {
    let count = Int(min(Int64(Self.block), frameCount - frame))
    guard count > 0 else { return .end }
    let hasOnset = next < onsets.count && onsets[next].frame < frame + Int64(count)
    if mixer.isSilent, !hasOnset {
      // Silence up to the next onset, or to the end of the block.
      frame += Int64(count)
      return .silence(count)
    }
    while next < onsets.count, onsets[next].frame < frame + Int64(count) {
      mixer.start(onsets[next].accent, bank: bank, offset: Int(onsets[next].frame - frame))
      next += 1
    }
    unsafe left.update(repeating: 0, count: count)
    unsafe right.update(repeating: 0, count: count)
    unsafe mixer.mix(left, right, frames: count)
    for index in 0..<count {
      frames[2 * index] = unsafe max(-1, min(1, left[index] * gain))
      frames[2 * index + 1] = unsafe max(-1, min(1, right[index] * gain))
    }
    frame += Int64(count)
    return .sound(count)
  }
}

extension ClickVoice {
  /// Which accent a note stands for.
  func accent(key: UInt8, velocity: UInt8) -> Accent {
    let note = Note(key: key, velocity: velocity)
    return strong == note ? .strong : medium == note ? .medium : .weak
  }
}
