import Testing

@testable import MIDIClock

/// Live changes of the plan other than tempo and transport: nudge, clock, muting, offsets.
struct PlanControlsTests {
  private func plan(
    routes: [Route] = [Route()], policy: ClockPolicy = .always, tempo: Tempo = .standard
  ) -> Planner {
    Planner(
      score: Score(pattern: .common, tempo: tempo), routes: routes + [.observer], policy: policy)
  }

  private func instant(_ milliseconds: Int64) -> HostTime { .zero + .milliseconds(milliseconds) }

  @Test(arguments: [Int64(5), -5, 60, -60])
  func `a nudge moves the beat after the next and all that follow`(milliseconds: Int64) {
    var plan = plan()
    var events = plan.take(untilMilliseconds: 1_099)
    #expect(plan.apply(.shift(.milliseconds(milliseconds)), at: instant(1_100)) == .applied)
    events += plan.take(untilMilliseconds: 4_200)
    let beats = events.noteOns()
    let moved = milliseconds * 1_000_000
    #expect(beats.prefix(3) == [0, 500_000_000, 1_000_000_000])
    // Beats fall on pulses, which are rounded at odd paces.
    #expect(abs(beats[4] - (2_000_000_000 + moved)) <= 1)
    #expect(abs(beats[5] - (2_500_000_000 + moved)) <= 1)
    #expect(abs(beats[8] - (4_000_000_000 + moved)) <= 1)
    #expect(events.heard().faults.isEmpty)
    // No pulse is lost or doubled: the last beat is on the expected pulse.
    #expect(events.beats.last?.beat.pulse == 192)
  }

  @Test func `two nudges add up`() {
    var plan = plan()
    var events = plan.take(untilMilliseconds: 1_099)
    for time in [Int64(1_100), 1_150, 1_200] {
      _ = plan.apply(.shift(.milliseconds(5)), at: instant(time))
      events += plan.take(untilMilliseconds: time)
    }
    events += plan.take(untilMilliseconds: 5_000)
    #expect(abs(events.noteOns()[8] - 4_015_000_000) <= 3)
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a nudge is limited so that pulses do not come too close`() {
    var plan = plan()
    var events = plan.take(untilMilliseconds: 1_099)
    _ = plan.apply(.shift(.milliseconds(-5_000)), at: instant(1_100))
    events += plan.take(untilMilliseconds: 4_000)
    #expect(events.heard().faults.isEmpty)
    // Limited to a quarter of a beat.
    #expect(abs(events.noteOns()[4] - 1_875_000_000) <= 2)
    for (earlier, later) in zip(events.pulses(), events.pulses().dropFirst()) {
      #expect(later - earlier > 10_416_667)
    }
  }

  @Test func `a nudge while stopped is ignored`() {
    var plan = plan()
    _ = plan.take(untilMilliseconds: 1_000)
    _ = plan.apply(.transport(.stop), at: instant(1_000))
    _ = plan.take(untilMilliseconds: 1_200)
    #expect(plan.apply(.shift(.milliseconds(5)), at: instant(1_300)) == .ignored)
  }

  @Test func `the clock turns off and on again in phase`() {
    var plan = plan()
    var events = plan.take(untilMilliseconds: 999)
    #expect(plan.apply(.policy(.off), at: instant(1_000)) == .applied)
    let off = plan.take(untilMilliseconds: 1_999)
    #expect(off.pulses().count <= 1)
    #expect(off.noteOns() == [1_000_000_000, 1_500_000_000])
    events += off
    #expect(plan.apply(.policy(.always), at: instant(2_000)) == .applied)
    events += plan.take(untilMilliseconds: 3_000)
    // The pulses stay on their grid.
    #expect(events.pulses().last == 3_000_000_000)
    #expect(events.pulses().count >= 48 + 48)
    _ = plan.apply(.transport(.stop), at: instant(3_010))
    #expect(plan.take(untilMilliseconds: 4_000).pulses().count > 40)
    #expect(plan.apply(.policy(.rolling), at: instant(4_001)) == .applied)
    #expect(plan.take(untilMilliseconds: 5_000).pulses().isEmpty)
  }

  @Test func `a muted route stops clicking, and is in phase when it clicks again`() {
    var plan = plan(routes: [Route(), Route()])
    var events = plan.take(untilMilliseconds: 999)
    #expect(plan.apply(.mute(route: 1, true), at: instant(1_000)) == .applied)
    let quiet = plan.take(untilMilliseconds: 2_499)
    #expect(quiet.noteOns(1).isEmpty)
    #expect(quiet.noteOns(0).count == 3)
    #expect(quiet.pulses(1).count == quiet.pulses(0).count)
    #expect(quiet.beats.count == 3)
    events += quiet
    _ = plan.apply(.mute(route: 1, false), at: instant(2_499))
    events += plan.take(untilMilliseconds: 3_000)
    #expect(events.noteOns(1) == [0, 500_000_000, 2_500_000_000, 3_000_000_000])
    #expect(events.heard(0).faults.isEmpty)
    #expect(events.heard(1).faults == [])
    #expect(events.heard(1).sounding == events.heard(0).sounding)
    #expect(plan.apply(.mute(route: 7, true), at: instant(3_001)) == .ignored)
  }

  @Test(arguments: [Int64(3), -3, 10, 100, -8])
  func `only the given route's offset moves, and its pulses keep their distance`(
    milliseconds: Int64
  ) {
    var plan = plan(routes: [Route(), Route()])
    var events = plan.take(untilMilliseconds: 1_099)
    #expect(
      plan.apply(.offset(route: 1, .milliseconds(milliseconds)), at: instant(1_100)) == .applied)
    events += plan.take(untilMilliseconds: 3_200)
    let moved = milliseconds * 1_000_000
    #expect(events.noteOns(0).suffix(3) == [2_000_000_000, 2_500_000_000, 3_000_000_000])
    #expect(events.noteOns(1).suffix(2).first == 2_500_000_000 + moved)
    #expect(events.beats.last?.beat.pulse == 144)
  }

  @Test func `a route muted from the start sends everything but clicks until unmuted`() {
    var plan = plan(routes: [Route(isMuted: true), Route()])
    let silent = plan.take(untilMilliseconds: 1_099)
    #expect(silent.noteOns(0).isEmpty)
    #expect(silent.noteOns(1) == [0, 500_000_000, 1_000_000_000])
    #expect(silent.pulses(0) == silent.pulses(1))
    #expect(plan.apply(.mute(route: 0, false), at: instant(1_100)) == .applied)
    let events = plan.take(untilMilliseconds: 2_100)
    #expect(events.noteOns(0) == [1_500_000_000, 2_000_000_000])
  }
}
