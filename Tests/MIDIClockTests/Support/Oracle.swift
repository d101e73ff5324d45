/// Grid times by independent arithmetic: unsigned long multiplication and division, never the code
/// under test.
enum Oracle {
  /// round(pulse x 60e9 / (24 x BPM)) ns, halves up, for `pulse` not below 0.
  static func pulse(_ pulse: UInt64, milliBPM: UInt64) -> Int64 {
    quotient(pulse, 2_500_000_000_000, over: milliBPM)
  }

  /// round(ticks x 60e9 / (960 x BPM)) ns, halves up, for `ticks` not below 0.
  static func tick(_ ticks: UInt64, milliBPM: UInt64) -> Int64 {
    quotient(ticks, 62_500_000_000, over: milliBPM)
  }

  /// round(numerator / denominator ticks at `milliBPM`) ns, halves up, not below 0.
  static func place(_ numerator: UInt64, over denominator: UInt64, milliBPM: UInt64) -> Int64 {
    quotient(numerator, 62_500_000_000, over: denominator * milliBPM)
  }

  private static func quotient(_ left: UInt64, _ right: UInt64, over divisor: UInt64) -> Int64 {
    let (quotient, remainder) = divisor.dividingFullWidth(left.multipliedFullWidth(by: right))
    return Int64(remainder >= divisor - remainder ? quotient + 1 : quotient)
  }
}
