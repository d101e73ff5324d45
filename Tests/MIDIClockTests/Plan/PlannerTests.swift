import Testing

@testable import MIDIClock

/// Complete runs, from the start of a plan to its end.
struct PlannerTests {
  private func score(
    _ meter: String = "4/4", _ milliBPM: Int64 = 120_000, bars: Int64? = 1,
    accents: String? = nil, subdivision: Int64 = 1, swing: Int64 = 50_000
  ) throws -> Score {
    let pattern = try ClickPattern(
      meter: try Meter(text: meter),
      accents: try accents.map { try #require(AccentPattern(text: $0)) },
      subdivision: subdivision, swing: swing)
    return Score(pattern: pattern, tempo: Tempo(clamping: milliBPM), bars: bars)
  }

  // MARK: Start and end

  @Test func `one bar of one beat is sent in exactly this order at exactly these times`() throws {
    var plan = Planner(score: try score("1/4", 60_000), routes: [Route()])
    var expected = ["-1000000 FA", "0 F8", "0 99 22 7F", "40000000 89 22 40"]
    // Pulse n of 60 BPM at n x 41 666 666.67 ns; the note ends before the first of them.
    expected[3...] = ["40000000 89 22 40"]
    for pulse in 1..<24 as Range<UInt64> {
      expected.append("\(Oracle.pulse(pulse, milliBPM: 60_000)) F8")
    }
    expected.append("1000000000 FC")
    #expect(plan.take().wire() == expected)
    #expect(plan.isFinished == true)
    #expect(plan.next == nil)
  }

  // F03, F17, F51.
  @Test(
    arguments: [
      ("4/4", 1, 96), ("4/4", 4, 384), ("4/4", 16, 1_536), ("3/4", 2, 144), ("6/8", 3, 216),
      ("7/8", 1, 84), ("5/8", 2, 120), ("12/8", 1, 144), ("8/8", 1, 96), ("1/32", 5, 15),
      ("32/1", 1, 3_072),
    ] as [(String, Int64, Int)])
  func `a number of bars is exactly their pulses, then Stop and nothing`(
    meter: String, bars: Int64, pulses: Int
  ) throws {
    var plan = Planner(score: try score(meter, bars: bars), routes: [Route(), .observer])
    let events = plan.take()
    #expect(events.pulses().count == pulses)
    #expect(events.wire().first == "-1000000 FA")
    #expect(events.pulses().first == 0)
    let end = Oracle.pulse(UInt64(pulses), milliBPM: 120_000)
    #expect(events.wire().last == "\(end) FC")
    #expect(events.filter { $0.route == 0 }.count { $0.isStart } == 1)
    #expect(events.times { $0 == .stop } == [end])
    #expect(events.times { if case .songPosition = $0 { true } else { false } }.isEmpty)
    #expect(events.heard().faults.isEmpty)
    #expect(events.heard().sounding.isEmpty)
    #expect(plan.isFinished == true)
    #expect(plan.next == nil)
  }

  @Test func `a plan can begin at any host time`() throws {
    let origin = HostTime(nanoseconds: 98_765_432_123)
    var late = Planner(score: try score(), routes: [Route(), .observer], origin: origin)
    var early = Planner(score: try score(), routes: [Route(), .observer])
    let moved = early.take().map { event in
      var event = event
      event.time = event.time + (origin - .zero)
      return event
    }
    #expect(late.take() == moved)
  }

  @Test(
    arguments: [
      (0, 0), (1, 1), (20_833_333, 1), (20_833_334, 2), (500_000_000, 24), (2_000_000_000, 96),
      (10_000_000_000, 480),
    ] as [(Int64, Int)])
  func `a duration ends between pulses, before one that would fall on it`(
    duration: Int64, pulses: Int
  ) throws {
    var plan = Planner(
      score: try score(bars: nil), routes: [Route()],
      limit: .time(HostTime(nanoseconds: duration)))
    let events = plan.take()
    #expect(events.pulses().count == pulses)
    let stop = try #require(events.times { $0 == .stop }.first)
    #expect(stop >= duration)
    // The end is the first tick not before the duration: at most one tick of 520 833 ns late.
    #expect(stop - duration < 520_834)
    #expect(plan.isFinished == true)
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `the score's end precedes a longer duration`() throws {
    var plan = Planner(
      score: try score(), routes: [Route()], limit: .time(HostTime(nanoseconds: 5_000_000_000)))
    #expect(plan.take().wire().last == "2000000000 FC")
  }

  // F09: all intervals are equal, including the first.
  @Test func `the first interval is as long as the others`() throws {
    var plan = Planner(score: try score(bars: 3), routes: [Route()])
    let clicks = plan.take().noteOns()
    #expect(clicks == (0..<12).map { $0 * 500_000_000 })
  }

  // MARK: Order at one instant

  @Test func `at the same instant all devices get their pulse before any gets its click`() throws {
    var plan = Planner(score: try score(), routes: [Route(), Route(), Route(), .observer])
    let atZero = plan.take(until: .zero).filter { $0.time == .zero }
    #expect(atZero.map(\.route) == [0, 1, 2, 3, 0, 1, 2, 3])
    #expect(
      atZero.prefix(4).allSatisfy { $0.isPulse || $0.action == .report(.pulse(isRolling: true)) })
  }

  @Test
  func `at an instant shared with a pulse and a click of its key a note-off comes between them`()
    throws
  {
    // A gate of one beat, cut to half a beat, so that key 33 is struck again and again.
    var voice = ClickVoice.standard
    voice.gate = HostTime.Span(nanoseconds: 20_833_333)
    var plan = Planner(score: try score("1/4"), routes: [Route(voice: voice)])
    let wire = plan.take(untilMilliseconds: 30).wire()
    #expect(
      wire == ["-1000000 FA", "0 F8", "0 99 22 7F", "20833333 F8", "20833333 89 22 40"])
  }

  // MARK: Start bar and count-in

  @Test func `bar 11 begins with Song Position, Continue, and the pulses of that bar`() throws {
    var plan = Planner(
      score: try score("4/4", 120_000, bars: nil), routes: [Route(), .observer], startBar: 11)
    let events = plan.take(untilMilliseconds: 2_100)
    // Bar 11 is 160 sixteenths: 20 01, low seven bits first.
    #expect(
      events.wire().prefix(4) == ["-11000000 F2 20 01", "-1000000 FB", "0 F8", "0 99 22 7F"])
    #expect(events.heard().faults.isEmpty)
    #expect(events.heard().position == 1_060)
    #expect(events.beats.first?.beat.position == Position(bar: 11, beat: 1))
    #expect(events.beats.first?.beat.pulse == 960)
    #expect(events.beats.last?.beat.position == Position(bar: 12, beat: 1))
    #expect(events.beats.last?.beat.accent == .strong)
  }

  @Test(
    arguments: [
      ("4/4", 2, "F2 10 00"), ("4/4", 9, "F2 00 01"), ("6/8", 11, "F2 78 00"),
      ("4/4", 1_024, "F2 70 7F"),
      ("3/8", 3, "F2 0C 00"),
    ] as [(String, Int64, String)])
  func `the pointer is exactly the bar's`(meter: String, bar: Int64, pointer: String) throws {
    var plan = Planner(score: try score(meter, bars: nil), routes: [Route()], startBar: bar)
    #expect(plan.take(until: .zero).messages().prefix(2) == [pointer, "FB"])
  }

  @Test(
    arguments: [("3/4", 1, 3), ("6/8", 1, 6), ("4/4", 2, 8), ("7/8", 1, 7)]
      as [(String, Int64, Int)])
  func `F67 a count-in has the bar's own clicks, the first with the accent`(
    meter: String, bars: Int64, clicks: Int
  ) throws {
    var plan = Planner(
      score: try score(meter), routes: [Route(), .observer], countInBars: bars)
    let events = plan.take()
    let countIn = events.beats.filter(\.beat.isCountIn)
    #expect(countIn.count == clicks)
    #expect(countIn.first?.beat.accent == .strong)
    #expect(countIn.first?.beat.position == Position(bar: 1 - bars, beat: 1))
    let unit = try Meter(text: meter).ticksPerBeat
    let first = -Int64(clicks) * unit * 60_000_000_000 / (960 * 120)
    #expect(
      countIn.map(\.time)
        == (0..<Int64(clicks)).map { first + $0 * unit * 60_000_000_000 / (960 * 120) })
    #expect(events.noteOns().prefix(clicks).elementsEqual(countIn.map(\.time)))
    // Start comes at its end, 1 ms before pulse 0; the clock runs from its beginning.
    #expect(events.times { $0 == .start } == [-1_000_000])
    #expect(events.pulses().first == first)
    #expect(events.heard().faults.isEmpty)
    let rolling = events.pulses().filter { $0 >= 0 }
    #expect(rolling.count == Int(try Meter(text: meter).ticksPerBar / 40))
  }

  @Test(arguments: [ClockPolicy.rolling, .off])
  func `without a clock while stopped a count-in is clicks only`(policy: ClockPolicy) throws {
    var plan = Planner(score: try score(), routes: [Route()], policy: policy, countInBars: 1)
    let events = plan.take()
    #expect(events.noteOns().count == 8)
    #expect(events.pulses().count == (policy == .off ? 0 : 96))
    #expect(events.pulses().first == (policy == .off ? nil : 0))
  }

  @Test func `a count-in before bar 11 ends with the pointer and Continue`() throws {
    var plan = Planner(
      score: try score(bars: nil), routes: [Route(), .observer], startBar: 11, countInBars: 1)
    let events = plan.take(until: .zero)
    #expect(events.times { if case .songPosition = $0 { true } else { false } } == [-11_000_000])
    #expect(events.times { $0 == .continue } == [-1_000_000])
    #expect(events.noteOns() == [-2_000_000_000, -1_500_000_000, -1_000_000_000, -500_000_000, 0])
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a count-in before a ramp has the ramp's first tempo`() throws {
    let score = Score(
      pattern: .common, tempo: Tempo(clamping: 60_000), bars: 2,
      ramp: TempoMap.Ramp(target: .standard, ticks: 3_840))
    var plan = Planner(score: score, routes: [Route(), .observer], countInBars: 1)
    let events = plan.take(until: .zero)
    #expect(
      events.beats.map(\.time) == [
        -4_000_000_000, -3_000_000_000, -2_000_000_000, -1_000_000_000, 0,
      ])
    #expect(events.beats.allSatisfy { $0.beat.tempo.milliBPM == 60_000 })
  }

  // MARK: Clock policy

  // F20.
  @Test(
    arguments: [(ClockPolicy.always, 240), (.rolling, 0), (.off, 0)]
      as [(ClockPolicy, Int)])
  func `F20 five seconds while stopped have 240 pulses or none`(
    policy: ClockPolicy, pulses: Int
  ) throws {
    var plan = Planner(score: try score(bars: nil), routes: [Route()], policy: policy)
    _ = plan.take(untilMilliseconds: 1_000)
    #expect(plan.apply(.transport(.stop), at: HostTime(nanoseconds: 1_000_000_001)) == .applied)
    let events = plan.take(untilMilliseconds: 6_000)
    #expect(events.pulses().count == pulses)
    // The click of beat 3, just struck, ends before the Stop.
    #expect(events.messages() == ["89 21 40", "FC"])
  }

  // F22: this many beats of clock only.
  @Test func `F22 eight beats at 104 for a clock-only device are 192 pulses and no Start`() throws {
    var plan = Planner(
      score: try score("4/4", 104_000, bars: 2), routes: [Route(contents: .clock)])
    let events = plan.take()
    #expect(events.count == 192)
    #expect(events.allSatisfy { $0.isPulse })
    #expect(events.pulses().last == 4_591_346_154)
  }

  // MARK: Meter and groups

  // F64, F65, F66, F69.
  @Test(
    arguments: [
      ("7/8", 120_000, [0, 250, 500, 750, 1_000, 1_250, 1_500], "Xxmxmxx"),
      ("6/8", 120_000, [0, 250, 500, 750, 1_000, 1_250], "Xxxmxx"),
      ("5/8=3+2", 120_000, [0, 250, 500, 750, 1_000], "Xxxmx"),
      (
        "12/8", 60_000,
        [0, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500, 5_000, 5_500],
        "Xxxmxxmxxmxx"
      ),
      ("8/8", 120_000, [0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750], "Xxxmxxmx"),
      ("3/4", 120_000, [0, 500, 1_000], "Xxx"),
    ] as [(String, Int64, [Int64], String)])
  func `each bar has its beats and accents where the meter has them`(
    meter: String, milliBPM: Int64, milliseconds: [Int64], accents: String
  ) throws {
    var plan = Planner(
      score: try score(meter, milliBPM, bars: 3), routes: [Route(), .observer])
    let beats = plan.take().beats
    let bar = try Meter(text: meter).ticksPerBar * 62_500_000_000 / milliBPM
    for number in 0..<3 as Range<Int64> {
      let inBar = beats.filter { $0.beat.position.bar == number + 1 }
      #expect(inBar.map(\.time) == milliseconds.map { number * bar + $0 * 1_000_000 })
      #expect(String(inBar.map(\.beat.accent.letter)) == accents)
      #expect(inBar.map(\.beat.position.beat) == Array(1...Int64(accents.count)))
    }
    #expect(beats.count == 3 * accents.count)
  }

  @Test func `accents choose key and velocity, silent ones send nothing`() throws {
    var plan = Planner(
      score: try score(accents: "Xm.x"), routes: [Route(), .observer])
    let events = plan.take()
    let ons = events.messages().filter { $0.hasPrefix("9") }
    #expect(ons == ["99 22 7F", "99 21 64", "99 21 50"])
    #expect(events.noteOns() == [0, 500_000_000, 1_500_000_000])
    // The silent beat is still counted.
    #expect(events.beats.map(\.beat.accent) == [.strong, .medium, .silent, .weak])
  }

  @Test func `a silent bar sends no notes but ends normally`() throws {
    var plan = Planner(score: try score(bars: 2, accents: "...."), routes: [Route()])
    let events = plan.take()
    #expect(events.noteOns().isEmpty)
    #expect(events.pulses().count == 192)
    #expect(plan.isFinished == true)
  }

  @Test func `subdivided and swung clicks fall between the pulses at their exact times`() throws {
    var plan = Planner(
      score: try score("2/4", subdivision: 2, swing: 66_667), routes: [Route(), .observer])
    let events = plan.take()
    // 0.66667 of 500 ms is 333.335 ms.
    #expect(events.noteOns() == [0, 333_335_000, 500_000_000, 833_335_000])
    #expect(
      events.messages().filter { $0.hasPrefix("9") } == [
        "99 22 7F", "99 21 50", "99 21 50", "99 21 50",
      ])
    // Swing never moves the clock.
    #expect(events.pulses() == (0..<48).map { Oracle.pulse($0, milliBPM: 120_000) })
    #expect(events.beats.count == 2)
    #expect(events.heard().faults.isEmpty)

    var seven = Planner(score: try score("1/4", 133_700, subdivision: 7), routes: [Route()])
    #expect(
      seven.take().noteOns()
        == (0..<7).map { Oracle.place($0 * 960, over: 7, milliBPM: 133_700) })
  }

  // MARK: Whole runs against the oracle

  // F42, F44.
  @Test func `four seconds at every integer tempo from 30 to 300 are exact`() throws {
    for milliBPM in stride(from: Int64(30_000), through: 300_000, by: 1_000) {
      var plan = Planner(
        score: try score(milliBPM == 30_000 ? "4/4" : "3/4", milliBPM, bars: nil),
        routes: [Route()],
        limit: .time(HostTime(nanoseconds: 4_000_000_000)))
      var pulse: UInt64 = 0
      var beat: UInt64 = 0
      while let event = plan.next {
        let time = event.time.nanoseconds
        if event.isPulse {
          guard time == Oracle.pulse(pulse, milliBPM: UInt64(milliBPM)) else {
            Issue.record("pulse \(pulse) of \(milliBPM) is at \(time)")
            return
          }
          pulse += 1
        } else if case .send(.noteOn) = event.action {
          guard time == Oracle.tick(beat * 960, milliBPM: UInt64(milliBPM)) else {
            Issue.record("beat \(beat) of \(milliBPM) is at \(time)")
            return
          }
          beat += 1
        }
        plan.advance()
      }
      // Pulses before 4 s: 4 x 24 x BPM / 60, rounded up.
      #expect(pulse == (UInt64(milliBPM) * 4 * 24 + 59_999) / 60_000)
      #expect(beat == (UInt64(milliBPM) * 4 + 59_999) / 60_000)
    }
  }

  // F43, F46, F112.
  @Test func `one hour at 127_3 is 183312 pulses, each exact, including the last`() throws {
    var plan = Planner(
      score: try score("4/4", 127_300, bars: nil, accents: "...."),
      routes: [Route(contents: [.clock, .transport])],
      limit: .time(HostTime(nanoseconds: 3_600_000_000_000)))
    var pulses: UInt64 = 0
    while let event = plan.next {
      if event.isPulse {
        guard event.time.nanoseconds == Oracle.pulse(pulses, milliBPM: 127_300) else {
          Issue.record("pulse \(pulses) is at \(event.time.nanoseconds)")
          return
        }
        pulses += 1
      }
      plan.advance()
    }
    #expect(pulses == 183_312)
    #expect(plan.isFinished == true)
  }
}
