import Testing

@testable import MIDIClock

/// Changes while the plan runs: tempo, pattern, transport.
struct PlanChangesTests {
  private func plan(
    _ milliBPM: Int64 = 120_000, routes: [Route] = [Route()], policy: ClockPolicy = .always,
    meter: String = "4/4", countInBars: Int64 = 0
  ) throws -> Planner {
    Planner(
      score: Score(
        pattern: ClickPattern(plain: try Meter(text: meter)), tempo: Tempo(clamping: milliBPM)),
      routes: routes + [.observer], policy: policy, countInBars: countInBars)
  }

  private func pattern(_ meter: String) throws -> ClickPattern {
    ClickPattern(plain: try Meter(text: meter))
  }

  private func instant(_ milliseconds: Int64) -> HostTime { .zero + .milliseconds(milliseconds) }

  // MARK: Tempo

  // At the minimum tempo.
  @Test func `F75 a tempo change keeps the elapsed part of the beat`() throws {
    var plan = try plan(10_000)
    var events = plan.take(untilMilliseconds: 999)
    #expect(plan.apply(.tempo(.standard), at: instant(1_000)) == .applied)
    events += plan.take(untilMilliseconds: 3_000)
    // At 10 BPM one second is a sixth of a beat: the rest takes 5/6 of 500 ms.
    #expect(
      events.noteOns() == [0, 1_416_666_667, 1_916_666_667, 2_416_666_667, 2_916_666_667])
    // Likewise pulses: 4 of 250 ms, then 20.8 ms each from the instant of the change.
    #expect(events.pulses().prefix(5) == [0, 250_000_000, 500_000_000, 750_000_000, 1_000_000_000])
    #expect(events.pulses()[5] == 1_020_833_333)
    #expect(events.pulses()[24] == 1_416_666_667)
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `F76 the position does not jump with the tempo`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 9_999)
    #expect(plan.apply(.tempo(Tempo(clamping: 180_000)), at: instant(10_000)) == .applied)
    events += plan.take(untilMilliseconds: 11_000)
    // Quarter 20 at 10 s, quarter 23 at 11 s.
    #expect(events.noteOns()[20] == 10_000_000_000)
    #expect(events.noteOns()[23] == 11_000_000_000)
    #expect(events.noteOns().count == 24)
    #expect(events.pulses().count == 23 * 24 + 1)
    #expect(events.heard().position == 552)
  }

  @Test func `F77 a tempo change resets neither bar nor count`() throws {
    var plan = try plan()
    // Bar 3 beat 2 is at 4.5 s; the change comes 0.1 s into it.
    var events = plan.take(untilMilliseconds: 4_600)
    #expect(plan.apply(.tempo(Tempo(clamping: 126_000)), at: instant(4_600)) == .applied)
    events += plan.take(untilMilliseconds: 9_000)
    let beats = events.beats.map(\.beat)
    #expect(beats.prefix(16).map(\.pulse) == (0..<16).map { $0 * 24 })
    #expect(beats[10].position == Position(bar: 3, beat: 3))
    #expect(beats[10].accent == .weak)
    #expect(beats[12].position == Position(bar: 4, beat: 1))
    #expect(beats[12].accent == .strong)
    for (strike, beat) in zip(events.heard().strikes, beats) { #expect(strike.pulse == beat.pulse) }
    #expect(events.heard().faults.isEmpty)
  }

  @Test
  func `60, 180 and 97_5 in mid-beat keep position and count, on routes that run early and late`()
    throws
  {
    let routes = [
      Route(), Route(offset: .milliseconds(-10)), Route(offset: .microseconds(2_500)),
      Route(offset: .milliseconds(10)),
    ]
    var plan = try plan(60_000, routes: routes)
    var events = plan.take(untilMilliseconds: 1_337)
    #expect(plan.apply(.tempo(Tempo(clamping: 180_000)), at: instant(1_347)) == .applied)
    events += plan.take(untilMilliseconds: 2_468)
    #expect(plan.apply(.tempo(Tempo(clamping: 97_500)), at: instant(2_478)) == .applied)
    events += plan.take(untilMilliseconds: 4_000)
    // The plan's tempo line: 1.347 s at 60, then 180 from the next tick, then 97.5 from the next.
    let first = (1_347_000_000 * 960 + 999_999_999) / 1_000_000_000 as Int64
    let firstTime = Oracle.tick(UInt64(first), milliBPM: 60_000)
    var ticks: Int64 = 0
    while firstTime + Oracle.tick(UInt64(ticks), milliBPM: 180_000) < 2_478_000_000 { ticks += 1 }
    let second = first + ticks
    let secondTime = firstTime + Oracle.tick(UInt64(ticks), milliBPM: 180_000)
    func time(_ tick: Int64) -> Int64 {
      if tick < first { return Oracle.tick(UInt64(tick), milliBPM: 60_000) }
      if tick < second { return firstTime + Oracle.tick(UInt64(tick - first), milliBPM: 180_000) }
      return secondTime + Oracle.tick(UInt64(tick - second), milliBPM: 97_500)
    }
    for (route, offset) in [0, -10_000_000, 2_500_000, 10_000_000].enumerated()
      as EnumeratedSequence<[Int64]>
    {
      let pulses = events.pulses(route)
      #expect(pulses.enumerated().allSatisfy { $1 == time(Int64($0) * 40) + offset })
      #expect(
        events.noteOns(route).enumerated().allSatisfy { $1 == time(Int64($0) * 960) + offset })
      #expect(events.heard(route).faults.isEmpty)
    }
    #expect(events.pulses().count > 130)
    let told = events.compactMap { event -> Tempo? in
      if case .report(.tempo(let tempo)) = event.action { tempo } else { nil }
    }
    #expect(told == [Tempo(clamping: 180_000), Tempo(clamping: 97_500)])
  }

  @Test func `a change at the instant of a pulse just sent does not repeat it`() throws {
    for change in [
      .tempo(Tempo(clamping: 180_000)), .pattern(try pattern("3/4")), .transport(.stop),
    ]
      as [PlanChange]
    {
      var plan = try plan()
      var events = plan.take(untilMilliseconds: 1_000)
      #expect(plan.apply(change, at: instant(1_000)) == .applied)
      events += plan.take(untilMilliseconds: 4_000)
      #expect(events.heard().faults.isEmpty)
      #expect(events.noteOns().count { $0 == 1_000_000_000 } == 1)
      #expect(events.beats.count { $0.time == 1_000_000_000 } == 1)
    }
  }

  @Test func `a change at the instant of a pulse not yet sent begins with it`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 999)
    #expect(plan.apply(.tempo(Tempo(clamping: 60_000)), at: instant(1_000)) == .applied)
    events += plan.take(untilMilliseconds: 2_000)
    #expect(events.noteOns() == [0, 500_000_000, 1_000_000_000, 2_000_000_000])
  }

  @Test func `a tempo set while stopped or counting in applies from there on`() throws {
    var plan = try plan(countInBars: 1)
    var events = plan.take(untilMilliseconds: -1_000)
    #expect(plan.apply(.tempo(Tempo(clamping: 60_000)), at: instant(-999)) == .applied)
    events += plan.take(untilMilliseconds: 5_000)
    let counted = events.beats.filter(\.beat.isCountIn).map(\.time)
    #expect(counted.prefix(3) == [-2_000_000_000, -1_500_000_000, -1_000_000_000])
    // A little more than 498 of 960 ticks... the last one comes a second after the third's end.
    let start = try #require(events.times { $0 == .start }.first)
    #expect(counted.count == 4)
    #expect(abs(start + 1_000_000 - counted[3] - 1_000_000_000) <= 1)
    #expect(events.heard().faults.isEmpty)

    var stopped = try self.plan()
    _ = stopped.take(untilMilliseconds: 500)
    #expect(stopped.apply(.transport(.stop), at: instant(501)) == .applied)
    _ = stopped.take(untilMilliseconds: 600)
    #expect(stopped.apply(.tempo(Tempo(clamping: 60_000)), at: instant(601)) == .applied)
    let pulses = stopped.take(untilMilliseconds: 2_000).pulses()
    for (pulse, next) in zip(pulses.dropFirst(), pulses.dropFirst(2)) {
      #expect(abs(next - pulse - 41_666_667) <= 1)
    }
    #expect(stopped.apply(.transport(.continue), at: instant(2_001)) == .applied)
    let beats = stopped.take(untilMilliseconds: 5_000).beats.map(\.time)
    for (beat, next) in zip(beats, beats.dropFirst()) {
      #expect(abs(next - beat - 1_000_000_000) <= 1)
    }
  }

  // MARK: Pattern

  @Test func `another meter begins a bar on the next beat, and the count continues`() throws {
    var plan = try plan()
    // In bar 1 beat 2.
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.pattern(try pattern("3/4")), at: instant(700)) == .applied)
    events += plan.take(untilMilliseconds: 4_000)
    let beats = events.beats.map(\.beat)
    #expect(
      beats.map(\.position.description)
        == ["1|1|0", "1|2|0", "2|1|0", "2|2|0", "2|3|0", "3|1|0", "3|2|0", "3|3|0", "4|1|0"])
    #expect(String(beats.map(\.accent.letter)) == "XxXxxXxxX")
    #expect(beats.map(\.pulse) == (0...8).map { $0 * 24 })
    #expect(events.heard().faults.isEmpty)
    #expect(events.pulses() == (0...192).map { Oracle.pulse($0, milliBPM: 120_000) })
  }

  @Test func `another meter on a bar line keeps the bar's number`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 1_700)
    #expect(plan.apply(.pattern(try pattern("6/8")), at: instant(1_700)) == .applied)
    events += plan.take(untilMilliseconds: 3_500)
    #expect(events.beats.last?.beat.position == Position(bar: 3, beat: 1))
    #expect(String(events.beats.map(\.beat.accent.letter)) == "XxxxXxxmxxX")
  }

  @Test func `the last of several patterns for one beat applies`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 600)
    for meter in ["3/4", "5/8", "7/8"] {
      #expect(plan.apply(.pattern(try pattern(meter)), at: instant(650)) == .applied)
    }
    events += plan.take(untilMilliseconds: 2_700)
    #expect(String(events.beats.map(\.beat.accent.letter)) == "XxXxmxmxx")
  }

  @Test(arguments: [1, 11] as [Int64])
  func `a pattern set while counting in begins with the song`(startBar: Int64) throws {
    var plan = Planner(
      score: Score(pattern: .common, tempo: .standard), routes: [Route(), .observer],
      startBar: startBar, countInBars: 1)
    var events = plan.take(untilMilliseconds: -500)
    #expect(plan.apply(.pattern(try pattern("3/4")), at: instant(-499)) == .applied)
    events += plan.take(untilMilliseconds: 1_500)
    let song = events.beats.filter { !$0.beat.isCountIn }.map(\.beat)
    #expect(String(song.map(\.accent.letter)) == "XxxX")
    #expect(song.map(\.position.bar) == [startBar, startBar, startBar, startBar + 1])
    #expect(events.beats.count == 8)
    #expect(events.heard().faults.isEmpty)
  }

  // MARK: Stop and Continue

  @Test(arguments: [ClockPolicy.always, .rolling, .off])
  func `Continue resumes with exactly the pulse after Stop`(policy: ClockPolicy) throws {
    for stop in [1, 10, 21, 300, 499, 500, 501, 777, 1_999] as [Int64] {
      var plan = try plan(policy: policy)
      var events = plan.take(untilMilliseconds: stop - 1)
      #expect(plan.apply(.transport(.stop), at: instant(stop)) == .applied)
      events += plan.take(untilMilliseconds: stop + 1_000)
      let stopped = events.heard()
      #expect(stopped.isRolling == false)
      #expect(stopped.sounding.isEmpty)
      #expect(plan.apply(.transport(.continue), at: instant(stop + 1_001)) == .applied)
      events += plan.take(untilMilliseconds: stop + 4_000)
      #expect(plan.isRolling == true)
      let heard = events.heard()
      #expect(heard.faults.isEmpty)
      #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC", "FB"])
      // The beats continue in their bar, each on its own pulse.
      let beats = events.beats.map(\.beat)
      for (index, beat) in beats.enumerated() {
        #expect(beat.position == Position(bar: Int64(index / 4) + 1, beat: Int64(index % 4) + 1))
        #expect(beat.pulse == Int64(index) * 24)
      }
      if policy != .off {
        #expect(heard.strikes.map(\.pulse) == beats.map(\.pulse))
      }
    }
  }

  @Test func `Continue keeps the bars of a pattern set live`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.pattern(try pattern("3/4")), at: instant(700)) == .applied)
    // Bar 2 begins at 1.0 s, bar 3 at 2.5 s; stop within bar 3 beat 2.
    events += plan.take(untilMilliseconds: 3_100)
    #expect(plan.apply(.transport(.stop), at: instant(3_101)) == .applied)
    events += plan.take(untilMilliseconds: 3_500)
    #expect(plan.apply(.transport(.continue), at: instant(3_501)) == .applied)
    events += plan.take(untilMilliseconds: 5_500)
    #expect(
      events.beats.map(\.beat.position.description)
        == [
          "1|1|0", "1|2|0", "2|1|0", "2|2|0", "2|3|0", "3|1|0", "3|2|0", "3|3|0", "4|1|0", "4|2|0",
          "4|3|0", "5|1|0",
        ].prefix(events.beats.count).map { $0 })
    #expect(events.beats.count >= 10)
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a pattern set while stopped begins a bar on the first beat of Continue`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.transport(.stop), at: instant(701)) == .applied)
    events += plan.take(untilMilliseconds: 1_000)
    #expect(plan.apply(.pattern(try pattern("3/4")), at: instant(1_000)) == .applied)
    #expect(plan.apply(.transport(.continue), at: instant(1_001)) == .applied)
    events += plan.take(untilMilliseconds: 3_200)
    #expect(String(events.beats.map(\.beat.accent.letter)) == "XxXxxX")
    #expect(
      events.beats.dropFirst(2).map(\.beat.position.description)
        == ["2|1|0", "2|2|0", "2|3|0", "3|1|0"])
    #expect(events.beats.map(\.beat.pulse) == (0...5).map { $0 * 24 })
  }

  @Test func `Start from anywhere is from the top`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 3_333)
    #expect(plan.apply(.transport(.stop), at: instant(3_334)) == .applied)
    events += plan.take(untilMilliseconds: 4_000)
    #expect(plan.apply(.transport(.start), at: instant(4_001)) == .applied)
    events += plan.take(untilMilliseconds: 6_000)
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC", "FA"])
    let second = events.beats.filter { $0.time > 4_000_000_000 }
    #expect(second.first?.beat.position == Position(bar: 1, beat: 1))
    #expect(second.first?.beat.pulse == 0)
    #expect(events.heard().position == 95)
    // F20: on the grid of the clock that runs while stopped, without a shorter interval.
    let pulses = events.pulses()
    for (pulse, next) in zip(pulses, pulses.dropFirst()) {
      #expect(abs(next - pulse - 20_833_333) <= 1)
    }
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `Start while stopped counts in again if requested`() throws {
    var plan = try plan(countInBars: 1)
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.transport(.stop), at: instant(701)) == .applied)
    events += plan.take(untilMilliseconds: 1_000)
    #expect(plan.apply(.transport(.start), at: instant(1_001)) == .applied)
    events += plan.take(untilMilliseconds: 3_900)
    let again = events.beats.filter { $0.time > 1_000_000_000 }
    #expect(again.filter(\.beat.isCountIn).map(\.beat.position.beat) == [1, 2, 3, 4])
    #expect(again.filter { !$0.beat.isCountIn }.map(\.beat.pulse) == [0, 24])
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a Stop while counting in sends no Start and no Stop`() throws {
    var plan = try plan(countInBars: 1)
    var events = plan.take(untilMilliseconds: -700)
    #expect(plan.apply(.transport(.stop), at: instant(-699)) == .applied)
    events += plan.take(untilMilliseconds: 1_000)
    #expect(events.messages().filter { $0.hasPrefix("F") }.isEmpty)
    #expect(events.heard().sounding.isEmpty)
    #expect(plan.apply(.transport(.continue), at: instant(1_001)) == .applied)
    events += plan.take(untilMilliseconds: 4_000)
    // At the top Continue acts as Start, including the count-in.
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA"])
    #expect(events.heard().faults.isEmpty)
  }

  @Test(
    arguments: [
      (30_000, [24]), (60_000, [7]), (120_000, [24, 23, 7]), (400_000, [24]), (10_000, [24, 1]),
    ] as [(Int64, [Int64])])
  func `a Start soon after a Stop keeps half a period from the last pulse on every route`(
    milliBPM: Int64, divides: [Int64]
  ) throws {
    for policy in ClockPolicy.allCases {
      for wait in [0, 1, 5, 40, 300] as [Int64] {
        var plan = try plan(
          milliBPM, routes: divides.map { Route(divide: $0) } + [Route()], policy: policy)
        var events = plan.take(untilMilliseconds: 2_017)
        #expect(plan.apply(.transport(.stop), at: instant(2_018)) == .applied)
        events += plan.take(untilMilliseconds: 2_018 + wait)
        #expect(plan.apply(.transport(.start), at: instant(2_019 + wait)) == .applied)
        events += plan.take(untilMilliseconds: 9_000)
        for route in 0...divides.count { #expect(events.heard(route).faults.isEmpty) }
        // It also takes no more than 2 s, the limit for waiting until all divisions meet, or half a
        // period of the slowest route.
        let start = try #require(events.times { $0 == .start }.last)
        let longest = max(2_000_000_000, (divides.max() ?? 1) * 1_250_000_000_000 / milliBPM)
        #expect(start <= 2_030_000_000 + wait * 1_000_000 + longest)
      }
    }
  }

  @Test func `a device with a multiplied clock loses no pulse over Stop and Continue`() throws {
    for stop in stride(from: Int64(301), through: 360, by: 7) {
      var plan = try plan(routes: [Route(multiply: 7), Route(divide: 2, multiply: 3)])
      var events = plan.take(untilMilliseconds: stop - 1)
      #expect(plan.apply(.transport(.stop), at: instant(stop)) == .applied)
      events += plan.take(untilMilliseconds: stop + 500)
      #expect(plan.apply(.transport(.continue), at: instant(stop + 501)) == .applied)
      events += plan.take(untilMilliseconds: stop + 3_000)
      for (route, share) in [(0, 168), (1, 36)] as [(Int, Int64)] {
        let heard = events.heard(route)
        #expect(heard.faults.isEmpty)
        #expect(heard.strikes.map(\.pulse) == (0..<Int64(heard.strikes.count)).map { $0 * share })
      }
    }
  }

  @Test func `a stopped count-in before bar 11 leaves the pointer to Continue`() throws {
    var plan = Planner(
      score: Score(pattern: .common, tempo: .standard), routes: [Route(), .observer], startBar: 11,
      countInBars: 1)
    var events = plan.take(untilMilliseconds: -500)
    #expect(plan.apply(.transport(.stop), at: instant(-499)) == .applied)
    events += plan.take(untilMilliseconds: 500)
    #expect(plan.apply(.transport(.continue), at: instant(501)) == .applied)
    events += plan.take(untilMilliseconds: 1_200)
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["F2 20 01", "FB"])
    #expect(events.heard().strikes.last?.pulse == 984)
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a Stop in the count-in ends long notes`() throws {
    var voice = ClickVoice.standard
    voice.gate = .milliseconds(5_000)
    var plan = try plan(
      routes: [Route(voice: voice), Route(offset: .milliseconds(-10), voice: voice)],
      countInBars: 1)
    var events = plan.take(untilMilliseconds: -701)
    #expect(events.heard().sounding.count == 2)
    #expect(plan.apply(.transport(.stop), at: instant(-700)) == .applied)
    events += plan.take(untilMilliseconds: -600)
    for route in 0...1 { #expect(events.heard(route).sounding.isEmpty) }
    #expect(events.messages().filter { $0.hasPrefix("F") }.isEmpty)
  }

  // MARK: Song Position

  @Test func `a position is sent while stopped, and Continue begins exactly there`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.transport(.stop), at: instant(701)) == .applied)
    events += plan.take(untilMilliseconds: 800)
    // F18: the second sixteenth, then bar 23 beat 2 and a sixteenth (F14).
    #expect(plan.apply(.transport(.locate(Tick(480))), at: instant(801)) == .applied)
    #expect(plan.apply(.transport(.locate(Tick(85_680))), at: instant(900)) == .applied)
    events += plan.take(untilMilliseconds: 1_000)
    #expect(plan.apply(.transport(.continue), at: instant(1_001)) == .applied)
    events += plan.take(untilMilliseconds: 2_000)
    #expect(
      events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC", "F2 02 00", "F2 65 02", "FB"])
    #expect(events.heard().faults.isEmpty)
    let told = events.compactMap { event -> String? in
      if case .report(.position(let pointer, let place)) = event.action {
        "\(pointer.midiBeats) \(place)"
      } else {
        nil
      }
    }
    #expect(told == ["2 1|1|480", "357 23|2|240"])
    let beats = events.beats.filter { $0.time > 1_000_000_000 }
    #expect(beats.first?.beat.position == Position(bar: 23, beat: 3))
    #expect(beats.first?.beat.pulse == 2_160)
    #expect(events.heard().strikes.last?.pulse == beats.last?.beat.pulse)
  }

  @Test func `a position in a meter set live is counted in that meter`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.pattern(try pattern("3/4")), at: instant(700)) == .applied)
    events += plan.take(untilMilliseconds: 1_100)
    #expect(plan.apply(.transport(.stop), at: instant(1_101)) == .applied)
    #expect(plan.apply(.transport(.locate(Tick(2 * 2_880 + 960))), at: instant(1_201)) == .applied)
    #expect(plan.apply(.transport(.continue), at: instant(1_301)) == .applied)
    events += plan.take(untilMilliseconds: 3_500)
    let beats = events.beats.filter { $0.time > 1_200_000_000 }.map(\.beat)
    #expect(
      beats.prefix(3).map(\.position.description) == ["3|2|0", "3|3|0", "4|1|0"])
    #expect(String(beats.prefix(3).map(\.accent.letter)) == "xxX")
  }

  @Test(arguments: [Tick(1), Tick(241), Tick(-240), Tick(16_384 * 240)])
  func `a position that no pointer can express is refused`(tick: Tick) throws {
    var plan = try plan()
    _ = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.transport(.stop), at: instant(701)) == .applied)
    #expect(plan.apply(.transport(.locate(tick)), at: instant(801)) == .ignored)
  }

  @Test func `Continue after a move to the top is Start`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.transport(.stop), at: instant(701)) == .applied)
    #expect(plan.apply(.transport(.locate(.zero)), at: instant(801)) == .applied)
    #expect(plan.apply(.transport(.continue), at: instant(901)) == .applied)
    events += plan.take(untilMilliseconds: 1_000)
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC", "F2 00 00", "FA"])
    #expect(events.heard().faults.isEmpty)
  }

  // MARK: Restart

  @Test func `Start while rolling returns to the top on the next beat`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 2_700)
    #expect(plan.apply(.transport(.start), at: instant(2_701)) == .applied)
    events += plan.take(untilMilliseconds: 4_000)
    #expect(events.times { $0 == .stop } == [2_998_000_000])
    #expect(events.times { $0 == .start } == [-1_000_000, 2_999_000_000])
    #expect(events.noteOns().contains(3_000_000_000))
    #expect(events.pulses() == (0...192).map { Oracle.pulse($0, milliBPM: 120_000) })
    let beats = events.beats.filter { $0.time >= 3_000_000_000 }
    #expect(beats.map(\.beat.pulse) == [0, 24, 48])
    #expect(beats.first?.beat.position == Position(bar: 1, beat: 1))
    #expect(events.heard().faults.isEmpty)
    #expect(events.heard().position == 48)
  }

  @Test(arguments: [Int64(2_702), 2_850, 2_990])
  func `a Stop before the beat of a restart revokes it`(milliseconds: Int64) throws {
    var plan = Planner(
      score: Score(pattern: .common, tempo: .standard),
      routes: [Route(), Route(contents: [.clock, .click], divide: 5), .observer])
    var other = plan.copy()
    var events = plan.take(untilMilliseconds: 2_700)
    #expect(plan.apply(.transport(.start), at: instant(2_701)) == .applied)
    events += plan.take(untilMilliseconds: milliseconds - 1)
    #expect(plan.apply(.transport(.stop), at: instant(milliseconds)) == .applied)
    events += plan.take(untilMilliseconds: 6_000)
    // As without the restart.
    var wanted = other.take(untilMilliseconds: milliseconds - 1)
    #expect(other.apply(.transport(.stop), at: instant(milliseconds)) == .applied)
    wanted += other.take(untilMilliseconds: 6_000)
    #expect(events == wanted)
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC"])
    // It continues where it was stopped.
    #expect(plan.apply(.transport(.continue), at: instant(6_001)) == .applied)
    events += plan.take(untilMilliseconds: 7_000)
    #expect(events.heard().faults.isEmpty)
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC", "FB"])
  }

  @Test func `a Stop revokes a restart and the tempo change after it, but the tempo stays set`()
    throws
  {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 2_700)
    #expect(plan.apply(.transport(.start), at: instant(2_701)) == .applied)
    #expect(plan.apply(.tempo(Tempo(clamping: 60_000)), at: instant(2_702)) == .applied)
    #expect(plan.apply(.transport(.stop), at: instant(2_800)) == .applied)
    events += plan.take(untilMilliseconds: 8_000)
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC"])
    let late = events.pulses().suffix(3)
    #expect(zip(late, late.dropFirst()).allSatisfy { abs($1 - $0 - 41_666_667) <= 1 })
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a Stop revokes a Start under way, also a tapped one`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.transport(.stop), at: instant(701)) == .applied)
    events += plan.take(untilMilliseconds: 1_000)
    #expect(plan.apply(.transport(.start), at: instant(1_001)) == .applied)
    #expect(plan.apply(.transport(.stop), at: instant(1_001)) == .applied)
    events += plan.take(untilMilliseconds: 2_000)
    let tapped = PlanChange.startOnBeat(Tempo(clamping: 90_000), at: instant(2_500))
    #expect(plan.apply(tapped, at: instant(2_001)) == .applied)
    events += plan.take(untilMilliseconds: 2_300)
    #expect(plan.apply(.transport(.stop), at: instant(2_301)) == .applied)
    events += plan.take(untilMilliseconds: 4_000)
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC"])
    #expect(events.heard().faults.isEmpty)
    // The clock continues at the tapped tempo.
    let late = events.pulses().suffix(3)
    #expect(zip(late, late.dropFirst()).allSatisfy { abs($1 - $0 - 27_777_778) <= 1 })
  }

  @Test func `a restart includes a pattern that waits for the same beat`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 700)
    #expect(plan.apply(.pattern(try pattern("3/4")), at: instant(700)) == .applied)
    #expect(plan.apply(.transport(.start), at: instant(710)) == .applied)
    events += plan.take(untilMilliseconds: 2_600)
    #expect(events.times { $0 == .start } == [-1_000_000, 999_000_000])
    let beats = events.beats.filter { $0.time >= 1_000_000_000 }.map(\.beat)
    #expect(beats.map(\.position.description) == ["1|1|0", "1|2|0", "1|3|0", "2|1|0"])
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a click in the last two milliseconds before a restart is dropped`() throws {
    // 24 clicks of 6.25 ms at 400 BPM; three of them swung to within 2 ms of the next.
    let dense = try ClickPattern(
      meter: try Meter(text: "1/4"), subdivision: 24, swing: 75_000)
    var plan = Planner(
      score: Score(pattern: dense, tempo: Tempo(clamping: 400_000)), routes: [Route(), .observer])
    var events = plan.take(untilMilliseconds: 100)
    #expect(plan.apply(.transport(.start), at: instant(101)) == .applied)
    events += plan.take(untilMilliseconds: 400)
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA", "FC", "FA"])
    #expect(events.heard().faults.isEmpty)
  }

  // MARK: What means nothing

  @Test func `requests without meaning in a state change nothing`() throws {
    var rolling = try plan()
    _ = rolling.take(untilMilliseconds: 300)
    var same = rolling.copy()
    #expect(rolling.apply(.transport(.continue), at: instant(301)) == .ignored)
    #expect(rolling.apply(.transport(.locate(Tick(960))), at: instant(301)) == .ignored)
    #expect(rolling.take(untilMilliseconds: 2_000) == same.take(untilMilliseconds: 2_000))

    var stopped = try plan()
    _ = stopped.take(untilMilliseconds: 300)
    #expect(stopped.apply(.transport(.stop), at: instant(301)) == .applied)
    var still = stopped.copy()
    #expect(stopped.apply(.transport(.stop), at: instant(401)) == .ignored)
    #expect(stopped.take(untilMilliseconds: 2_000) == still.take(untilMilliseconds: 2_000))

    var armed = try plan(countInBars: 2)
    _ = armed.take(untilMilliseconds: -3_000)
    var counting = armed.copy()
    for request in [.start, .continue, .locate(Tick(960))] as [Transport.Request] {
      #expect(armed.apply(.transport(request), at: instant(-2_999)) == .ignored)
    }
    #expect(armed.take(untilMilliseconds: 2_000) == counting.take(untilMilliseconds: 2_000))
  }

  @Test func `changes beyond the capacity wait, and none is lost`() throws {
    var plan = try plan(routes: [Route(), Route(offset: .milliseconds(500))])
    var events = plan.take(untilMilliseconds: 1_000)
    var applied: Int64 = 0
    while applied < 200 {
      let change = PlanChange.tempo(Tempo(clamping: 100_000 + applied))
      switch plan.apply(change, at: instant(1_001)) {
      case .applied: applied += 1
      case .busy:
        guard let event = plan.next else { break }
        events.append(event)
        plan.advance()
      case .ignored: Issue.record("ignored after \(applied)")
      }
    }
    events += plan.take(untilMilliseconds: 20_000)
    #expect(plan.pace == Pace(Tempo(clamping: 100_199)))
    #expect(events.heard(0).faults.isEmpty)
    #expect(events.heard(1).faults.isEmpty)
  }

  @Test func `after the end of the song nothing can be changed`() throws {
    var plan = Planner(
      score: Score(pattern: .common, tempo: .standard, bars: 1), routes: [Route(), .observer])
    _ = plan.take()
    for change in [.tempo(.standard), .pattern(.common), .transport(.start), .transport(.continue)]
      as [PlanChange]
    {
      #expect(plan.apply(change, at: instant(5_000)) == .ignored)
    }
    #expect(plan.next == nil)
    #expect(plan.isFinished == true)
  }
}
