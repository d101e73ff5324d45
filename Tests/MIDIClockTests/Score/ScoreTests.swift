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
  func `a tick belongs to one passage`(tick: Int64, passage: Int) throws {
    #expect(try score().index(at: Tick(tick)) == passage)
  }

  @Test(
    arguments: [
      (0, -3_840), (1, 0), (2, 3_840), (3, 7_680), (4, 10_560), (6, 16_320), (7, 19_200),
    ] as [(Int64, Int64)])
  func `a bar begins in its passage's meter`(bar: Int64, tick: Int64) throws {
    #expect(try score().start(ofBar: bar) == Tick(tick))
  }

  @Test func `a number of bars ends where the next would begin`() throws {
    let pattern = ClickPattern(plain: try Meter(text: "7/8"))
    #expect(Score(pattern: pattern, tempo: .standard, bars: 4).end == Tick(4 * 3_360))
    #expect(Score(pattern: pattern, tempo: .standard).end == nil)
  }

  /// Passages of one bar, each with its own meter and tempo, every third one a ramp.
  private func long(_ count: Int64, meters: [String], _ tempos: [Int64]) throws -> Score {
    func passage(_ index: Int64) throws -> (ClickPattern, Tempo, TempoMap.Ramp?) {
      let pattern = ClickPattern(plain: try Meter(text: meters[Int(index) % meters.count]))
      let tempo = Tempo(clamping: tempos[Int(index) % tempos.count] + index)
      let target = Tempo(clamping: tempos[Int(index + 1) % tempos.count])
      let ramp = TempoMap.Ramp(target: target, ticks: pattern.meter.ticksPerBar)
      return (pattern, tempo, index % 3 == 2 ? ramp : nil)
    }
    let (pattern, tempo, _) = try passage(0)
    var score = Score(pattern: pattern, tempo: tempo)
    for index in 1..<count {
      let (pattern, tempo, ramp) = try passage(index)
      score.append(bar: index + 1, pattern: pattern, tempo: tempo, ramp: ramp)
    }
    score.end = score.start(ofBar: count + 1)
    return score
  }

  private static let routes = [
    Route(offset: .milliseconds(-500)), Route(), Route(offset: .milliseconds(500)),
    Route(contents: [.clock, .transport], divide: 24), Route(contents: .transport), .observer,
  ]

  @Test(
    arguments: [
      (9, ["4/4", "3/4", "7/8"], [120_000, 97_500, 180_000]),
      (30, ["1/4", "1/8"], [240_000, 60_000]),
      (100, ["1/32"], [400_000]), (200, ["1/32", "1/16"], [399_000, 300_000]),
    ] as [(Int64, [String], [Int64])])
  func `more passages than the window and the ring hold play as the tempo map says`(
    count: Int64, meters: [String], tempos: [Int64]
  ) throws {
    let score = try long(count, meters: meters, tempos)
    let map = score.tempoMap()
    var plan = Planner(score: score, routes: Self.routes)
    let events = plan.take()
    let end = try #require(score.end)
    #expect(plan.isFinished == true)
    for (route, offset) in [(0, -500_000_000), (1, 0), (2, 500_000_000)] as [(Int, Int64)] {
      let pulses = events.pulses(route)
      #expect(pulses.count == Int(end.count / 40))
      for (pulse, time) in pulses.enumerated() {
        // Each ramp is anchored at its passage's rounded start, like the map's.
        let due = map.time(of: Tick(pulse: Int64(pulse))).nanoseconds
        guard time - offset == due else {
          Issue.record("route \(route), pulse \(pulse) is at \(time), not \(due)")
          return
        }
      }
      #expect(events.heard(route).faults.isEmpty)
      #expect(events.times(route) { $0 == .stop } == [map.time(of: end).nanoseconds + offset])
    }
    #expect(events.pulses(3).count == Int((end.count + 959) / 960))
    #expect(events.messages(4) == ["FA", "FC"])
    // Every bar begins strong, in its own meter, at the time in the map.
    let bars = events.beats.filter { $0.beat.position.beat == 1 }
    #expect(bars.map(\.beat.position.bar) == Array(1...count))
    #expect(
      bars.map(\.time) == (1...count).map { map.time(of: score.start(ofBar: $0)).nanoseconds })
    #expect(bars.allSatisfy { $0.beat.accent == .strong })
  }

  @Test func `tempos are reported where passages and ramps change them`() throws {
    var score = try score()
    score.end = score.start(ofBar: 7)
    var plan = Planner(score: score, routes: [Route(), .observer])
    let told = plan.take().compactMap { event -> String? in
      guard case .report(.tempo(let tempo)) = event.action else { return nil }
      return "\(event.time.nanoseconds) \(tempo)"
    }
    #expect(told == ["4800000000 120", "6879441542 60"])
  }

  @Test func `a score can begin in any of its passages`() throws {
    let score = try long(30, meters: ["4/4", "3/4"], [120_000, 60_000])
    for bar in [2, 9, 17, 29, 30] as [Int64] {
      var plan = Planner(score: score, routes: [Route(), .observer], startBar: bar)
      let events = plan.take()
      let map = score.tempoMap()
      let from = map.time(of: score.start(ofBar: bar)).nanoseconds
      #expect(events.beats.first?.beat.position == Position(bar: bar, beat: 1))
      for (index, beat) in events.beats.filter({ $0.beat.position.beat == 1 }).enumerated() {
        let due = map.time(of: score.start(ofBar: bar + Int64(index))).nanoseconds - from
        #expect(abs(beat.time - due) <= 1)
      }
      #expect(events.heard().faults.isEmpty)
      #expect(events.beats.last?.beat.position.bar == 30)
    }
  }

  @Test func `in a ramp it can begin, stop and continue, on the same curve`() throws {
    // 60 to 120 over four bars of 4/4.
    let score = Score(
      pattern: .common, tempo: Tempo(clamping: 60_000), bars: 8,
      ramp: TempoMap.Ramp(target: .standard, ticks: 16 * 960))
    let map = score.tempoMap()
    var plan = Planner(score: score, routes: [Route(), .observer], startBar: 3)
    var events = plan.take(untilMilliseconds: 1_000)
    let third = map.time(of: Tick(8 * 960)).nanoseconds
    for (index, time) in events.pulses().enumerated() {
      #expect(abs(time - (map.time(of: Tick(pulse: 192 + Int64(index))).nanoseconds - third)) <= 1)
    }
    #expect(plan.apply(.transport(.stop), at: HostTime(nanoseconds: 1_000_000_001)) == .applied)
    events = plan.take(untilMilliseconds: 2_000)
    #expect(plan.apply(.transport(.continue), at: HostTime(nanoseconds: 2_000_000_001)) == .applied)
    events = plan.take()
    let rolling = events.drop { $0.action != .send(.continue) }
    let pulses = Array(rolling).pulses()
    let resumed = 768 - Int64(pulses.count)
    let anchor = map.time(of: Tick(pulse: resumed)).nanoseconds
    for (index, time) in pulses.enumerated() {
      let due = map.time(of: Tick(pulse: resumed + Int64(index))).nanoseconds - anchor
      #expect(abs(time - pulses[0] - due) <= 1)
    }
  }

  @Test func `the tempo map has a segment per passage and one after each ramp`() throws {
    let map = try score().tempoMap(origin: HostTime(nanoseconds: 5))
    #expect(map.segments.map(\.tick) == [Tick(0), Tick(7_680), Tick(10_560), Tick(16_320)])
    #expect(map.segments.map(\.pace.tempo.milliBPM) == [100_000, 120_000, 60_000, 60_000])
    // Two bars at 100: 4.8 s. Three quarters from 120 to 60: 180/60 ln 2 s.
    #expect(map.time(of: Tick(7_680)).nanoseconds == 4_800_000_005)
    #expect(map.time(of: Tick(10_560)).nanoseconds == 4_800_000_005 + 2_079_441_542)
    #expect(map.time(of: Tick(16_320)) - map.time(of: Tick(10_560)) == .seconds(6))
  }
}
