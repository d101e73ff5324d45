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
    #expect(model.request(.toggle) == nil)
    #expect(model.request(.quit) == .quit)
  }

  @Test func `the state follows the plan, not the request`() {
    var plan = plan(waits: true)
    var model = SessionModel(.play, snapshot(&plan), latencies: [.milliseconds(-30)])
    #expect(!model.state.isPlaying)
    guard case .change(let change)? = model.request(.toggle) else {
      Issue.record("toggle is no change")
      return
    }
    model.note(asked: 1)
    #expect(!model.state.isPlaying)
    #expect(model.state.pendingChanges == 1)
    #expect(plan.apply(change, at: .zero) == .applied)
    var published = snapshot(&plan)
    published.handled = 1
    model.take(published)
    #expect(model.state.isPlaying)
    #expect(model.state.pendingChanges == 0)
    #expect(model.state.transport == .stopped)
  }

  @Test func `an offset is counted from the route's own latency`() {
    var plan = plan()
    let model = SessionModel(.play, snapshot(&plan), latencies: [.milliseconds(-30)])
    for (step, offset) in [(Int64(5), Int64(-25)), (1_000, 470), (-1_000, -530)] {
      guard case .change(let change)? = model.request(.offsetStep(0, step)) else { continue }
      #expect(plan.apply(change, at: .zero) == .applied)
      #expect(plan.planned.offsets[0] == .milliseconds(offset))
    }
  }

  @Test func `while stopped the state has the requested tempo and pattern`() {
    var plan = plan(waits: true)
    for action in [Action.tempoStep(1_000), .meterStep(1), .clock, .mute(0)] {
      let model = SessionModel(.play, snapshot(&plan))
      guard case .change(let change)? = model.request(action) else { continue }
      #expect(plan.apply(change, at: .zero) == .applied)
    }
    let state = SessionModel(.play, snapshot(&plan)).state
    #expect(state.tempo.milliBPM == 121_000)
    #expect(state.pattern.meter == Meter.choice[4])
    #expect(state.policy == .off)
    #expect(state.isMuted(0))
    #expect(!state.isPaused)
  }
}
