import Testing

@testable import MIDIClock

struct HostTimeTests {
  @Test func `instants and spans add and subtract`() {
    let instant = HostTime(nanoseconds: 1_500)
    #expect(instant + .microseconds(2) == HostTime(nanoseconds: 3_500))
    #expect(instant - .microseconds(2) == HostTime(nanoseconds: -500))
    #expect(instant - HostTime(nanoseconds: 2_000) == HostTime.Span(nanoseconds: -500))
    #expect(HostTime.zero == HostTime(nanoseconds: 0))
  }

  @Test func `spans are created from their units`() {
    #expect(HostTime.Span.microseconds(3).nanoseconds == 3_000)
    #expect(HostTime.Span.milliseconds(-3).nanoseconds == -3_000_000)
    #expect(HostTime.Span.seconds(3).nanoseconds == 3_000_000_000)
    #expect(HostTime.Span.zero.nanoseconds == 0)
  }

  @Test func `spans add, subtract, negate and compare`() {
    let (short, long) = (HostTime.Span.milliseconds(1), HostTime.Span.milliseconds(3))
    #expect(short + long == .milliseconds(4))
    #expect(short - long == .milliseconds(-2))
    #expect(-short == .milliseconds(-1))
    #expect(short < long)
    #expect(!(short < short))
  }

  @Test func `the distant future is later than a century and does not overflow with offsets`() {
    let century = HostTime(nanoseconds: 100 * 365 * 86_400 * 1_000_000_000)
    #expect(century < .distantFuture)
    #expect(HostTime.distantFuture + .seconds(86_400) > .distantFuture)
  }
}
