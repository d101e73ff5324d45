import Testing

@testable import MIDIClock

struct ScoreTests {
  private func score() throws -> Score {
    var score = Score(pattern: .common, tempo: Tempo(clamping: 100_000))
    score.append(
      bar: 3, pattern: ClickPattern(plain: try Meter(text: "3/4")), tempo: .standard,
      ramp: TempoMap.Ramp(target: Tempo(clamping: 60_000), ticks: 2_880))
    score.append(
      bar: 6, pattern: ClickPattern(plain: try Meter(text: "6/8")), tempo: Tempo(clamping: 60_000))
    return score
  }

  @Test func `each passage begins where the bars before it end`() throws {
    let score = try score()
    #expect(score.passages.map(\.span.start) == [Tick(0), Tick(7_680), Tick(7_680 + 3 * 2_880)])
    #expect(score.passages.map(\.span.bar) == [1, 3, 6])
    #expect(score.end == nil)
  }

  @Test(
    arguments: [
      (-3_840, 0), (0, 0), (7_679, 0), (7_680, 1), (16_319, 1), (16_320, 2), (1_000_000, 2),
    ] as [(Int64, Int)])
  func `a tick lies in one passage`(tick: Int64, passage: Int) throws {
    #expect(try score().index(at: Tick(tick)) == passage)
  }

  @Test(
    arguments: [
      (0, -3_840), (1, 0), (2, 3_840), (3, 7_680), (4, 10_560), (6, 16_320), (7, 19_200),
    ] as [(Int64, Int64)])
  func `a bar begins in its passage's meter`(bar: Int64, tick: Int64) throws {
    #expect(try score().start(ofBar: bar) == Tick(tick))
  }

  @Test func `so many bars end where the next would begin`() throws {
    let pattern = ClickPattern(plain: try Meter(text: "7/8"))
    #expect(Score(pattern: pattern, tempo: .standard, bars: 4).end == Tick(4 * 3_360))
    #expect(Score(pattern: pattern, tempo: .standard).end == nil)
  }

  @Test func `the tempo map has a segment per passage and one after each ramp`() throws {
    let map = try score().tempoMap(origin: HostTime(nanoseconds: 5))
    #expect(map.segments.map(\.tick) == [Tick(0), Tick(7_680), Tick(10_560), Tick(16_320)])
    #expect(map.segments.map(\.tempo.milliBPM) == [100_000, 120_000, 60_000, 60_000])
    // Two bars at 100: 4.8 s. Three quarters from 120 to 60: 180/60 ln 2 s.
    #expect(map.time(of: Tick(7_680)).nanoseconds == 4_800_000_005)
    #expect(map.time(of: Tick(10_560)).nanoseconds == 4_800_000_005 + 2_079_441_542)
    #expect(map.time(of: Tick(16_320)) - map.time(of: Tick(10_560)) == .seconds(6))
  }
}
