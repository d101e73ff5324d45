import Testing

@testable import MIDIClock

struct ClickPatternTests {
  private func pattern(
    _ meter: String, _ accents: String? = nil, _ subdivision: Int64 = 1, _ swing: Int64 = 50_000
  ) throws -> ClickPattern {
    let letters = try accents.map { try #require(AccentPattern(text: $0)) }
    return try ClickPattern(
      meter: try Meter(text: meter), accents: letters, subdivision: subdivision, swing: swing)
  }

  private func letters(_ pattern: ClickPattern) -> String {
    String((0..<pattern.clicksPerBar).map { pattern.accent(ofClick: $0).letter })
  }

  @Test(
    arguments: [
      ("4/4", nil, 1, "Xxxx"), ("4/4", nil, 2, "Xxxxxxxx"), ("4/4", "Xmxm", 1, "Xmxm"),
      // F65: letters for beats stay on their beats when the beat is divided.
      ("7/8", nil, 2, "Xxxxmxxxmxxxxx"), ("4/4", "X.m.", 3, "Xxx.xxmxx.xx"),
      ("2/4", "X.m.", 2, "X.m."), ("1/4", "X......", 7, "X......"),
    ] as [(String, String?, Int64, String)])
  func `letters count beats, or clicks if there are that many`(
    meter: String, accents: String?, subdivision: Int64, expected: String
  ) throws {
    #expect(letters(try pattern(meter, accents, subdivision)) == expected)
  }

  @Test func `arguments that do not fit together are refused`() throws {
    #expect(throws: ClickPattern.Mismatch.subdivision(0)) { try pattern("4/4", nil, 0) }
    #expect(throws: ClickPattern.Mismatch.subdivision(25)) { try pattern("4/4", nil, 25) }
    #expect(throws: ClickPattern.Mismatch.swing(49_999)) { try pattern("4/4", nil, 2, 49_999) }
    #expect(throws: ClickPattern.Mismatch.swing(75_001)) { try pattern("4/4", nil, 2, 75_001) }
    #expect(throws: ClickPattern.Mismatch.swingNeedsPairs(1)) { try pattern("4/4", nil, 1, 60_000) }
    #expect(throws: ClickPattern.Mismatch.swingNeedsPairs(3)) { try pattern("4/4", nil, 3, 60_000) }
    #expect(throws: ClickPattern.Mismatch.accents(count: 3, beats: 4, clicks: 4)) {
      try pattern("4/4", "Xxx")
    }
    #expect(throws: ClickPattern.Mismatch.accents(count: 5, beats: 4, clicks: 8)) {
      try pattern("4/4", "Xxxxx", 2)
    }
  }

  @Test(
    arguments: [
      (.subdivision(25), "25 clicks per beat is out of range: 1 to 24"),
      (.swing(80_500), "swing 80.5 is out of range: 50 to 75 percent"),
      (
        .swingNeedsPairs(1),
        "swing moves every second click of a beat, so it needs an even number of clicks per beat;"
          + " there is 1"
      ),
      (
        .swingNeedsPairs(3),
        "swing moves every second click of a beat, so it needs an even number of clicks per beat;"
          + " there are 3"
      ),
      (.accents(count: 3, beats: 4, clicks: 4), "3 accents for 4 beats: give one letter per beat"),
      (
        .accents(count: 3, beats: 4, clicks: 8),
        "3 accents for 4 beats: give one letter per beat (4) or per click (8)"
      ),
    ] as [(ClickPattern.Mismatch, String)])
  func `a mismatch says what would fit`(mismatch: ClickPattern.Mismatch, text: String) {
    #expect(mismatch.description == text)
  }

  @Test func `seven clicks a beat fall exactly on sevenths of the beat`() throws {
    let seven = try pattern("2/4", nil, 7)
    for click in Int64(-14)...28 {
      let place = seven.offset(ofClick: click)
      // click x 960 / 7 ticks, as a cross product.
      #expect(place.numerator * 7 == click * 960 * place.denominator)
    }
  }

  // The swing convention: the second of a pair falls at that fraction of the pair.
  @Test(
    arguments: [
      (2, 50_000, [0, 480, 960, 1_440]), (2, 75_000, [0, 720, 960, 1_680]),
      (2, 62_500, [0, 600, 960, 1_560]), (4, 75_000, [0, 360, 480, 840, 960, 1_320]),
      (4, 54_000, [0, 259.2, 480, 739.2, 960]), (2, 66_667, [0, 640.0032, 960, 1_600.0032]),
      (2, 66_700, [0, 640.32, 960, 1_600.32]), (6, 66_700, [0, 213.44, 320, 533.44, 640, 853.44]),
    ] as [(Int64, Int64, [Double])])
  func `swing moves the second click of each pair to its share`(
    subdivision: Int64, swing: Int64, ticks: [Double]
  ) throws {
    let swung = try pattern("2/4", nil, subdivision, swing)
    for (click, tick) in ticks.enumerated() {
      let place = swung.offset(ofClick: Int64(click))
      // In ten-thousandths of a tick, exactly.
      let wanted = Int64((tick * 10_000).rounded())
      #expect(place.numerator * 10_000 == wanted * place.denominator)
    }
  }

  @Test func `clicks stay in time order across bar lines and below the top`() throws {
    let patterns = [
      try pattern("7/8", nil, 6, 75_000), try pattern("3/4", nil, 24), try pattern("1/32", nil, 5),
      try pattern("4/4", nil, 2, 66_667),
    ]
    for pattern in patterns {
      let bar = pattern.meter.ticksPerBar
      for click in -2 * pattern.clicksPerBar...2 * pattern.clicksPerBar {
        let place = pattern.offset(ofClick: click)
        let next = pattern.offset(ofClick: click + 1)
        // As cross products, which stay far below the range here.
        let here: Int64 = place.numerator * next.denominator
        let there: Int64 = next.numerator * place.denominator
        #expect(here < there)
        // One bar later it is exactly one bar later.
        let later = pattern.offset(ofClick: click + pattern.clicksPerBar)
        let moved: Int64 = (place.numerator + bar * place.denominator) * later.denominator
        let found: Int64 = later.numerator * place.denominator
        #expect(found == moved)
      }
    }
  }
}
