import Testing

@testable import MIDIClock

/// What each route is sent: offset, pulses, kinds of message and notes.
struct PlanHeadsTests {
  private func score(
    _ milliBPM: Int64 = 120_000, bars: Int64? = 2, pattern: ClickPattern = .common
  ) -> Score {
    Score(pattern: pattern, tempo: Tempo(clamping: milliBPM), bars: bars)
  }

  private func voice(gate milliseconds: Int64, keys: [UInt8] = [34, 33, 33]) -> ClickVoice {
    ClickVoice(
      channel: 9, strong: ClickVoice.Note(key: keys[0], velocity: 127),
      medium: ClickVoice.Note(key: keys[1], velocity: 100),
      weak: ClickVoice.Note(key: keys[2], velocity: 80), gate: .milliseconds(milliseconds))
  }

  // MARK: Offsets

  @Test
  func `every route gets the same at its own offset, and the routes are merged in time order`() {
    let offsets: [Int64] = [-10_000, 0, 2_500, 10_000, -500_000, 500_000]
    let routes = offsets.map { Route(offset: .microseconds($0)) }
    var plan = Planner(score: score(), routes: routes + [.observer], countInBars: 1)
    let events = plan.take()
    #expect(plan.earliness == .milliseconds(500))
    let plain = events.filter { $0.route == 1 }
    for (route, offset) in offsets.enumerated() {
      let moved = events.filter { $0.route == route }.map { event in
        var event = event
        event.time = event.time - .microseconds(offset)
        event.route = 1
        return event
      }
      #expect(moved == plain)
      #expect(events.heard(route).faults.isEmpty)
    }
    for (event, later) in zip(events, events.dropFirst()) { #expect(event.time <= later.time) }
  }

  @Test func `the plan runs ahead by the earliest route's lead, or not at all if all are late`() {
    let early = Planner(
      score: score(),
      routes: [Route(offset: .microseconds(-2_500)), Route(offset: .milliseconds(9))])
    #expect(early.earliness == .microseconds(2_500))
    let late = Planner(score: score(), routes: [Route(offset: .milliseconds(9))])
    #expect(late.earliness == .zero)
  }

  // MARK: Pulses divided and multiplied

  // F02: the first pulse is the first beat, not one division after it.
  @Test(arguments: [1, 2, 3, 6, 7, 23, 24] as [Int64])
  func `F02 a divided clock has its first pulse on the first beat`(divide: Int64) {
    var plan = Planner(score: score(bars: 8), routes: [Route(divide: divide), .observer])
    let events = plan.take()
    let wanted = stride(from: 0, to: UInt64(8 * 96), by: Int(divide)).map {
      Oracle.pulse($0, milliBPM: 120_000)
    }
    #expect(events.pulses() == wanted)
    #expect(events.heard().faults.isEmpty)
    // Clicks and transport are not divided.
    #expect(events.noteOns().count == 32)
    #expect(events.messages().first == "FA")
    #expect(events.messages().last == "FC")
  }

  @Test(arguments: [2, 4, 7, 24] as [Int64])
  func `a multiplied clock has that many pulses per pulse, each at its exact time`(multiply: Int64)
  {
    var plan = Planner(score: score(133_700), routes: [Route(multiply: multiply), .observer])
    let events = plan.take()
    let count = UInt64(192 * multiply)
    #expect(
      events.pulses()
        == (0..<count).map { Oracle.place($0 * 40, over: UInt64(multiply), milliBPM: 133_700) })
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `three pulses for every two are exact`() {
    var plan = Planner(score: score(bars: 1), routes: [Route(divide: 2, multiply: 3)])
    #expect(
      plan.take().pulses()
        == (0..<144).map { Oracle.place($0 * 80, over: 3, milliBPM: 120_000) })
  }

  @Test(arguments: [8, 16, 24] as [Int64])
  func `no multiplied pulse comes between a Start and the pulse it announces`(multiply: Int64) {
    // At 400 BPM a twenty-fourth of a pulse is 0.26 ms; Start is 1 ms ahead.
    var plan = Planner(
      score: score(400_000, bars: nil), routes: [Route(multiply: multiply), .observer],
      countInBars: 1)
    var events = plan.take(untilMilliseconds: 100)
    #expect(plan.apply(.transport(.start), at: HostTime(nanoseconds: 100_000_001)) == .applied)
    events += plan.take(untilMilliseconds: 500)
    #expect(plan.apply(.transport(.stop), at: HostTime(nanoseconds: 500_000_001)) == .applied)
    events += plan.take(untilMilliseconds: 600)
    #expect(plan.apply(.transport(.continue), at: HostTime(nanoseconds: 600_000_001)) == .applied)
    events += plan.take(untilMilliseconds: 700)
    let heard = events.heard()
    #expect(heard.faults.isEmpty)
    // The device's count matches the plan's: every click is on its own pulse.
    let beats = events.beats.filter { !$0.beat.isCountIn }
    #expect(beats.count == heard.strikes.filter { $0.pulse != nil }.count)
    for (strike, beat) in zip(heard.strikes.filter { $0.pulse != nil }, beats) {
      #expect(strike.pulse == beat.beat.pulse * multiply)
    }
  }

  // MARK: Kinds of message

  @Test(
    arguments: [
      (.clock, ["F8"]), (.transport, ["FA", "FB", "FC"]), (.position, ["F2"]),
      (.click, ["89", "99"]),
      (.all, ["89", "99", "F2", "F8", "FA", "FB", "FC"]), ([.clock, .click], ["89", "99", "F8"]),
      ([.transport, .position], ["F2", "FA", "FB", "FC"]), ([], []),
    ] as [(Route.Contents, [String])])
  func `a route carries exactly the requested kinds`(contents: Route.Contents, kinds: [String]) {
    var plan = Planner(score: score(bars: nil), routes: [Route(contents: contents), .observer])
    var events = plan.take(untilMilliseconds: 900)
    #expect(plan.apply(.transport(.stop), at: HostTime(nanoseconds: 900_000_001)) == .applied)
    events += plan.take(untilMilliseconds: 1_000)
    #expect(
      plan.apply(.transport(.locate(Tick(3_840))), at: HostTime(nanoseconds: 1_000_000_001))
        == .applied)
    events += plan.take(untilMilliseconds: 1_100)
    #expect(plan.apply(.transport(.continue), at: HostTime(nanoseconds: 1_100_000_001)) == .applied)
    events += plan.take(untilMilliseconds: 2_000)
    plan.halt(at: HostTime(nanoseconds: 2_000_000_001))
    events += plan.take()
    let found = Set(
      events.filter { $0.route == 0 }.compactMap { event -> String? in
        guard case .send(let message) = event.action else { return nil }
        return String(message.hexadecimal.prefix(2))
      })
    #expect(found.sorted() == kinds)
    #expect(plan.isFinished == true)
  }

  @Test(
    arguments: [.transport, .position, [.transport, .position], [], .click] as [Route.Contents])
  func `a route with little to do does not pull the plan ahead`(contents: Route.Contents) throws {
    // Twelve passages of a bar; the tempo is changed in the second.
    var song = score(bars: nil)
    for bar in 2...12 as ClosedRange<Int64> {
      song.append(bar: bar, pattern: .common, tempo: Tempo(clamping: 120_000 + bar))
    }
    song.end = song.start(ofBar: 13)
    let routes = [Route(contents: contents), Route(), .observer]
    var plan = Planner(score: song, routes: routes)
    var events = plan.take(untilMilliseconds: 2_600)
    #expect(
      plan.apply(.tempo(Tempo(clamping: 60_000)), at: HostTime(nanoseconds: 2_600_000_001))
        == .applied)
    events += plan.take()
    #expect(events.pulses(1).count == 12 * 96)
    #expect(events.heard(1).faults.isEmpty)
    // From 2.6 s to the end of bar 2 at 60: 2.8 quarters, minus part of a tick.
    let third = try #require(events.beats.first { $0.beat.position == Position(bar: 3, beat: 1) })
    #expect(third.time <= 5_400_000_000)
    #expect(third.time > 5_399_000_000)
  }

  // MARK: Notes

  // F89: the default is longer than a synth's blocks.
  @Test func `a click sounds for its gate`() {
    var plan = Planner(score: score(), routes: [Route()])
    let events = plan.take()
    let offs = events.times { if case .noteOff = $0 { true } else { false } }
    #expect(events.noteOns().map { $0 + 40_000_000 } == offs)
  }

  // F88: strict alternation per key, the off before the next on.
  @Test(
    arguments: [
      (300_000, 250, [34, 33, 33]), (400_000, 5_000, [34, 33, 33]), (120_000, 500, [60, 60, 60]),
      (120_000, 1_000, [60, 61, 62]), (300_000, 200, [60, 60, 61]), (400_000, 149, [1, 2, 1]),
    ] as [(Int64, Int64, [UInt8])])
  func `F88 on and off alternate per key, whatever the gate`(
    milliBPM: Int64, gate: Int64, keys: [UInt8]
  ) throws {
    for (meter, subdivision, letters) in [
      ("4/4", 1, nil), ("4/4", 4, nil), ("7/8", 3, nil), ("4/4", 1, "X..m"), ("1/4", 24, nil),
    ] as [(String, Int64, String?)] {
      let pattern = try ClickPattern(
        meter: try Meter(text: meter), accents: letters.flatMap { AccentPattern(text: $0) },
        subdivision: subdivision)
      var plan = Planner(
        score: score(milliBPM, bars: 13, pattern: pattern),
        routes: [Route(voice: voice(gate: gate, keys: keys)), .observer])
      let heard = plan.take().heard()
      #expect(heard.faults.isEmpty)
      #expect(heard.sounding.isEmpty)
    }
  }

  @Test func `F88 at 300 a gate of 250 ms is cut to 1 ms before the key's next click`() throws {
    let pattern = ClickPattern(plain: try Meter(text: "1/4"))
    var plan = Planner(
      score: score(300_000, bars: 50, pattern: pattern), routes: [Route(voice: voice(gate: 250))])
    let events = plan.take()
    let offs = events.times { if case .noteOff = $0 { true } else { false } }
    #expect(events.noteOns() == (0..<50).map { $0 * 200_000_000 })
    // After the last note comes only the Stop on the bar line, 200 ms later.
    #expect(offs.dropLast() == (0..<49).map { $0 * 200_000_000 + 199_000_000 })
    #expect(offs.count == 50)
  }

  // F87: the gate is in milliseconds, but ends before the key's next click.
  @Test func `F87 a click struck at 60 ends before the next at 240`() {
    let note = [60, 60, 60] as [UInt8]
    var plan = Planner(
      score: score(60_000, bars: nil), routes: [Route(voice: voice(gate: 500, keys: note))])
    var events = plan.take(untilMilliseconds: 100)
    #expect(
      plan.apply(.tempo(Tempo(clamping: 240_000)), at: HostTime(nanoseconds: 100_000_000))
        == .applied)
    events += plan.take(untilMilliseconds: 1_000)
    let ons = events.noteOns()
    let offs = events.times { if case .noteOff = $0 { true } else { false } }
    // 0.1 beats have passed, 0.9 remain at 250 ms: 325 ms.
    #expect(ons.prefix(2) == [0, 325_000_000])
    #expect(offs.first == 325_000_000)
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a long gate at the end of a steep ramp ends on time`() {
    var song = Score(
      pattern: .common, tempo: Tempo(clamping: 400_000),
      ramp: TempoMap.Ramp(target: Tempo(clamping: 10_000), ticks: 480))
    song.end = song.start(ofBar: 2)
    var plan = Planner(score: song, routes: [Route(voice: voice(gate: 5_000)), .observer])
    let events = plan.take()
    #expect(events.heard().faults.isEmpty)
    #expect(events.noteOns().count == 4)
    #expect(events.pulses().count == 96)
  }

  @Test func `F90 channel and keys are the voice's`() {
    var voice = self.voice(gate: 40, keys: [76, 77, 77])
    voice.channel = 0
    var plan = Planner(score: score(bars: 1), routes: [Route(voice: voice)])
    let notes = plan.take().messages().filter { $0.hasPrefix("9") || $0.hasPrefix("8") }
    #expect(
      notes == [
        "90 4C 7F", "80 4C 40", "90 4D 50", "80 4D 40", "90 4D 50", "80 4D 40", "90 4D 50",
        "80 4D 40",
      ])
  }

  @Test func `sixteen routes are played, further ones are ignored`() {
    var plan = Planner(
      score: score(bars: 1), routes: (0..<20).map { Route(offset: .milliseconds(Int64($0))) })
    let events = plan.take()
    #expect(Set(events.map(\.route)) == Set(0..<16))
    for route in 0..<16 { #expect(events.pulses(route).count == 96) }
  }
}
