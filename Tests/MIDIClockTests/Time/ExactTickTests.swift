import Testing

@testable import MIDIClock

struct ExactTickTests {
  @Test(
    arguments: [
      (959, 1, 960, true), (960, 1, 960, false), (6_719, 7, 960, true), (6_720, 7, 960, false),
      (-1, 7, 0, true), (0, 7, 0, false), (-6_721, 7, -960, true), (-6_720, 7, -960, false),
      (Int64.max, 1, Int64.max, false), (Int64.max - 1, 3, Int64.max, true),
    ] as [(Int64, Int64, Int64, Bool)])
  func `fractions of ticks are compared without rounding`(
    numerator: Int64, denominator: Int64, tick: Int64, isBefore: Bool
  ) {
    #expect(ExactTick(numerator, over: denominator).isBefore(Tick(tick)) == isBefore)
  }

  @Test func `a tick is a fraction over one`() {
    #expect(ExactTick(Tick(7)) == ExactTick(7, over: 1))
  }
}
