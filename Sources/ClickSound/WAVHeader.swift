/// The header of a WAV file.
///
/// Source: Multimedia Programming Interface and Data Specifications 1.0 (IBM and Microsoft, 1991),
/// "Waveform Audio File Format"; PCM, 16 bits, little-endian.
public enum WAVHeader {
  /// The length in bytes.
  public static let length = 44

  /// The maximum size of the audio data in bytes, limited by the file's 32-bit lengths.
  public static let mostBytes = Int64(UInt32.max) - Int64(length)

  /// The header for `frames` frames.
  ///
  /// - Parameters:
  ///   - frames: The number of frames.
  ///   - rate: Frames per second.
  ///   - channels: Samples per frame.
  /// - Returns: The bytes; `nil` if the frames do not fit into one file.
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
