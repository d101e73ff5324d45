import MIDIClock

@testable import midimetro

/// A screen of 80 x 24 over a plan: keys are pressed, what they ask for is done in the plan at once,
/// and time is a parameter.
struct ScreenDriver {
  var model: ScreenModel
  var now = HostTime(nanoseconds: 1_000_000_000)
  /// The Starts, Stops and Continues sent so far on the first route.
  private(set) var sent: [MIDIMessage] = []
  private(set) var session: SessionModel
  private var performed: PlanSnapshot.Performed
  private var handled = HandledChanges()
  private let plan: Plan

  /// Not copyable by itself.
  private final class Plan {
    var planner: Planner
    init(_ planner: consuming Planner) { self.planner = planner }
  }

  /// A screen that shows `state` and then what is planned: `score`, stopped if it `waits`.
  init(
    _ state: ScreenState = ScreenState(), score: Score = Score(pattern: .common, tempo: .standard),
    policy: ClockPolicy = .always, startBar: Int64 = 1, countInBars: Int64 = 0, waits: Bool = true
  ) {
    let lines = state.lines.map { Route(offset: $0.offset, isMuted: $0.isMuted) }
    plan = Plan(
      Planner(
        score: score, routes: (lines.isEmpty ? [Route()] : lines) + [.observer], policy: policy,
        origin: now, startBar: startBar, countInBars: countInBars, waits: waits))
    let planned = plan.planner.planned
    performed = PlanSnapshot.Performed(before: planned)
    session = SessionModel(state.job, PlanSnapshot(planned, performed: performed))
    model = ScreenModel(state)
    model.show(score)
    publish()
  }

  var layout: ScreenLayout { ScreenLayout(model.state, width: 80, height: 24, symbols: .ascii) }
  var text: String { layout.canvas.lines.joined(separator: "\n") }

  /// Presses `keys`; what they ask for, which has been done then.
  mutating func press(_ keys: Key...) -> [ScreenModel.Request] {
    var requests: [ScreenModel.Request] = []
    for key in keys {
      let asked = model.press(key, on: layout, at: now)
      for case .action(let action) in asked { perform(action) }
      requests += asked
    }
    return requests
  }

  mutating func type(_ text: String) -> [ScreenModel.Request] {
    var requests: [ScreenModel.Request] = []
    for letter in text { requests += press(.character(letter)) }
    return requests + press(.enter)
  }

  private mutating func perform(_ action: Action) {
    guard let change = session.change(action) else { return }
    let number = handled.number + 1
    session.note(change, asked: number)
    handled.note(plan.planner.apply(change, at: now), of: number)
    publish()
  }

  /// Plays up to `milliseconds`, and shows what is so then.
  mutating func advance(to milliseconds: Int64) {
    now = HostTime(nanoseconds: milliseconds * 1_000_000)
    while let event = plan.planner.next, !(now < event.time) {
      switch event.action {
      case .report(let report):
        performed.take(
          report, at: event.time, pattern: plan.planner.pattern(ofRoute: event.route))
        model.take(report, at: event.time)
      case .send(let message) where event.route == 0:
        if [.start, .stop, .continue].contains(message) { sent.append(message) }
      case .send, .rest: break
      }
      plan.planner.advance()
    }
    publish()
    model.advance(to: now)
  }

  private mutating func publish() {
    guard model.state.job == .play else { return }
    var snapshot = PlanSnapshot(plan.planner.planned, performed: performed)
    snapshot.handled = handled
    let outcomes = session.take(snapshot)
    model.take(session.state)
    for outcome in outcomes { model.take(.outcome(outcome, session.state), at: now) }
  }
}
