/// The name of a client or port: the bytes in the kernel, and text for display.
///
/// ALSA names are bytes without an encoding; nearly all are UTF-8. Names are compared by their
/// bytes, so that a name that is not UTF-8 can never be mistaken for another.
public struct SequencerName: Hashable, Sendable {
  /// The name as the kernel stores it, without the terminating zero.
  public let bytes: [UInt8]

  /// A name of these bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// A name with this text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The bytes without trailing blanks, which some drivers pad names with.
  public var trimmed: [UInt8] { SequencerName.trimmingTrailingBlanks(bytes) }

  /// The trimmed name for display; invalid UTF-8 and control characters become replacement
  /// characters.
  public var text: String {
    var shown = String.UnicodeScalarView()
    for scalar in String(decoding: trimmed, as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: shown.append("\u{FFFD}")
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }

  static func trimmingTrailingBlanks(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    var end = bytes.endIndex
    while end > bytes.startIndex {
      let last = bytes.index(before: end)
      guard bytes[last] == UInt8(ascii: " ") || bytes[last] == UInt8(ascii: "\t") else { break }
      end = last
    }
    return Array(bytes[..<end])
  }
}
