import Testing

@testable import MIDIClock

struct RouteTests {
  @Test(
    arguments: [
      (1, 1, [0, 40, 80]), (2, 1, [0, 80, 160]), (24, 1, [0, 960, 1_920]), (1, 4, [0, 10, 20]),
      (3, 2, [0, 60, 120]),
    ] as [(Int64, Int64, [Int64])])
  func `pulse 0 is at the top, and the others follow at the route's own distance`(
    divide: Int64, multiply: Int64, ticks: [Int64]
  ) {
    let route = Route(divide: divide, multiply: multiply)
    for (pulse, tick) in ticks.enumerated() {
      let place = route.place(ofPulse: Int64(pulse))
      #expect(place.numerator == tick * place.denominator)
    }
  }

  @Test func `seven pulses per pulse are exact`() {
    let route = Route(multiply: 7)
    for pulse in -100...100 as ClosedRange<Int64> {
      let place = route.place(ofPulse: pulse)
      #expect(place.numerator * 7 == pulse * 40 * place.denominator)
    }
  }

  @Test func `the first pulse not before a tick is neither early nor one too late`() {
    for divide in [1, 2, 7, 24] as [Int64] {
      for multiply in [1, 7, 24] as [Int64] {
        let route = Route(divide: divide, multiply: multiply)
        for tick in -500...500 as ClosedRange<Int64> {
          let pulse = route.firstPulse(notBefore: Tick(tick))
          #expect(!route.place(ofPulse: pulse).isBefore(Tick(tick)))
          #expect(route.place(ofPulse: pulse - 1).isBefore(Tick(tick)))
        }
      }
    }
  }

  // F06: a start between two pulses waits for the rest of one pulse, not of a beat.
  @Test func `from quarter 0_52 the next pulse is the thirteenth, from 0_5 the twelfth itself`() {
    let route = Route()
    // 0.52 quarters are 499.2 ticks.
    #expect(route.firstPulse(notBefore: Tick(500)) == 13)
    #expect(route.firstPulse(notBefore: Tick(480)) == 12)
  }

  @Test(
    arguments: [
      (120_000, 1, 1, 10_416_666), (120_000, 24, 1, 250_000_000), (120_000, 1, 24, 434_027),
      (60_000, 1, 1, 20_833_333),
    ] as [(Int64, Int64, Int64, Int64)])
  func `pulses may come as close as half a period`(
    milliBPM: Int64, divide: Int64, multiply: Int64, nanoseconds: Int64
  ) {
    let route = Route(divide: divide, multiply: multiply)
    #expect(route.closestPulses(at: Pace(Tempo(clamping: milliBPM))).nanoseconds == nanoseconds)
  }

  @Test func `contents have the names of the command line`() {
    #expect(Route.Contents.named.map(\.name) == ["clock", "transport", "position", "click", "all"])
    for (_, contents) in Route.Contents.named {
      #expect(contents.hasClock == contents.contains(.clock))
      #expect(contents.hasTransport == contents.contains(.transport))
      #expect(contents.hasPosition == contents.contains(.position))
      #expect(contents.hasClick == contents.contains(.click))
      #expect(!contents.hasReports)
    }
    #expect(Route.observer.contents.hasReports)
    #expect(Route.observer.contents.hasClock)
    #expect(!Route.observer.contents.hasClick)
  }
}
