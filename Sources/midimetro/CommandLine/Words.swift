/// What messages need again and again.
enum Words {
  /// `1 pulse`, `2 pulses`.
  static func count(_ number: some BinaryInteger, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }

  /// `text` with `mark` for each character that a terminal would obey or that would break a line.
  static func printable(_ text: String, mark: Unicode.Scalar = "\u{FFFD}") -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) ? $0 : mark }))
  }

  /// False for control characters and Unicode's own line ends.
  static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// `text` as a shell takes it for one word.
  static func shellQuoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.isASCII && "0123456789-_./+,@:".unicodeScalars.contains($0)
    }
    guard !isPlain else { return text }
    return "'"
      + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
