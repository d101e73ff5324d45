/// Integer division with explicit rounding.
enum Division {
  /// `dividend / divisor` rounded to the nearest whole number, halves up; the divisor is positive.
  @_noLocks
  static func rounded(_ dividend: Int128, by divisor: Int128) -> Int64 {
    floor(2 * dividend + divisor, by: 2 * divisor)
  }

  /// `dividend / divisor` rounded down, also below zero; the divisor is positive.
  @_noLocks
  static func floor(_ dividend: Int128, by divisor: Int128) -> Int64 {
    let quotient = dividend / divisor
    // Comparing products saves the second division that `%` would need.
    return Int64(truncatingIfNeeded: dividend < quotient * divisor ? quotient - 1 : quotient)
  }

  /// `dividend / divisor` rounded down, also below zero; the divisor is positive.
  @_noLocks
  static func floor(_ dividend: Int64, by divisor: Int64) -> Int64 {
    dividend / divisor - (dividend % divisor < 0 ? 1 : 0)
  }

  /// The greatest common divisor; both numbers are above 0.
  @_noLocks
  static func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (divisor, rest) = (first, second)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return divisor
  }

  /// The greatest common divisor; both numbers are above 0.
  static func commonDivisor(_ first: Int128, _ second: Int128) -> Int128 {
    var (divisor, rest) = (first, second)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return divisor
  }

  /// The least common multiple; both numbers are above 0.
  static func leastCommonMultiple(_ first: Int64, _ second: Int64) -> Int64 {
    first / commonDivisor(first, second) * second
  }

  /// `dividend / divisor` rounded up, also below zero; the divisor is positive.
  @_noLocks
  static func ceiling(_ dividend: Int64, by divisor: Int64) -> Int64 {
    dividend / divisor + (dividend % divisor > 0 ? 1 : 0)
  }
}
