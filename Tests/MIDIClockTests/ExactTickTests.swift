import Testing

@testable import MIDIClock

struct ExactTickTests {
  @Test(
    arguments: [
      (959, 1, 960, true), (960, 1, 960, false), (6_719, 7, 960, true), (6_720, 7, 960, false),
      (-1, 7, 0, true), (0, 7, 0, false), (-6_721, 7, -960, true), (-6_720, 7, -960, false),
      (Int64.max, 1, Int64.max, false), (Int64.max - 1, 3, Int64.max, true),
    ] as [(Int64, Int64, Int64, Bool)])
  func `a fraction of ticks is compared without rounding`(
    numerator: Int64, denominator: Int64, tick: Int64, isBefore: Bool
  ) {
    #expect(ExactTick(numerator, over: denominator).isBefore(Tick(tick)) == isBefore)
  }

  @Test func `a tick is a fraction over one`() {
    #expect(ExactTick(Tick(7)) == ExactTick(7, over: 1))
  }
}

struct DivisionTests {
  @Test(
    arguments: [
      (7, 2, 3, 4, 4), (-7, 2, -4, -3, -3), (6, 3, 2, 2, 2), (-6, 3, -2, -2, -2), (0, 5, 0, 0, 0),
      (1, 3, 0, 1, 0), (-1, 3, -1, 0, 0), (5, 10, 0, 1, 1), (-5, 10, -1, 0, 0), (-6, 10, -1, 0, -1),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func `division rounds down, up and to the nearest, halves up, below zero too`(
    dividend: Int64, divisor: Int64, floor: Int64, ceiling: Int64, rounded: Int64
  ) {
    #expect(Division.floor(dividend, by: divisor) == floor)
    #expect(Division.floor(Int128(dividend), by: Int128(divisor)) == floor)
    #expect(Division.ceiling(dividend, by: divisor) == ceiling)
    #expect(Division.rounded(Int128(dividend), by: Int128(divisor)) == rounded)
  }
}
