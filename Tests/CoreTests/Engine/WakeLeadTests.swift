import MIDIClock
import Testing

@testable import MetronomeCore

struct WakeLeadTests {
  @Test func `it starts at 80 us`() { #expect(WakeLead().span == .microseconds(80)) }

  @Test func `a later wake-up raises it at once, to 10 us more than that`() {
    var lead = WakeLead()
    lead.learn(.microseconds(95))
    #expect(lead.span == .microseconds(105))
  }

  @Test func `punctual wake-ups lower it slowly, never below 20 us`() {
    var lead = WakeLead()
    lead.learn(.zero)
    // A sixty-fourth of the way from 80 to 10.
    #expect(lead.span == HostTime.Span(nanoseconds: 80_000 - 70_000 / 64))
    for _ in 0..<10_000 { lead.learn(.zero) }
    #expect(lead.span == .microseconds(20))
  }

  @Test func `no wake-up, however late, raises it above 150 us`() {
    var lead = WakeLead()
    lead.learn(.seconds(30))
    #expect(lead.span == .microseconds(150))
  }
}
