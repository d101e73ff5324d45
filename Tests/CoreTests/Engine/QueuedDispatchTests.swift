import MIDIClock
import Testing
import TestSupport

@testable import MetronomeCore

struct QueuedDispatchTests {
  private static let timer = HostTime.Span.microseconds(160)
  private static let early = HostTime.Span.microseconds(80)

  private func plan(
    _ milliBPM: Int64 = 120_000, routes: [Route] = [Route()], bars: Int64? = nil
  ) -> Planner {
    Planner(
      score: Score(pattern: .common, tempo: Tempo(clamping: milliBPM), bars: bars),
      routes: routes + [.observer])
  }

  private func stage(
    _ milliBPM: Int64 = 120_000, routes: [Route] = [Route()], bars: Int64? = nil,
    stalls: [Range<Int64>] = [], localRoutes: UInt16 = 0
  ) -> EngineSimulator<QueuedDispatch> {
    let now = HostTime(nanoseconds: -700_000_000)
    var stage = EngineSimulator(
      QueuedDispatch(
        plan(milliBPM, routes: routes, bars: bars), now: now, timerPeriod: Self.timer,
        localRoutes: localRoutes), now: now)
    stage.stalls = stalls
    return stage
  }

  /// The stamp of a planned event if nothing is late: half a timer period early, for a Start one
  /// and a half, so that its pulse still follows by 1 ms.
  private func stamp(_ event: PlannedEvent) -> HostTime {
    let lead = event.isStart ? HostTime.Span.microseconds(240) : Self.early
    return event.time - lead
  }

  private func planned(_ plan: consuming Planner) -> [(event: PlannedEvent, time: HostTime)] {
    var events: [(event: PlannedEvent, time: HostTime)] = []
    while events.count < 100_000, let event = plan.next {
      if case .send = event.action { events.append((event, stamp(event))) }
      plan.advance()
    }
    return events
  }

  // MARK: The plan

  @Test func `events are scheduled as planned, half a timer period early`() {
    let routes = [Route(), Route(offset: .milliseconds(-10), divide: 3), Route(multiply: 7)]
    var stage = stage(routes: routes, bars: 3)
    stage.lead(untilMilliseconds: 60_000)
    let left = stage.deeds.left
    let wanted = planned(plan(routes: routes, bars: 3))
    #expect(left.count == wanted.count)
    #expect(zip(left, wanted).allSatisfy { $0.event == $1.event && $0.time == $1.time })
    #expect(stage.deeds.isFinished)
    #expect(stage.deeds.postponements.isEmpty)
  }

  @Test func `events are scheduled 80 to 110 ms ahead`() {
    var stage = stage(bars: 4)
    stage.lead(untilMilliseconds: 60_000)
    for case .scheduled(let event, _, let now) in stage.deeds {
      let ahead = (event.time - now).nanoseconds
      #expect(ahead <= 110_000_000)
      #expect(ahead >= 80_000_000)
    }
  }

  @Test func `it finishes when the last event has left, not when it was scheduled`() {
    var stage = stage(bars: 1)
    stage.lead(untilMilliseconds: 60_000)
    let end = HostTime(nanoseconds: 2_000_000_000)
    guard case .finished(let time) = stage.deeds.last else {
      Issue.record("it did not finish")
      return
    }
    #expect(time >= end)
    #expect(time - end <= .milliseconds(1))
  }

  @Test func `reports are performed when due, not ahead`() {
    var stage = stage(bars: 2)
    stage.lead(untilMilliseconds: 60_000)
    for case .performed(let event, let time) in stage.deeds { #expect(event.time == time) }
    #expect(stage.deeds.beats.map(\.pulse) == (0..<8).map { $0 * 24 })
  }

  @Test func `a local route is performed when due, the others by the queue`() {
    let click = Route(contents: .click)
    var stage = stage(routes: [Route(), click], bars: 2, localRoutes: 1 << 1)
    stage.lead(untilMilliseconds: 60_000)
    for deed in stage.deeds {
      switch deed {
      case .performed(let event, let time):
        #expect(event.route != 0)
        #expect(event.time == time)
      case .scheduled(let event, _, _): #expect(event.route == 0)
      default: break
      }
    }
    #expect(stage.deeds.messages(1).count == 16)
    #expect(ConformanceChecker(stage.deeds, route: 1).faults.isEmpty)
  }

  // MARK: Stalls

  @Test func `late messages of a local route keep their planned time`() throws {
    // Sixteenths, 125 ms apart; a stall of 400 ms makes some of them late.
    var click = Route(contents: .click)
    click.offset = .milliseconds(-32)
    let planner = try Planner(
      score: Score(
        pattern: ClickPattern(meter: Meter(text: "4/4"), subdivision: 4),
        tempo: Tempo(clamping: 120_000),
        bars: 2),
      routes: [Route(), click, .observer])
    var wanted: [HostTime] = []
    var copy = planner.copy()
    while let event = copy.next {
      if event.route == 1 { wanted.append(event.time) }
      copy.advance()
    }
    let now = HostTime(nanoseconds: -700_000_000)
    var stage = EngineSimulator(
      QueuedDispatch(planner, now: now, timerPeriod: Self.timer, localRoutes: 1 << 1), now: now)
    stage.stalls = [1_010_000_000..<1_410_000_000]
    stage.lead(untilMilliseconds: 60_000)
    var performed: [HostTime] = []
    for case .performed(let event, _) in stage.deeds where event.route == 1 {
      performed.append(event.time)
    }
    #expect(performed == wanted)
  }

  @Test func `a stall of 60 ms changes no stamp`() {
    var calm = stage(bars: 4)
    calm.lead(untilMilliseconds: 60_000)
    for start in stride(from: Int64(-100_000_000), through: 2_100_000_000, by: 37_000_000) {
      var held = stage(bars: 4, stalls: [start..<start + 60_000_000])
      held.lead(untilMilliseconds: 60_000)
      let (left, wanted) = (held.deeds.left, calm.deeds.left)
      #expect(left.count == wanted.count)
      #expect(zip(left, wanted).allSatisfy { $0.event == $1.event && $0.time == $1.time })
      #expect(held.deeds.told == calm.deeds.told)
    }
  }

  @Test func `a stall of half a second loses no pulse and makes none come too close`() {
    for length in stride(from: Int64(90), through: 590, by: 50) {
      let end = 1_010_000_000 + length * 1_000_000
      var stage = stage(stalls: [1_010_000_000..<end])
      stage.lead(untilMilliseconds: 5_000)
      let pulses = stage.deeds.pulses()
      let witness = ConformanceChecker(stage.deeds)
      #expect(witness.faults.isEmpty)
      #expect(witness.count == pulses.count)
      #expect(stage.deeds.postponements.isEmpty)
      // Back on the grid, and no pulse missing.
      #expect(
        pulses.filter { $0 > 3_000_000_000 }.allSatisfy { time in
          pulses.firstIndex(of: time).map { due($0) - 80_000 == time } ?? false
        })
      #expect(
        stage.deeds.beats.map(\.pulse) == (0..<Int64(stage.deeds.beats.count)).map { $0 * 24 })
    }
  }

  @Test func `late pulses stay half a period apart on the timer's grid, whatever its phase`() {
    for milliBPM in [61_700, 120_000, 133_700, 399_000] as [Int64] {
      var stage = stage(milliBPM, stalls: [1_010_000_000..<1_310_000_000])
      stage.lead(untilMilliseconds: 4_000)
      let half = 1_250_000_000_000 / milliBPM
      for phase in stride(from: Int64(0), to: 160_000, by: 1_000) {
        // The kernel delivers at its timer's first period not before the stamp.
        let delivered = stage.deeds.pulses().map {
          ($0 - 80_000 + phase + 159_999) / 160_000 * 160_000
        }
        #expect(zip(delivered, delivered.dropFirst()).allSatisfy { $1 - $0 >= half })
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `after a stall of a day it continues at once`() {
    let end: Int64 = 86_400_000_000_000
    var stage = stage(stalls: [1_010_000_000..<end])
    stage.lead(until: HostTime(nanoseconds: end + 1_000_000_000))
    #expect(stage.deeds.postponements.count == 1)
    #expect(stage.deeds.pulses().count { end < $0 } >= 47)
    #expect(ConformanceChecker(stage.deeds).faults.isEmpty)
  }

  @Test(
    arguments: [(5_000, 120_000), (30_000, 120_000), (30_000, 61_700), (5_000, 399_000)]
      as [(Int64, UInt64)])
  func `F111 after a long stall it continues without a burst, on the same pulse grid`(
    milliseconds: Int64, milliBPM: UInt64
  ) throws {
    let end = 2_010_000_000 + milliseconds * 1_000_000
    var stage = stage(Int64(milliBPM), stalls: [2_010_000_000..<end])
    stage.lead(until: HostTime(nanoseconds: end + 5_000_000_000))
    let pulses = stage.deeds.pulses()
    // Up to 100 ms of events scheduled ahead were still on time.
    let before = pulses.count { $0 < end - 1_000_000 }
    #expect(pulses.prefix(before).enumerated().allSatisfy { $1 == due($0, milliBPM) - 80_000 })
    #expect(stage.deeds.postponements.count == 1)
    let after = pulses.dropFirst(before)
    let first = try #require(after.first)
    // The first pulse may have to leave at once, as if half a timer period had passed.
    #expect(first - end <= due(1, milliBPM))
    for (pulse, next) in zip(after.dropFirst(), after.dropFirst(2)) {
      #expect(abs(next - pulse - due(1, milliBPM)) <= 1)
    }
    let second = try #require(after.dropFirst().first)
    let shift = second + 80_000 - due(before + 1, milliBPM)
    let periods = (Double(shift) * Double(milliBPM) / 2.5e12).rounded()
    #expect(abs(shift - due(Int(periods), milliBPM)) <= 2)
    let witness = ConformanceChecker(stage.deeds)
    #expect(witness.faults.isEmpty)
    #expect(witness.count == pulses.count)
    #expect(stage.deeds.beats.map(\.pulse) == (0..<Int64(stage.deeds.beats.count)).map { $0 * 24 })
  }

  // MARK: Changes

  @Test(
    arguments: [
      .tempo(Tempo(clamping: 240_000)), .tempo(Tempo(clamping: 31_000)), .transport(.stop),
      .transport(.start), .pattern(ClickPattern(plain: Meter.choice[5])),
    ] as [PlanChange])
  func `a change cancels exactly what is later, and the result is the plan with that change`(
    change: PlanChange
  ) throws {
    let routes = [Route(), Route(offset: .milliseconds(-10)), Route(offset: .milliseconds(25))]
    for milliseconds in stride(from: Int64(50), through: 1_100, by: 57) {
      var stage = stage(routes: routes)
      stage.lead(untilMilliseconds: milliseconds)
      #expect(stage.dispatch.apply(change, now: stage.now) == .applied)
      stage.lead(untilMilliseconds: milliseconds + 3_000)
      var cancels: [HostTime] = []
      for case .cancelled(let after, let now) in stage.deeds {
        // What is about to leave cannot be cancelled, but little more than that stays: a window of
        // 10 ms.
        let margin = (after - now).nanoseconds
        #expect(margin >= 3_000_000)
        #expect(margin <= 14_000_000)
        cancels.append(after)
      }
      #expect(cancels.count == 1)
      let start = try #require(cancels.first) + Self.early + HostTime.Span(nanoseconds: 1)
      // The same change at the same instant in an independent plan.
      var plan = plan(routes: routes)
      var wanted: [(event: PlannedEvent, time: HostTime)] = []
      func take(_ plan: inout Planner, _ end: HostTime) {
        while let event = plan.next, event.time < end {
          if case .send = event.action { wanted.append((event, stamp(event))) }
          plan.advance()
        }
      }
      take(&plan, start)
      #expect(plan.apply(change, at: start + plan.earliness) == .applied)
      take(&plan, HostTime(nanoseconds: (milliseconds + 3_000) * 1_000_000))
      let left = stage.deeds.left
      #expect(left.count >= wanted.count)
      guard zip(left, wanted).allSatisfy({ $0.event == $1.event && $0.time == $1.time }) else {
        Issue.record("after a change at \(milliseconds) ms something else left")
        return
      }
      for route in 0..<3 { #expect(ConformanceChecker(stage.deeds, route: route).faults.isEmpty) }
    }
  }

  @Test func `a change between late pulses is applied, wherever the stall ended`() {
    for end in stride(from: Int64(1_300), through: 1_320, by: 1) {
      var stage = stage()
      stage.lead(untilMilliseconds: 1_000)
      stage.wake(at: .zero + .milliseconds(end))
      var isLate = false
      while !isLate {
        if case .schedule = stage.dispatch.step(now: stage.now) { isLate = true }
      }
      #expect(stage.dispatch.apply(.transport(.stop), now: stage.now) == .applied)
      stage.lead(untilMilliseconds: 3_000)
      #expect(stage.deeds.messages().filter { $0.hasSuffix("FC") }.count == 1)
    }
  }

  @Test func `cancelled reports are not performed`() {
    var stage = stage()
    // Beat 3 at 1.0 s is scheduled by 920 ms; the change at 930 ms makes it later.
    stage.lead(untilMilliseconds: 930)
    #expect(stage.dispatch.apply(.tempo(Tempo(clamping: 10_000)), now: stage.now) == .applied)
    stage.lead(untilMilliseconds: 5_000)
    #expect(stage.deeds.beats.map(\.pulse) == [0, 24, 48])
    for case .performed(let event, let time) in stage.deeds { #expect(event.time == time) }
    let third = stage.deeds.left.filter {
      if case .send(.noteOn) = $0.event.action { true } else { false }
    }
    #expect(third.count == 3)
    #expect(third[2].time > HostTime(nanoseconds: 1_500_000_000))
  }

  @Test func `a second change cancels only later effects of the first`() {
    var stage = stage()
    stage.lead(untilMilliseconds: 500)
    #expect(stage.dispatch.apply(.tempo(Tempo(clamping: 240_000)), now: stage.now) == .applied)
    #expect(stage.dispatch.apply(.tempo(Tempo(clamping: 60_000)), now: stage.now) == .applied)
    stage.lead(untilMilliseconds: 530)
    #expect(stage.dispatch.apply(.transport(.stop), now: stage.now) == .applied)
    stage.lead(untilMilliseconds: 2_000)
    #expect(stage.deeds.messages().last.map { $0.hasSuffix("FC") } == true)
    let witness = ConformanceChecker(stage.deeds)
    #expect(witness.faults.isEmpty)
    #expect(!witness.isRolling)
    let told = stage.deeds.told.filter { if case .tempo = $0 { true } else { false } }
    #expect(
      told == [.tempo(Tempo(clamping: 240_000)), .tempo(Tempo(clamping: 60_000))]
        || told == [.tempo(Tempo(clamping: 60_000))])
  }

  @Test(arguments: 0..<10)
  func `forty random performances with changes and stalls conform`(group: Int) {
    for seed in group * 40..<(group + 1) * 40 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let routes = [
        Route(), Route(offset: .milliseconds(-10)), Route(offset: .milliseconds(25), divide: 6),
        Route(contents: .click),
      ]
      var stage = stage(
        Int64.random(in: 40_000...300_000, using: &generator), routes: routes,
        localRoutes: 1 << 3)
      for _ in 0..<12 {
        if Int.random(in: 0..<3, using: &generator) == 0 {
          let start = stage.now.nanoseconds + 1
          let length = [60, 200, 900, 4_000].randomElement(using: &generator) ?? 60
          stage.stalls = [start..<start + Int64(length) * 1_000_000]
        }
        let wait = Int64.random(in: 0...500_000_000, using: &generator)
        stage.lead(until: stage.now + HostTime.Span(nanoseconds: wait))
        let changes: [PlanChange] = [
          .tempo(Tempo(clamping: Int64.random(in: 40_000...300_000, using: &generator))),
          .transport(.stop), .transport(.continue), .transport(.start),
          .transport(.locate(Tick(3_840))), .pattern(ClickPattern(plain: Meter.choice[2])),
        ]
        if let change = changes.randomElement(using: &generator) {
          _ = stage.dispatch.apply(change, now: stage.now)
        }
      }
      stage.dispatch.halt(now: stage.now)
      stage.lead(until: stage.now + .seconds(10))
      #expect(stage.deeds.isFinished)
      for route in 0..<4 {
        let witness = ConformanceChecker(stage.deeds, route: route)
        guard witness.faults.isEmpty, witness.sounding.isEmpty, !witness.isRolling else {
          Issue.record("seed \(seed), route \(route): \(witness)")
          return
        }
      }
    }
  }

  @Test(arguments: 0..<10)
  func `jumping offsets neither bunch pulses nor affect the other routes`(group: Int) {
    for seed in group * 20..<(group + 1) * 20 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let milliBPM = Int64.random(in: 40_000...300_000, using: &generator)
      let routes = [Route(offset: .milliseconds(-40)), Route(), Route(contents: .click)]
      var stage = stage(milliBPM, routes: routes)
      stage.leapOffsets(ofRoute: 1, using: &generator)
      #expect(stage.deeds.postponements.isEmpty)
      let pulses = stage.deeds.pulses()
      // A Start beside another route's message may leave within a timer period of it, and so may
      // its pulse.
      let isKept = pulses.enumerated().allSatisfy {
        abs($1 + 40_080_000 - due($0, UInt64(milliBPM))) <= ($0 == 0 ? 160_000 : 0)
      }
      #expect(isKept)
      for route in 0..<3 {
        let witness = ConformanceChecker(stage.deeds, route: route)
        guard witness.faults.isEmpty else {
          Issue.record("seed \(seed), route \(route): \(witness)")
          return
        }
      }
    }
  }

  // MARK: Halting

  @Test func `a halt cancels waiting events, ends notes, stops, and finishes within 20 ms`() {
    for milliseconds in stride(from: Int64(-200), through: 1_100, by: 13) {
      var stage = stage(routes: [Route(), Route(offset: .milliseconds(-10))])
      stage.lead(untilMilliseconds: milliseconds)
      stage.dispatch.halt(now: stage.now)
      stage.lead(untilMilliseconds: milliseconds + 5_000)
      guard case .finished(let time) = stage.deeds.last else {
        Issue.record("halted at \(milliseconds) ms it did not finish")
        return
      }
      #expect(time - (.zero + .milliseconds(milliseconds)) <= .milliseconds(20))
      for route in 0..<2 {
        let witness = ConformanceChecker(stage.deeds, route: route)
        #expect(witness.faults.isEmpty)
        #expect(witness.sounding.isEmpty)
        #expect(!witness.isRolling)
      }
    }
  }

  @Test func `a rehearsal does not affect the original`() {
    var stage = stage(bars: 1)
    stage.lead(untilMilliseconds: 700)
    var rehearsal = EngineSimulator<QueuedDispatch>(stage.dispatch.rehearsal(), now: stage.now)
    rehearsal.lead(untilMilliseconds: 10_000)
    #expect(rehearsal.deeds.isFinished)
    stage.lead(untilMilliseconds: 10_000)
    let wanted = planned(plan(bars: 1))
    #expect(stage.deeds.left.count == wanted.count)
    #expect(zip(stage.deeds.left, wanted).allSatisfy { $0.event == $1.event && $0.time == $1.time })
  }
}
