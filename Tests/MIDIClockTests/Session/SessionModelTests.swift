import Testing

@testable import MIDIClock

struct SessionModelTests {
  private func snapshot(_ plan: inout Planner) -> PlanSnapshot {
    let planned = plan.planned
    return PlanSnapshot(planned, performed: PlanSnapshot.Performed(before: planned))
  }

  private func plan(waits: Bool = false) -> Planner {
    Planner(
      score: Score(pattern: .common, tempo: .standard),
      routes: [Route(offset: .milliseconds(-30)), .observer], waits: waits)
  }

  @Test func `every action has a unique name that creates it`() {
    #expect(Set(ActionRow.all.map(\.name)).count == ActionRow.all.count)
    #expect(ActionRow.named("toggle", in: .play)?.action() == .toggle)
    #expect(ActionRow.named("tempo-step", in: .play)?.action(.number(500)) == .tempoStep(500))
    #expect(ActionRow.named("save", in: .play)?.action(.text("a")) == .save("a"))
    #expect(ActionRow.named("mute", in: .play)?.action(.route(2)) == .mute(2))
    #expect(
      ActionRow.named("offset-step", in: .play)?.action(.routeAndNumber(1, -5))
        == .offsetStep(1, -5))
    #expect(ActionRow.named("nothing", in: .play) == nil)
  }

  @Test func `a value of the wrong kind or out of range yields no action`() {
    #expect(ActionRow.named("toggle", in: .play)?.action(.number(1)) == nil)
    #expect(ActionRow.named("accent", in: .play)?.action(.number(0)) == nil)
    #expect(ActionRow.named("accent", in: .play)?.action(.number(33)) == nil)
    #expect(ActionRow.named("accent", in: .play)?.action(.text("1")) == nil)
    #expect(ActionRow.named("tempo", in: .play)?.action(.number(120)) == nil)
    #expect(ActionRow.named("tempo", in: .play)?.action(.tempo(.standard)) == .tempo(.standard))
  }

  @Test(arguments: [
    (Job.follow, ["volume-step", "sound-set", "panic", "quit"]),
    (.tap, ["tap", "volume-step", "sound-set", "quit"]), (.monitor, ["quit"]),
  ])
  func `other jobs have only the actions with a meaning there`(job: Job, names: [String]) {
    #expect(ActionRow.all.filter { $0.jobs.contains(job) }.map(\.name) == names)
    #expect(ActionRow.all.allSatisfy { $0.jobs.contains(.play) })
    #expect(ActionRow.named("tempo-step", in: job) == nil)
    var plan = plan()
    let model = SessionModel(job, snapshot(&plan))
    #expect(model.change(.toggle) == nil)
    #expect(model.change(.quit) == nil)
    #expect(Action.quit.jobs.contains(job))
  }

  @Test func `state follows the plan, and what it is asked for is pending`() throws {
    var plan = plan(waits: true)
    var model = SessionModel(.play, snapshot(&plan), latencies: [.milliseconds(-30)])
    #expect(!model.state.isPlaying)
    let change = try #require(model.change(.toggle))
    model.note(change, asked: 1)
    // Asked for: it will play, but nothing has been performed.
    #expect(model.state.isPlaying)
    #expect(model.state.transport == .stopped)
    #expect(model.state.pending == [.toggle])
    #expect(model.take(snapshot(&plan)) == [])
    #expect(plan.apply(change, at: .zero) == .applied)
    var published = snapshot(&plan)
    published.handled.note(.applied, of: 1)
    #expect(model.take(published) == [ChangeOutcome(.toggle, .applied)])
    #expect(model.state.isPlaying)
    #expect(model.state.pending == [])
    #expect(model.state.transport == .stopped)
  }

  @Test func `an offset is counted from the route's own latency`() {
    var plan = plan()
    let model = SessionModel(.play, snapshot(&plan), latencies: [.milliseconds(-30)])
    for (step, offset) in [(Int64(5), Int64(-25)), (1_000, 470), (-1_000, -530)] {
      guard let change = model.change(.offsetStep(0, step)) else { continue }
      #expect(plan.apply(change, at: .zero) == .applied)
      #expect(plan.planned.offsets[0] == .milliseconds(offset))
      let state = SessionModel(.play, snapshot(&plan), latencies: [.milliseconds(-30)]).state
      #expect(state.offset(0) == .milliseconds(offset + 30))
    }
  }

  @Test func `while stopped the state has the requested tempo and pattern`() {
    var plan = plan(waits: true)
    for action in [Action.tempoStep(1_000), .meterStep(1), .clock, .mute(0)] {
      let model = SessionModel(.play, snapshot(&plan))
      guard let change = model.change(action) else { continue }
      #expect(plan.apply(change, at: .zero) == .applied)
    }
    let state = SessionModel(.play, snapshot(&plan)).state
    #expect(state.tempo.milliBPM == 121_000)
    #expect(state.pattern.meter == Meter.choice[4])
    #expect(state.policy == .off)
    #expect(state.isMuted(0))
    #expect(!state.isPaused)
  }

  @Test func `each change has its own outcome, and one that waits is told once`() {
    var plan = plan(waits: true)
    var model = SessionModel(.play, snapshot(&plan))
    for number in UInt64(1)...4 { model.note(.toggle, asked: number) }
    var published = snapshot(&plan)
    published.handled.note(.applied, of: 1)
    published.handled.note(.ignored, of: 2)
    published.handled.note(.busy, of: 3)
    let told = model.take(published).map(\.outcome)
    #expect(told == [.applied, .ignored, .busy])
    #expect(model.take(published) == [])
    #expect(model.state.pending.count == 2)
    published.handled.note(.applied, of: 3)
    published.handled.note(.ignored, of: 4)
    #expect(model.take(published).map(\.outcome) == [.applied, .ignored])
    #expect(model.state.pending == [])
  }

  @Test func `what was asked for is shown until it is heard, what the song brings is not`() throws {
    var plan = plan()
    var performed = PlanSnapshot.Performed(before: plan.planned)
    var model = SessionModel(.play, PlanSnapshot(plan.planned, performed: performed))
    func play(to end: HostTime) {
      while let event = plan.next, event.time < end {
        if case .report(let report) = event.action {
          performed.take(report, at: event.time, pattern: plan.pattern(ofRoute: event.route))
        }
        plan.advance()
      }
    }
    play(to: HostTime(nanoseconds: 600_000_000))
    var published = PlanSnapshot(plan.planned, performed: performed)
    for (index, action) in [Action.tempoStep(1_000), .meterStep(1)].enumerated() {
      let (change, number) = (try #require(model.change(action)), UInt64(index + 1))
      model.note(change, asked: number)
      let outcome = plan.apply(change, at: HostTime(nanoseconds: 600_000_000))
      published = PlanSnapshot(plan.planned, performed: performed)
      published.handled.note(outcome, of: 1)
      if number == 2 { published.handled.note(outcome, of: 2) }
      #expect(model.take(published).count == 1)
    }
    #expect(model.state.transport == .rolling)
    #expect(model.state.tempo.milliBPM == 121_000)
    #expect(model.state.pattern.meter == Meter.choice[4])
    #expect(performed.pattern.meter == .common)
    for milliseconds in stride(from: Int64(700), through: 3_000, by: 1) {
      play(to: HostTime(nanoseconds: milliseconds * 1_000_000))
      var next = PlanSnapshot(plan.planned, performed: performed)
      next.handled = published.handled
      _ = model.take(next)
      #expect(model.state.tempo.milliBPM == 121_000)
      #expect(model.state.pattern.meter == Meter.choice[4])
    }
    #expect(performed.pattern.meter == Meter.choice[4])
  }
}
