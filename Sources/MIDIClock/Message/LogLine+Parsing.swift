extension LogLine {
  /// Why a line of a log cannot be read.
  public enum TextError: Error, Hashable, Sendable {
    /// The first word is not a time in seconds.
    case time(String)
    /// An `@` without a name.
    case port
    /// A port name with a control character, which must not reach the terminal.
    case portName
    /// A word that is not a two-digit hex byte.
    case byte(String)
    /// A time without a message.
    case noMessage
    /// The bytes are not exactly one message.
    case notOneMessage([UInt8])
  }

  /// Parses one line, without its line feed; `nil` if it is blank or a comment.
  ///
  /// Accepts a carriage return at the end and a byte order mark at the beginning. Seconds have at
  /// most nine digits before the point; more than nine decimals are rounded to nanoseconds.
  /// - Throws: `TextError` if the line is neither blank nor a message.
  public static func parse(_ line: ArraySlice<UInt8>) throws(TextError) -> LogLine? {
    var rest = line.withoutByteOrderMark
    guard let first = nextWord(&rest), first.first != hash else { return nil }
    guard let time = time(first) else { throw .time(text(first)) }
    var result = LogLine(time: time, bytes: [])
    while let whole = nextWord(&rest) {
      if whole.first == UInt8(ascii: "@"), result.bytes.isEmpty, result.port == nil {
        guard whole.count > 1 else { throw .port }
        let name = text(whole.dropFirst())
        guard isPlain(name) else { throw .portName }
        result.port = name
        continue
      }
      let word = whole.prefix { $0 != hash }
      if !word.isEmpty {
        guard let byte = byte(word) else { throw .byte(text(word)) }
        result.bytes.append(byte)
      }
      if word.count < whole.count { break }
    }
    guard !result.bytes.isEmpty else { throw .noMessage }
    guard isOneMessage(result.bytes) else { throw .notOneMessage(result.bytes) }
    return result
  }

  private static var hash: UInt8 { UInt8(ascii: "#") }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func nextWord(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    rest = rest.drop(while: isBlank)
    guard !rest.isEmpty else { return nil }
    let word = rest.prefix { !isBlank($0) }
    rest = rest[word.endIndex...]
    return word
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      || name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    (0x30...0x39).contains(byte) ? Int64(byte - 0x30) : nil
  }

  private static func time(_ word: ArraySlice<UInt8>) -> HostTime? {
    var rest = word
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let whole = rest.prefix { $0 != UInt8(ascii: ".") }
    guard (1...9).contains(whole.count) else { return nil }
    var value: Int64 = 0
    for byte in whole {
      guard let digit = digit(byte) else { return nil }
      value = value * 10 + digit
    }
    var decimals = rest[whole.endIndex...]
    if !decimals.isEmpty {
      decimals = decimals.dropFirst()
      guard !decimals.isEmpty else { return nil }
    }
    var place = 0
    var isRoundedUp = false
    for byte in decimals {
      guard let digit = digit(byte) else { return nil }
      if place < 9 { value = value * 10 + digit }
      if place == 9 { isRoundedUp = digit >= 5 }
      place += 1
    }
    while place < 9 {
      value *= 10
      place += 1
    }
    if isRoundedUp { value += 1 }
    return HostTime(nanoseconds: isNegative ? -value : value)
  }

  private static func byte(_ word: ArraySlice<UInt8>) -> UInt8? {
    guard word.count == 2 else { return nil }
    var value: UInt8 = 0
    for letter in word {
      switch letter {
      case 0x30...0x39: value = value << 4 | (letter - 0x30)
      case 0x41...0x46: value = value << 4 | (letter - 0x41 + 10)
      case 0x61...0x66: value = value << 4 | (letter - 0x61 + 10)
      default: return nil
      }
    }
    return value
  }

  /// Whether `bytes` are exactly one message of any kind.
  ///
  /// Source: MIDI 1.0 Detailed Specification, table 1: the number of data bytes by status.
  private static func isOneMessage(_ bytes: [UInt8]) -> Bool {
    guard let status = bytes.first, status >= 0x80 else { return false }
    if status == 0xF0 {
      return bytes.last == 0xF7 && bytes.dropFirst().dropLast().allSatisfy { $0 < 0x80 }
    }
    let length =
      switch status {
      case 0xC0...0xDF, 0xF1, 0xF3: 2
      case 0x80...0xEF, 0xF2: 3
      default: 1
      }
    return bytes.count == length && bytes.dropFirst().allSatisfy { $0 < 0x80 }
  }
}

extension LogLine.TextError: CustomStringConvertible {
  /// What is wrong and what is expected, on one line.
  public var description: String {
    switch self {
    case .time(let word):
      "'\(word)' is not a time in seconds, such as 0.0208333; a line is SECONDS [@PORT] HEX..."
    case .port: "'@' without a port name after it"
    case .portName: "a control character in the port name"
    case .byte(let word): "'\(word)' is not a two-digit hex byte, such as F8"
    case .noMessage: "a time without a message; write its bytes after it, such as F8"
    case .notOneMessage(let bytes):
      "\(LogLine(time: .zero, bytes: bytes).hexadecimal) is not exactly one MIDI message;"
        + " write each message on its own line"
    }
  }
}
