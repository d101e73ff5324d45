import Testing

@testable import MIDIClock

struct MeterSpanTests {
  private func span(_ meter: String, start: Int64 = 0, bar: Int64 = 1) throws -> MeterSpan {
    MeterSpan(
      start: Tick(start), bar: bar, pattern: ClickPattern(plain: try Meter(text: meter)))
  }

  @Test(
    arguments: [
      ("4/4", 0, 1, 0, "1|1|0"), ("4/4", 0, 1, 3_839, "1|4|959"), ("4/4", 0, 1, 3_840, "2|1|0"),
      ("4/4", 0, 1, -1, "0|4|959"), ("4/4", 0, 1, -3_840, "0|1|0"),
      ("4/4", 0, 1, -3_841, "-1|4|959"),
      ("6/8", 0, 1, 480 * 5, "1|6|0"), ("6/8", 0, 1, 480 * 6, "2|1|0"),
      ("7/8", 0, 1, 3_360, "2|1|0"),
      ("3/4", 3_840, 2, 3_840, "2|1|0"), ("3/4", 3_840, 2, 3_840 + 2_880 * 3 + 961, "5|2|1"),
      // F14: quarter 89.25 of a 4/4 song.
      ("4/4", 0, 1, 85_680, "23|2|240"),
    ] as [(String, Int64, Int64, Int64, String)])
  func `a tick has a bar, a beat and a remainder`(
    meter: String, start: Int64, bar: Int64, tick: Int64, text: String
  ) throws {
    #expect(try span(meter, start: start, bar: bar).position(of: Tick(tick)).description == text)
  }

  @Test(arguments: ["4/4", "3/4", "6/8", "7/8", "5/8", "1/32", "32/1", "11/16"])
  func `positions and ticks go both ways, below the start too`(meter: String) throws {
    let span = try span(meter, start: 1_920, bar: 7)
    for tick in stride(from: Int64(-20_000), through: 40_000, by: 37) {
      let position = span.position(of: Tick(tick))
      #expect(span.tick(of: position) == Tick(tick))
      #expect((1...span.pattern.meter.beats).contains(position.beat))
      #expect((0..<span.pattern.meter.ticksPerBeat).contains(position.tick))
    }
    #expect(span.start(ofBar: 7) == Tick(1_920))
    #expect(span.start(ofBar: 8) == Tick(1_920 + span.pattern.meter.ticksPerBar))
  }

  @Test func `the first click not before a tick is found among swung and odd ones`() throws {
    let patterns = [
      try ClickPattern(meter: .common, subdivision: 2, swing: 66_667),
      try ClickPattern(meter: .common, subdivision: 7), ClickPattern.common,
      try ClickPattern(meter: try Meter(text: "5/8"), subdivision: 24),
    ]
    for pattern in patterns {
      let span = MeterSpan(start: Tick(480), bar: 1, pattern: pattern)
      for tick in Int64(-1_500)...3_000 {
        let found = span.firstClick(notBefore: Tick(tick))
        #expect(!span.place(ofClick: found).isBefore(Tick(tick)))
        #expect(span.place(ofClick: found - 1).isBefore(Tick(tick)))
      }
    }
  }
}
