import MIDIClock
import Testing
import TestSupport

@testable import MetronomeCore

struct StallLimitTests {
  @Test(
    arguments: [(120_000, 500), (60_000, 1_000), (30_000, 1_000), (400_000, 150)]
      as [(Int64, Int64)])
  func `late pulses catch up for a beat, at most a second`(
    milliBPM: Int64, milliseconds: Int64
  ) {
    let longest = StallLimit.longest(at: Pace(Tempo(clamping: milliBPM))).nanoseconds
    #expect(abs(longest - milliseconds * 1_000_000) <= 24)
  }

  @Test func `whole pulses cover a delay, and one fewer would not`() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<2_000 {
      let milliBPM = UInt64.random(in: 10_000...400_000, using: &generator)
      let late = Int64.random(in: 0...200_000_000_000_000, using: &generator)
      let span = StallLimit.wholePulses(
        covering: HostTime.Span(nanoseconds: late), at: Pace(Tempo(clamping: Int64(milliBPM)))
      ).nanoseconds
      let pulses = Int((Double(span) * Double(milliBPM) / 2.5e12).rounded())
      #expect(due(pulses, milliBPM) == span)
      #expect(late <= span)
      #expect(due(pulses - 1, milliBPM) <= late)
    }
  }
}
