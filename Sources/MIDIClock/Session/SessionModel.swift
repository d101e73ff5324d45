/// Translates actions into requests, and derives a session's state from the latest snapshot.
///
/// Pure: it makes requests and reads snapshots. It keeps no transport state, so it cannot disagree
/// with the plan.
public struct SessionModel: Sendable {
  /// The purpose of the session.
  public let job: Job
  /// Each route's own latency, from which its offset is counted.
  private let latencies: [HostTime.Span]
  private var snapshot: PlanSnapshot
  private var asked: UInt64 = 0

  /// A session of `job` that begins with `snapshot` and routes with these `latencies`.
  public init(_ job: Job, _ snapshot: PlanSnapshot, latencies: [HostTime.Span] = []) {
    self.job = job
    self.snapshot = snapshot
    self.latencies = latencies
  }

  /// The current state.
  public var state: SessionState { SessionState(snapshot, asked: asked) }

  /// Takes in the newest snapshot.
  public mutating func take(_ snapshot: PlanSnapshot) { self.snapshot = snapshot }

  /// Records that the change with this number was sent to the engine.
  public mutating func note(asked number: UInt64) { asked = max(asked, number) }

  /// Returns the request for `action`; `nil` if the action does not exist in this job.
  public func request(_ action: Action) -> SessionRequest? {
    action.jobs.contains(job) ? SessionRequest(action, latencies) : nil
  }
}

extension SessionRequest {
  fileprivate init(_ action: Action, _ latencies: [HostTime.Span]) {
    self =
      switch action {
      case .start: .change(.transport(.start))
      case .continue: .change(.transport(.continue))
      case .stop: .change(.transport(.stop))
      case .stopToTop: .change(.stopToTop)
      case .toggle: .change(.toggle)
      case .tap: .tap
      case .tempo(let tempo): .change(.tempo(tempo))
      case .tempoStep(let step): .change(.tempoStep(step))
      case .meter(let meter): .change(.edit(.meter(meter)))
      case .meterStep(let step): .change(.edit(.meterStep(Int(step))))
      case .accent(let beat): .change(.edit(.accent(beat: beat, step: -1)))
      case .subdivisionStep(let step): .change(.edit(.subdivision(step: step)))
      case .swingStep(let percent): .change(.edit(.swing(step: percent * 1_000)))
      case .nudge(let milliseconds): .change(.shift(.milliseconds(milliseconds)))
      case .clock: .change(.togglePolicy)
      case .mute(let route): .change(.toggleMute(route: route))
      case .offsetStep(let route, let milliseconds):
        .change(
          .offsetStep(
            route: route, .milliseconds(milliseconds),
            base: latencies.indices.contains(route) ? latencies[route] : .zero))
      case .volumeStep(let step): .volume(step: step)
      case .soundSet: .soundSet
      case .panic: .panic
      case .save(let name): .save(name)
      case .quit: .quit
      }
  }
}
