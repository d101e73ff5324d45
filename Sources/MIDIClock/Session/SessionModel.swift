/// Translates actions into requests, and derives a session's state from the latest snapshot.
///
/// Pure: it makes requests and reads snapshots. It keeps no transport state, so it cannot disagree
/// with the plan.
public struct SessionModel: Sendable {
  /// The purpose of the session.
  public let job: Job
  /// What the session does.
  public private(set) var state: SessionState
  /// The numbers of the pending changes of `state`.
  private var numbers: [UInt64] = []
  private var isKnownBusy = false

  /// Creates a model of `job` that starts from `snapshot`.
  ///
  /// Offsets are relative to `latencies`, one per route.
  public init(_ job: Job, _ snapshot: PlanSnapshot, latencies: [HostTime.Span] = []) {
    self.job = job
    state = SessionState(snapshot, latencies: latencies)
  }

  /// Takes in the newest snapshot.
  ///
  /// - Returns: The outcomes of the changes handled since the last call. A change that has to wait is
  ///   reported once as `busy`.
  public mutating func take(_ snapshot: PlanSnapshot) -> [ChangeOutcome] {
    var outcomes: [ChangeOutcome] = []
    while let change = state.pending.first, let outcome = snapshot.handled.outcome(of: numbers[0]) {
      if outcome != .busy || !isKnownBusy { outcomes.append(ChangeOutcome(change, outcome)) }
      isKnownBusy = outcome == .busy
      guard !isKnownBusy else { break }
      numbers.removeFirst()
      state.pending.removeFirst()
    }
    state.take(snapshot, after: outcomes)
    return outcomes
  }

  /// Records that `change` was sent to the engine with `number`; numbers must increase.
  public mutating func note(_ change: PlanChange, asked number: UInt64) {
    numbers.append(number)
    state.pending.append(change)
  }

  /// The change of the plan that performs `action`; `nil` if the action does not concern the plan.
  public func change(_ action: Action) -> PlanChange? {
    guard action.jobs.contains(job) else { return nil }
    return switch action {
    case .start: .transport(.start)
    case .continue: .transport(.continue)
    case .stop: .transport(.stop)
    case .stopToTop: .stopToTop
    case .toggle: .toggle
    case .tempo(let tempo): .tempo(tempo)
    case .tempoStep(let step): .tempoStep(step)
    case .meter(let meter): .edit(.meter(meter))
    case .meterStep(let step): .edit(.meterStep(Int(step)))
    case .accent(let beat, let step): .edit(.accent(beat: beat, step: step))
    case .subdivisionStep(let step): .edit(.subdivision(step: step))
    case .swingStep(let percent): .edit(.swing(step: percent * 1_000))
    case .nudge(let milliseconds): .shift(.milliseconds(milliseconds))
    case .clock: .togglePolicy
    case .mute(let route): .toggleMute(route: route)
    case .offsetStep(let route, let milliseconds):
      .offsetStep(route: route, .milliseconds(milliseconds), base: state.latency(route))
    case .tap, .volumeStep, .soundSet, .panic, .save, .quit: nil
    }
  }
}
