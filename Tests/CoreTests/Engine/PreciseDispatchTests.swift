import MIDIClock
import Testing
import TestSupport

@testable import MetronomeCore

struct PreciseDispatchTests {
  private func stage(
    _ milliBPM: Int64 = 120_000, routes: [Route] = [Route()], bars: Int64? = nil,
    stalls: [Range<Int64>] = []
  ) -> EngineSimulator<PreciseDispatch> {
    let score = Score(pattern: .common, tempo: Tempo(clamping: milliBPM), bars: bars)
    var stage = EngineSimulator(
      PreciseDispatch(Planner(score: score, routes: routes + [.observer])),
      now: HostTime(nanoseconds: -600_000_000))
    stage.stalls = stalls
    return stage
  }

  @Test func `each event leaves on time, Start a tenth of a millisecond early`() {
    let routes = [Route(), Route(offset: .milliseconds(-10), divide: 3), Route(multiply: 7)]
    var stage = stage(routes: routes, bars: 3)
    stage.lead(untilMilliseconds: 60_000)
    var plan = Planner(
      score: Score(pattern: .common, tempo: .standard, bars: 3), routes: routes + [.observer])
    var wanted: [SimulatedAction] = []
    while let event = plan.next {
      let isStart = event.isStart
      wanted.append(
        .performed(event, at: isStart ? event.time - .microseconds(100) : event.time))
      plan.advance()
    }
    wanted.append(.finished(at: wanted.isEmpty ? .zero : HostTime(nanoseconds: 6_000_000_000)))
    #expect(stage.deeds == wanted)
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
      let isKept = stage.deeds.pulses().enumerated().allSatisfy {
        $1 + 40_000_000 == due($0, UInt64(milliBPM))
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

  // F48, by the rule that no two pulses may be closer than half a period.
  @Test func `F48 after a stall of 30 ms the late pulses leave spaced until back on the grid`() {
    // Pulse 10 is due at 208.333 ms; the thread is stalled until 238.333 ms.
    var stage = stage(stalls: [208_000_000..<238_333_333])
    stage.lead(untilMilliseconds: 10_000)
    let pulses = stage.deeds.pulses()
    let half: Int64 = 10_416_666
    #expect(pulses[9] == due(9))
    #expect(pulses[10] == 238_333_333)
    #expect(pulses[11] == 238_333_333 + half)
    #expect(pulses[12] == 238_333_333 + 2 * half)
    // Due at 270.833 ms, more than half a period after 259.166 ms.
    #expect(pulses[13] == due(13))
    // Ten seconds contain 480 pulses, plus the one that begins the next.
    #expect(pulses.count == 481)
    #expect(pulses.dropFirst(13).enumerated().allSatisfy { $1 == due($0 + 13) })
    #expect(stage.deeds.postponements.isEmpty)
    #expect(ConformanceChecker(stage.deeds).faults.isEmpty)
  }

  @Test func `after a stall of 0_4 s the pulses catch up one by one, half a period apart`() {
    var stage = stage(stalls: [1_010_000_000..<1_410_000_000])
    stage.lead(untilMilliseconds: 5_000)
    let pulses = stage.deeds.pulses()
    #expect(stage.deeds.postponements.isEmpty)
    #expect(pulses.count == 241)
    // Pulse 49 was due at 1020.8 ms. It leaves at 1410, and each later one catches up by half a
    // period.
    let late = pulses.enumerated().filter { $1 != due($0) }
    #expect(late.first?.offset == 49)
    #expect(late.count == 38)
    #expect(late.enumerated().allSatisfy { $1.element == 1_410_000_000 + Int64($0) * 10_416_666 })
    #expect(ConformanceChecker(stage.deeds).faults.isEmpty)
  }

  @Test(
    arguments: [
      (5_000, 120_000), (30_000, 120_000), (30_000, 61_700), (5_000, 399_000), (7_777, 30_000),
      (86_400_000, 120_000),
    ] as [(Int64, UInt64)])
  func `F111 after a long stall it continues without a burst, on the same pulse grid`(
    milliseconds: Int64, milliBPM: UInt64
  ) throws {
    let end = 2_010_000_000 + milliseconds * 1_000_000
    var stage = stage(Int64(milliBPM), stalls: [2_010_000_000..<end])
    stage.lead(until: HostTime(nanoseconds: end + 5_000_000_000))
    let pulses = stage.deeds.pulses()
    let before = pulses.count { $0 < 2_010_000_000 }
    let after = pulses.filter { $0 >= end }
    #expect(stage.deeds.postponements.count == 1)
    // The next pulse within one period, all others one period after the last: no burst.
    let first = try #require(after.first)
    #expect(first - end <= due(1, milliBPM))
    for (pulse, next) in zip(after, after.dropFirst()) {
      #expect(abs(next - pulse - due(1, milliBPM)) <= 1)
    }
    // On the same grid: a whole number of pulses later than planned, to a few nanoseconds.
    let shift = first - due(before, milliBPM)
    let periods = (Double(shift) * Double(milliBPM) / 2.5e12).rounded()
    #expect(abs(shift - due(Int(periods), milliBPM)) <= 2)
    // The count is unbroken: beats still fall on every 24th pulse sent.
    let witness = ConformanceChecker(stage.deeds)
    #expect(witness.faults.isEmpty)
    #expect(witness.count == pulses.count)
    #expect(stage.deeds.beats.map(\.pulse) == (0..<Int64(stage.deeds.beats.count)).map { $0 * 24 })
    #expect(stage.deeds.beats.count == (pulses.count + 23) / 24)
  }

  @Test func `F111 no stall makes more than 24 pulses leave closer than the grid`() {
    for milliseconds in stride(from: Int64(50), through: 2_000, by: 130) {
      for milliBPM in [40_000, 120_000, 300_000] as [UInt64] {
        let end = 2_010_000_000 + milliseconds * 1_000_000
        var stage = stage(Int64(milliBPM), stalls: [2_010_000_000..<end])
        stage.lead(until: HostTime(nanoseconds: end + 5_000_000_000))
        let pulses = stage.deeds.pulses().filter { $0 >= end - due(1, milliBPM) }
        let period = due(1, milliBPM)
        let hurried = zip(pulses, pulses.dropFirst()).count { $1 - $0 < period - 2 }
        // Each catches up by half a period, so 24 late pulses need 48 to get back on the grid.
        #expect(hurried <= 48)
        let late = stage.deeds.left.count {
          $0.event.isPulse && $0.event.time < end.host && $0.time >= end.host
        }
        #expect(late <= 24)
        #expect(ConformanceChecker(stage.deeds).faults.isEmpty)
      }
    }
  }

  @Test func `a note sounding when a stall begins ends first when it is over`() {
    // The click of beat 5 at 2.0 s sounds until 2.04 s.
    var stage = stage(stalls: [2_005_000_000..<32_000_000_000])
    stage.lead(untilMilliseconds: 33_000)
    let after = stage.deeds.left.filter { $0.time.nanoseconds >= 32_000_000_000 }
    #expect(after.first?.event.isNoteOff == true)
    #expect(after.first?.time == HostTime(nanoseconds: 32_000_000_000))
    #expect(ConformanceChecker(stage.deeds).faults.isEmpty)
  }

  @Test func `a late Start keeps its distance from the pulse`() {
    var stage = stage(stalls: [-5_000_000..<3_000_000])
    stage.lead(untilMilliseconds: 500)
    #expect(stage.deeds.messages().first == "3000000 FA")
    #expect(stage.deeds.pulses().first == 4_050_000)
    #expect(ConformanceChecker(stage.deeds).faults.isEmpty)
  }

  @Test func `a change takes effect at once, or later by the lead of a route that runs ahead`()
    throws
  {
    for offset in [0, -10, 25] as [Int64] {
      var stage = stage(routes: [Route(offset: .milliseconds(offset)), Route()])
      stage.lead(untilMilliseconds: 1_234)
      #expect(stage.dispatch.apply(.tempo(Tempo(clamping: 240_000)), now: stage.now) == .applied)
      stage.lead(untilMilliseconds: 4_000)
      var plan = Planner(
        score: Score(pattern: .common, tempo: .standard),
        routes: [Route(offset: .milliseconds(offset)), Route(), .observer])
      var wanted: [PlannedEvent] = []
      let change = HostTime(nanoseconds: 1_234_000_000)
      while let event = plan.next, event.time <= change {
        wanted.append(event)
        plan.advance()
      }
      let instant = change + .milliseconds(max(0, -offset))
      #expect(plan.apply(.tempo(Tempo(clamping: 240_000)), at: instant) == .applied)
      while let event = plan.next, event.time <= HostTime(nanoseconds: 4_000_000_000) {
        wanted.append(event)
        plan.advance()
      }
      let done = stage.deeds.compactMap { deed -> PlannedEvent? in
        if case .performed(let event, _) = deed { event } else { nil }
      }
      #expect(done == wanted)
      #expect(ConformanceChecker(stage.deeds, route: 0).faults.isEmpty)
    }
  }

  @Test func `a change at the end of a stall is made after the postponement`() {
    var stage = stage(stalls: [2_010_000_000..<12_010_000_000])
    stage.lead(untilMilliseconds: 2_005)
    stage.lead(untilMilliseconds: 2_009)
    // Asleep from 2.010 to 12.010 s; the change comes first afterwards.
    stage.stalls = []
    let woken = HostTime(nanoseconds: 12_010_000_000)
    #expect(stage.dispatch.apply(.transport(.stop), now: woken) == .applied)
    stage.wake(at: woken)
    stage.lead(untilMilliseconds: 12_500)
    let stop = stage.deeds.messages().last
    #expect(stop.map { $0.hasSuffix("FC") } == true)
    let time = stage.deeds.left.last { !$0.event.isPulse }?.time.nanoseconds ?? 0
    #expect(time - woken.nanoseconds < 21_000_000)
    #expect(ConformanceChecker(stage.deeds).faults.isEmpty)
  }

  @Test func `a halt ends sounding notes at once, then stops, and nothing follows`() {
    for milliseconds in [-5, 0, 10, 39, 41, 505, 1_999] as [Int64] {
      let routes = [Route(), Route(offset: .milliseconds(-10)), Route(offset: .milliseconds(25))]
      var stage = stage(routes: routes)
      stage.lead(untilMilliseconds: milliseconds)
      let before = stage.deeds.count
      stage.dispatch.halt(now: stage.now)
      stage.lead(untilMilliseconds: milliseconds + 5_000)
      #expect(stage.deeds.isFinished)
      #expect(stage.deeds.last == .finished(at: stage.now))
      #expect(stage.now == HostTime.zero + .milliseconds(milliseconds))
      for route in 0..<3 {
        let witness = ConformanceChecker(stage.deeds, route: route)
        #expect(witness.faults.isEmpty)
        #expect(witness.sounding.isEmpty)
        #expect(!witness.isRolling)
      }
      #expect(
        stage.deeds.dropFirst(before).allSatisfy { deed in
          if case .performed(let event, _) = deed { !event.isPulse } else { true }
        })
    }
  }

  @Test func `a rehearsal does not affect the original`() {
    var stage = stage(bars: 1)
    stage.lead(untilMilliseconds: 700)
    var rehearsal = EngineSimulator<PreciseDispatch>(stage.dispatch.rehearsal(), now: stage.now)
    rehearsal.lead(untilMilliseconds: 10_000)
    #expect(rehearsal.deeds.isFinished)
    stage.lead(untilMilliseconds: 10_000)
    #expect(stage.deeds.pulses().count == 96)
    #expect(stage.deeds.pulses().last == due(95))
  }

  @Test func `stopped without a clock, it waits for a change only`() {
    let score = Score(pattern: .common, tempo: .standard)
    var stage = EngineSimulator(
      PreciseDispatch(Planner(score: score, routes: [Route()], policy: .rolling)),
      now: HostTime(nanoseconds: -600_000_000))
    stage.lead(untilMilliseconds: 300)
    #expect(stage.dispatch.apply(.transport(.stop), now: stage.now) == .applied)
    stage.lead(untilMilliseconds: 400)
    #expect(stage.dispatch.step(now: stage.now) == .wait(until: .distantFuture))
  }
}

extension Int64 {
  /// An instant this many nanoseconds after zero.
  fileprivate var host: HostTime { HostTime(nanoseconds: self) }
}
