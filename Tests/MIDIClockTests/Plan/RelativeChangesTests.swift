import Testing

@testable import MIDIClock

/// Resolution of relative changes in the plan, and the resulting snapshots.
struct RelativeChangesTests {
  private func plan(
    routes: [Route] = [Route()], policy: ClockPolicy = .always, countInBars: Int64 = 0,
    startBar: Int64 = 1, waits: Bool = false
  ) -> Planner {
    Planner(
      score: Score(pattern: .common, tempo: .standard), routes: routes + [.observer],
      policy: policy, startBar: startBar, countInBars: countInBars, waits: waits)
  }

  private func instant(_ milliseconds: Int64) -> HostTime { .zero + .milliseconds(milliseconds) }

  @Test func `toggle stops and continues, and two in a row cancel out`() {
    var plan = plan()
    var events = plan.take(untilMilliseconds: 1_100)
    #expect(plan.apply(.toggle, at: instant(1_100)) == .applied)
    #expect(plan.planned.transport == .stopped)
    events += plan.take(untilMilliseconds: 1_500)
    #expect(plan.apply(.toggle, at: instant(1_500)) == .applied)
    #expect(plan.planned.transport == .rolling)
    events += plan.take(untilMilliseconds: 2_500)
    #expect(plan.apply(.toggle, at: instant(2_500)) == .applied)
    #expect(plan.apply(.toggle, at: instant(2_500)) == .applied)
    events += plan.take(untilMilliseconds: 3_500)
    #expect(
      events.messages().filter { ["FA", "FB", "FC"].contains($0) }
        == ["FA", "FC", "FB", "FC", "FB"])
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `toggle ends a count-in without a report`() {
    var plan = plan(countInBars: 1)
    let start = plan.next?.time ?? .zero
    var events = plan.take(until: start + .milliseconds(700))
    #expect(plan.planned.transport == .armed)
    #expect(plan.apply(.toggle, at: start + .milliseconds(700)) == .applied)
    events += plan.take(until: start + .seconds(4))
    #expect(!events.messages().contains("FA"))
    var snapshot = PlanSnapshot(
      plan.planned, performed: PlanSnapshot.Performed(before: plan.planned))
    for case .report(let report) in events.map(\.action) {
      snapshot.performed.take(report, at: .zero, pattern: .common)
    }
    #expect(snapshot.performed.transport == .armed)
    #expect(snapshot.transport == .stopped)
  }

  @Test func `stop to the top stops, and toggle then begins with bar 1`() {
    var plan = plan()
    var events = plan.take(untilMilliseconds: 3_100)
    #expect(plan.apply(.stopToTop, at: instant(3_100)) == .applied)
    #expect(plan.planned.resume == .zero)
    events += plan.take(untilMilliseconds: 4_000)
    #expect(plan.apply(.toggle, at: instant(4_000)) == .applied)
    events += plan.take(untilMilliseconds: 6_000)
    #expect(
      events.messages().filter { !$0.hasPrefix("9") && !$0.hasPrefix("8") }
        == ["FA", "FC", "F2 00 00", "FA"])
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `toggle begins at the start position`() {
    var plan = plan(startBar: 5, waits: true)
    #expect(plan.apply(.toggle, at: instant(100)) == .applied)
    let events = plan.take(untilMilliseconds: 2_000)
    #expect(events.beats.first?.beat.position == Position(bar: 5, beat: 1))
  }

  @Test func `tempo steps add up and stay within the range`() {
    var plan = plan()
    _ = plan.take(untilMilliseconds: 1_100)
    for _ in 0..<3 { #expect(plan.apply(.tempoStep(1_500), at: instant(1_100)) == .applied) }
    #expect(plan.planned.tempo.milliBPM == 124_500)
    #expect(plan.apply(.tempoStep(Int64.max), at: instant(1_100)) == .applied)
    #expect(plan.planned.tempo.milliBPM == 400_000)
    #expect(plan.apply(.tempoStep(1), at: instant(1_100)) == .ignored)
    #expect(plan.apply(.tempoStep(Int64.min), at: instant(1_100)) == .applied)
    #expect(plan.planned.tempo.milliBPM == 10_000)
  }

  @Test(arguments: ClockPolicy.allCases)
  func `the clock turns off and returns to the previous policy`(policy: ClockPolicy) {
    var plan = plan(policy: policy)
    _ = plan.take(untilMilliseconds: 1_100)
    if !policy.isOff { #expect(plan.apply(.togglePolicy, at: instant(1_100)) == .applied) }
    #expect(plan.planned.policy == .off)
    #expect(plan.apply(.togglePolicy, at: instant(1_100)) == .applied)
    #expect(plan.planned.policy == (policy == .off ? .always : policy))
    _ = plan.apply(.policy(.rolling), at: instant(1_100))
    _ = plan.apply(.togglePolicy, at: instant(1_100))
    _ = plan.apply(.togglePolicy, at: instant(1_100))
    #expect(plan.planned.policy == .rolling)
  }

  @Test func `muting and offsets affect only the given route`() {
    let late = HostTime.Span.milliseconds(30)
    var plan = plan(routes: [Route(isMuted: true), Route(offset: late)])
    #expect(plan.planned.isMuted(0))
    for route in 0...1 {
      #expect(plan.apply(.toggleMute(route: route), at: .zero) == .applied)
    }
    #expect(!plan.planned.isMuted(0))
    #expect(plan.planned.isMuted(1))
    #expect(
      plan.apply(.offsetStep(route: 1, .milliseconds(-20), base: late), at: .zero) == .applied)
    #expect(plan.planned.offsets[1] == .milliseconds(10))
    #expect(plan.apply(.offsetStep(route: 1, .seconds(9), base: late), at: .zero) == .applied)
    #expect(plan.planned.offsets[1] == .milliseconds(530))
    #expect(plan.apply(.offsetStep(route: 1, .milliseconds(1), base: late), at: .zero) == .ignored)
    #expect(plan.apply(.offsetStep(route: 0, .seconds(-9)), at: .zero) == .applied)
    #expect(plan.planned.offsets[0] == .milliseconds(-500))
    #expect(plan.earliness == .milliseconds(500))
    for route in [-1, 3, 16] {
      #expect(plan.apply(.toggleMute(route: route), at: .zero) == .ignored)
      #expect(plan.apply(.offsetStep(route: route, .seconds(1)), at: .zero) == .ignored)
    }
  }

  @Test func `edits before the next beat add up`() {
    var plan = plan()
    _ = plan.take(untilMilliseconds: 1_100)
    #expect(plan.apply(.edit(.subdivision(step: 1)), at: instant(1_100)) == .applied)
    #expect(plan.apply(.edit(.subdivision(step: 1)), at: instant(1_100)) == .applied)
    #expect(plan.apply(.edit(.accent(beat: 2, step: 1)), at: instant(1_100)) == .applied)
    #expect(plan.planned.pattern == .common)
    let wanted = plan.planned.wantedPattern
    #expect(wanted.subdivision == 3)
    #expect(wanted.accent(ofClick: 3) == .medium)
    #expect(plan.apply(.edit(.swing(step: 1_000)), at: instant(1_100)) == .ignored)
    #expect(plan.apply(.edit(.accent(beat: 5, step: 1)), at: instant(1_100)) == .ignored)
    _ = plan.take(untilMilliseconds: 2_000)
    #expect(plan.planned.pattern == wanted)
  }

  @Test func `edits while stopped apply at the start`() {
    var plan = plan(waits: true)
    _ = plan.take(untilMilliseconds: 100)
    #expect(plan.apply(.edit(.meterStep(1)), at: instant(100)) == .applied)
    #expect(plan.apply(.edit(.meterStep(1)), at: instant(100)) == .applied)
    #expect(plan.planned.wantedPattern.meter == Meter.choice[5])
    _ = plan.apply(.toggle, at: instant(200))
    #expect(plan.planned.pattern.meter == Meter.choice[5])
  }

  @Test func `relative changes after the end are ignored`() {
    var plan = plan()
    _ = plan.take(untilMilliseconds: 1_100)
    plan.halt(at: instant(1_100))
    _ = plan.take()
    let changes: [PlanChange] = [
      .toggle, .stopToTop, .tempoStep(1_000), .togglePolicy, .toggleMute(route: 0),
      .offsetStep(route: 0, .milliseconds(1)), .edit(.meterStep(1)),
    ]
    for change in changes { #expect(plan.apply(change, at: instant(1_200)) == .ignored) }
    #expect(plan.planned.hasEnded)
    #expect(!plan.planned.isMuted(0))
  }
}
