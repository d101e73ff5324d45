/// A note value as a fraction of a whole note, such as 1/8 or 3/8 (a dotted quarter).
public struct NoteValue: Hashable, Sendable {
  /// The number of units, 1 to 32.
  public let numerator: Int64
  /// The unit: 1, 2, 4, 8, 16 or 32.
  public let denominator: Int64

  /// The denominators of plain note values.
  static let units: [Int64] = [1, 2, 4, 8, 16, 32]

  /// 1/4.
  public static let quarter = NoteValue(numerator: 1, denominator: 4)

  /// Its length in ticks.
  var ticks: Int64 { Resolution.ticksPerQuarter &* 4 &* numerator / denominator }

  private init(numerator: Int64, denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Reads `1/8` or `3/8`; `nil` for anything else.
  public init?(text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let top = Digits.parse(parts[0]), let bottom = Digits.parse(parts[1]),
      (1...32).contains(top), Self.units.contains(bottom)
    else { return nil }
    (numerator, denominator) = (top, bottom)
  }
}
