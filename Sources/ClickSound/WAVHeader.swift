/// The head of a WAV file: what comes before its frames.
///
/// Source: Multimedia Programming Interface and Data Specifications 1.0 (IBM and Microsoft, 1991),
/// "Waveform Audio File Format"; PCM, 16 bits, little-endian.
public enum WAVHeader {
  /// Its length in bytes.
  public static let length = 44

  /// The most bytes of frames that the file's 32-bit lengths can say.
  public static let mostBytes = Int64(UInt32.max) - Int64(length)

  /// The head of a file of `frames` frames.
  ///
  /// - Parameters:
  ///   - frames: How many.
  ///   - rate: Frames per second.
  ///   - channels: Samples a frame.
  /// - Returns: Its bytes; `nil` when the frames are too many for one file.
  public static func bytes(frames: Int64, rate: Int, channels: Int) -> [UInt8]? {
    let size = frames * Int64(channels) * 2
    guard size <= mostBytes else { return nil }
    return Array("RIFF".utf8) + long(UInt32(size) + UInt32(length) - 8) + Array("WAVEfmt ".utf8)
      + long(16) + short(1) + short(channels) + long(UInt32(rate))
      + long(UInt32(rate * channels * 2)) + short(channels * 2) + short(16) + Array("data".utf8)
      + long(UInt32(size))
  }

  private static func short(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

  private static func long(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
