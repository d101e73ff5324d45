/// The name of a client or port: the bytes the kernel keeps, and text to show.
///
/// ALSA names are bytes without an encoding; nearly all are UTF-8. Names are compared by their
/// bytes, so that one that is not UTF-8 can never be mistaken for another.
public struct SequencerName: Hashable, Sendable {
  /// The name as the kernel keeps it, without the terminating zero.
  public let bytes: [UInt8]

  /// The name made of `bytes`.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The name that reads `text`.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The bytes without trailing blanks, which some drivers pad their names with.
  public var trimmed: [UInt8] { SequencerName.trimmingTrailingBlanks(bytes) }

  /// The trimmed name to show: what is not UTF-8, and control characters, as replacement marks.
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
