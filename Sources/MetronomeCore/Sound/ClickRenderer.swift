internal import ClickSound
public import MIDIClock

/// Renders clicks offline: each starts at the frame nearest to its exact time.
///
/// Use it from one thread at a time.
@safe public final class ClickRenderer {
  private let mixer: VoiceMixer
  private let bank: Int
  private let gain: Float
  private let onsets: [(frame: Int64, accent: Accent)]
  private var next = 0
  private var frame: Int64 = 0
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>

  /// The total number of frames: exactly the length of the music, so that the result loops.
  public let frameCount: Int64

  /// The maximum number of frames per block: shorter than most gaps between clicks, because silence
  /// costs nothing.
  public static let block = 2_048

  /// Prepares to render `clicks`, whose beginning is frame 0.
  ///
  /// Needs FluidSynth only for a sound font.
  /// - Parameters:
  ///   - clicks: The clicks.
  ///   - settings: The set or font, volume and notes.
  ///   - rate: Frames per second.
  /// - Throws: `SoundError` if the font cannot be used.
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
    let frameIndex = { (time: HostTime) in
      // The nearest frame; exact, since a nanosecond is far shorter than a frame.
      let scaled = Int128((time - clicks.begin).nanoseconds) * Int128(rate)
      return Int64((scaled * 2 + 1_000_000_000) / 2_000_000_000)
    }
    frameCount = frameIndex(clicks.end)
    onsets = clicks.clicks.map { click in
      (
        frameIndex(click.time),
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

  /// The result of rendering a block.
  public enum Block {
    /// This number of silent frames.
    case silence(Int)
    /// This number of frames, written into the array.
    case sound(Int)
    /// The end of the music.
    case end
  }

  /// Renders the next block into `frames`: two interleaved channels, -1 to 1.
  public func render(into frames: inout [Float]) -> Block {
    let count = Int(min(Int64(Self.block), frameCount - frame))
    guard count > 0 else { return .end }
    let hasOnset = next < onsets.count && onsets[next].frame < frame + Int64(count)
    if mixer.isSilent, !hasOnset {
      // Silent up to the end of the block.
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
  /// The accent of a note.
  func accent(key: UInt8, velocity: UInt8) -> Accent {
    let note = Note(key: key, velocity: velocity)
    return strong == note ? .strong : medium == note ? .medium : .weak
  }
}
