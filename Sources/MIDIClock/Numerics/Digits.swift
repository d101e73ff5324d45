/// Reads and writes plain decimal digits, the same in every locale.
enum Digits {
  /// The value of a text that consists of one to fifteen ASCII digits.
  static func parse(_ text: some StringProtocol) -> Int64? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text)
  }

  /// `value` in decimal with leading zeros, at least `width` digits.
  static func padded(_ value: Int64, width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
