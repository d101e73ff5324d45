import Testing
import TestSupport

@testable import MIDIClock

/// Scores whose tempo changes more often than once per pulse.
struct ScoreMergingTests {
  private func pace(_ generator: inout SeededGenerator) -> Pace {
    Bool.random(using: &generator)
      ? Pace(microseconds: Int64.random(in: 150_000...6_000_000, using: &generator))
      : Pace(Tempo(clamping: Int64.random(in: 10_000...400_000, using: &generator)))
  }

  /// Changes at most `gap` ticks apart, with ramps and meters among them.
  private func score(
    _ generator: inout SeededGenerator, gap: Int64, ramps: Bool, meters: Bool
  ) throws -> Score {
    let patterns = [
      ClickPattern.common, ClickPattern(plain: try Meter(text: "3/32")),
      ClickPattern(plain: try Meter(text: "1/32")),
    ]
    var span = MeterSpan(start: .zero, bar: 1, pattern: .common)
    var passages: [Score.Passage] = []
    var tick: Int64 = 0
    for number in 0..<300 as Range<Int64> {
      if meters, Int.random(in: 0..<4, using: &generator) == 0 {
        span = MeterSpan(
          start: Tick(tick), bar: number + 1,
          pattern: patterns[Int.random(in: 0..<3, using: &generator)])
      }
      let next = tick + Int64.random(in: 1...gap, using: &generator)
      var passage = Score.Passage(span: span, start: Tick(tick), pace: pace(&generator))
      // Some keep the tempo before them.
      if let last = passages.last, last.ramp == nil, Int.random(in: 0..<5, using: &generator) == 0 {
        passage.pace = last.pace
      }
      if ramps, Int.random(in: 0..<3, using: &generator) == 0 {
        passage.ramp = TempoMap.Ramp(
          target: pace(&generator), ticks: Int64.random(in: 1...(next - tick), using: &generator))
      }
      passages.append(passage)
      // A few are far apart.
      tick = Int.random(in: 0..<20, using: &generator) == 0 ? next + 5_000 : next
    }
    return try #require(Score(passages: passages, end: Tick(tick + 960)))
  }

  @Test(arguments: [3, 15, 39, 60, 200] as [Int64])
  func `every pulse stays within a nanosecond`(gap: Int64) throws {
    for seed in 0..<24 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let score = try score(&generator, gap: gap, ramps: seed % 2 == 1, meters: seed % 4 >= 2)
      let merged = score.mergedWithinPulses()
      let (map, other) = (score.tempoMap(), merged.tempoMap())
      let end = try #require(score.end)
      #expect(merged.end == end)
      var pulse: Int64 = 0
      while Tick(pulse: pulse) <= end {
        let tick = Tick(pulse: pulse)
        let error = (other.time(of: tick) - map.time(of: tick)).nanoseconds
        guard error.magnitude <= 1 else {
          Issue.record("seed \(seed): pulse \(pulse) is off by \(error) ns")
          return
        }
        #expect(merged.span(at: tick) == score.span(at: tick))
        pulse += 1
      }
    }
  }

  @Test func `no pulse has two changes, and merging again changes nothing`() throws {
    for seed in 0..<24 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let score = try score(&generator, gap: 13, ramps: false, meters: false)
      let merged = score.mergedWithinPulses()
      let pulses = merged.passages.map { $0.start.count / Resolution.ticksPerPulse }
      #expect(zip(pulses, pulses.dropFirst()).allSatisfy { $0 < $1 })
      #expect(merged.passages.count < score.passages.count)
      #expect(merged.mergedWithinPulses() == merged)
    }
  }

  @Test func `a ramp in every tick leaves one change per pulse, and a long ramp is kept`() throws {
    var passages = (0..<400 as Range<Int64>).map { tick in
      Score.Passage(
        span: MeterSpan(start: .zero, bar: 1, pattern: .common), start: Tick(tick),
        pace: Pace(Tempo(clamping: 100_000 + tick)),
        ramp: TempoMap.Ramp(target: Tempo(clamping: 101_000 + tick), ticks: 1))
    }
    passages[399].ramp = TempoMap.Ramp(target: .standard, ticks: 9_600)
    let merged = try #require(Score(passages: passages, end: Tick(96_000))).mergedWithinPulses()
    #expect(merged.passages.dropLast().map(\.start.count) == (0..<10).map { $0 * 40 })
    #expect(merged.passages.last == passages.last)
  }

  @Test func `at most one change per pulse is left as it is`() throws {
    let text = "1 4/4 120\nat 1:1.5 130\nat 1:1.55 140\n4 100-120\nat 3:2.01 90\n"
    let reading = try ScoreReading(Array(text.utf8))
    #expect(reading.score.mergedWithinPulses() == reading.score)
    #expect(reading.score.passages.count == 5)
  }

  // MARK: Planning

  /// Whether the plan of `score` on two routes is in order, with every pulse on time.
  private func isKept(_ score: Score, _ first: Int64, _ second: Int64) -> Bool {
    let map = score.tempoMap()
    var plan = Planner(
      score: score,
      routes: [
        Route(contents: .clock, offset: .milliseconds(first)),
        Route(contents: .clock, offset: .milliseconds(second)), .observer,
      ])
    var pulses: [Int64] = [0, 0]
    var last = HostTime(nanoseconds: Int64.min / 2)
    while let event = plan.next {
      plan.advance()
      guard last <= event.time else { return false }
      last = event.time
      guard event.isPulse else { continue }
      let offset = HostTime.Span.milliseconds(event.route == 0 ? first : second)
      guard event.time == map.time(of: Tick(pulse: pulses[event.route])) + offset else {
        return false
      }
      pulses[event.route] += 1
    }
    return pulses[0] == pulses[1] && pulses[0] > 0
  }

  // A DAW's tempo curve: one change per pulse while the routes are a second apart.
  @Test(arguments: [200, 300, 400] as [Int64])
  func `one change per pulse plays in order on routes far apart`(bpm: Int64) throws {
    let microseconds = 60_000_000 / bpm
    let span = MeterSpan(start: .zero, bar: 1, pattern: .common)
    let passages = (0..<(64 * 24) as Range<Int64>).map { pulse in
      Score.Passage(
        span: span, start: Tick(pulse: pulse), pace: Pace(microseconds: microseconds + pulse))
    }
    let score = try #require(Score(passages: passages, end: Tick(64 * 960)))
    for spread in [0, 100, 300, 500] as [Int64] { #expect(isKept(score, -spread, spread)) }
    #expect(isKept(score, -500, 0))
  }

  @Test func `nine hundred changes in a beat play in order`() throws {
    var text = "4 2/2 120\n"
    for number in 1...900 {
      text += "at 2:1.\(Digits.padded(Int64(number), width: 3)) \(100 + number % 7)\n"
    }
    let score = try ScoreReading(Array(text.utf8)).score
    #expect(score.passages.count < 50)
    #expect(isKept(score, -500, 500))
  }

  @Test func `the densest stretch is counted`() throws {
    #expect(Score(pattern: .common, tempo: .standard).density(within: .seconds(2)) == 1)
    let span = MeterSpan(start: .zero, bar: 1, pattern: .common)
    // At 120 a beat is half a second: one change in each of eight, then four in one.
    let ticks = (0..<8).map { $0 * 960 } + (0..<4).map { 7_800 + $0 * 40 }
    let passages = ticks.enumerated().map { index, tick in
      Score.Passage(
        span: span, start: Tick(Int64(tick)), pace: Pace(microseconds: 500_000 + Int64(index)))
    }
    let score = try #require(Score(passages: passages))
    #expect(score.density(within: .milliseconds(100)) == 4)
    #expect(score.density(within: .milliseconds(1_100)) == 5)
    #expect(score.density(within: .seconds(60)) == 12)
  }

  // MARK: Long scores

  @Test(.timeLimit(.minutes(1)))
  func `a hundred thousand changes are read and looked up in linear time`() throws {
    var text = ""
    for number in 0..<100_000 { text += "1 1/32 \(100 + number % 200)\n" }
    let score = try ScoreReading(Array(text.utf8)).score
    let map = score.tempoMap()
    var plan = Planner(score: score, routes: [Route(contents: .clock)], startBar: 99_000)
    for bar in 1...100_000 as ClosedRange<Int64> {
      let tick = score.start(ofBar: bar)
      guard score.index(at: tick) == Int(bar - 1), map.tick(at: map.time(of: tick)) == tick else {
        Issue.record("bar \(bar) is not found")
        return
      }
    }
    var pulses = 0
    while let event = plan.next {
      if event.isPulse { pulses += 1 }
      plan.advance()
    }
    #expect(pulses == 1_001 * 3)
  }
}
