import Testing

@testable import MIDIClock

struct PatternEditTests {
  private func letters(_ pattern: ClickPattern) -> String {
    String((0..<pattern.clicksPerBar).map { pattern.accent(ofClick: $0).letter })
  }

  @Test func `the meters cycle, and an unlisted one counts as last`() throws {
    var pattern = ClickPattern(plain: Meter.choice[0])
    var seen: [Meter] = []
    for _ in 0..<Meter.choice.count {
      pattern = try pattern.edited(.meterStep(1))
      seen.append(pattern.meter)
    }
    #expect(seen == Array(Meter.choice[1...]) + [Meter.choice[0]])
    #expect(try pattern.edited(.meterStep(-1)).meter == Meter.choice.last)
    let own = ClickPattern(plain: try Meter(text: "7/8"))
    #expect(try own.edited(.meterStep(1)).meter == Meter.choice.first)
    #expect(try own.edited(.meterStep(-1)).meter == Meter.choice.last)
    #expect(try own.edited(.meterStep(7)) == own)
  }

  @Test func `a meter brings its own accents and keeps subdivision and swing`() throws {
    let swung = try ClickPattern(
      meter: .common, accents: AccentPattern(text: "x.xm"), subdivision: 2, swing: 60_000)
    let edited = try swung.edited(.meter(try Meter(text: "6/8")))
    #expect(letters(edited) == "Xxxxxxmxxxxx")
    #expect(edited.subdivision == 2)
    #expect(edited.swing == 60_000)
  }

  @Test func `an accent cycles`() throws {
    var pattern = ClickPattern.common
    var seen = letters(pattern)
    for _ in 0..<4 {
      pattern = try pattern.edited(.accent(beat: 1, step: -1))
      seen += " " + letters(pattern)
    }
    #expect(seen == "Xxxx mxxx xxxx .xxx Xxxx")
    #expect(letters(try pattern.edited(.accent(beat: 4, step: 1))) == "Xxxm")
    #expect(letters(try pattern.edited(.accent(beat: 4, step: -5))) == "Xxx.")
    for beat in [Int64(0), 5] {
      #expect(throws: ClickPattern.Mismatch.accents(count: beat, beats: 4, clicks: 4)) {
        try pattern.edited(.accent(beat: beat, step: 1))
      }
    }
  }

  @Test func `steps stay within their ranges, and an odd subdivision is straight`() throws {
    let swung = try ClickPattern(meter: .common, subdivision: 2, swing: 66_000)
    #expect(try swung.edited(.subdivision(step: 1)).subdivision == 3)
    #expect(try swung.edited(.subdivision(step: 1)).swing == 50_000)
    #expect(try swung.edited(.subdivision(step: 2)).swing == 66_000)
    #expect(try swung.edited(.subdivision(step: Int64.max)).subdivision == 24)
    #expect(try swung.edited(.subdivision(step: Int64.min)).subdivision == 1)
    #expect(try swung.edited(.swing(step: 1_000)).swing == 67_000)
    #expect(try swung.edited(.swing(step: Int64.max)).swing == 75_000)
    #expect(try swung.edited(.swing(step: Int64.min)).swing == 50_000)
    #expect(throws: ClickPattern.Mismatch.swingNeedsPairs(1)) {
      try ClickPattern.common.edited(.swing(step: 1_000))
    }
  }
}
