/// Numbers with three decimals, kept as whole thousandths.
public enum Thousandths {
  /// Reads `120`, `120.5` or `120.125` as thousandths.
  ///
  /// Returns `nil` for a sign, an exponent, a comma, white space, or a fourth decimal that is not
  /// zero.
  public static func parse(_ text: some StringProtocol) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = Digits.parse(parts[0]), whole < 1_000_000_000
    else { return nil }
    guard parts.count == 2 else { return whole * 1_000 }
    var decimals = parts[1]
    guard Digits.parse(decimals) != nil else { return nil }
    while decimals.utf8.count > 3, decimals.last == "0" { decimals.removeLast() }
    guard decimals.utf8.count <= 3, let fraction = Digits.parse(decimals) else { return nil }
    let scale: [Int64] = [1, 100, 10, 1]
    return whole * 1_000 + fraction * scale[decimals.utf8.count]
  }

  /// Like `parse`, with an optional leading `-` or `+`.
  public static func parseSigned(_ text: some StringProtocol) -> Int64? {
    switch text.first {
    case "-": parse(text.dropFirst()).map { -$0 }
    case "+": parse(text.dropFirst())
    default: parse(text)
    }
  }

  /// Writes the bounds of `range`: `10 to 400`.
  public static func text(_ range: ClosedRange<Int64>) -> String {
    "\(text(range.lowerBound)) to \(text(range.upperBound))"
  }

  /// Writes `thousandths` without needless zeros: `120`, `120.5`, `-2.125`.
  public static func text(_ thousandths: Int64) -> String {
    let magnitude = thousandths.magnitude
    let sign = thousandths < 0 ? "-" : ""
    var decimals = Digits.padded(Int64(magnitude % 1_000), width: 3)
    while decimals.last == "0" { decimals.removeLast() }
    return sign + String(magnitude / 1_000) + (decimals.isEmpty ? "" : "." + decimals)
  }
}
