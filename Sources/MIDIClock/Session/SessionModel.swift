/// What actions come to, and what a session does as of the last snapshot.
///
/// Pure: it asks for changes and reads snapshots. It has no transport of its own, so it is never of
/// another opinion than the plan.
public struct SessionModel: Sendable {
  /// What the session is there for.
  public let job: Job
  /// Each route's own latency, from which its offset is counted.
  private let latencies: [HostTime.Span]
  private var snapshot: PlanSnapshot
  private var asked: UInt64 = 0

  /// A session of `job` that begins as `snapshot`, with routes of these `latencies`.
  public init(_ job: Job, _ snapshot: PlanSnapshot, latencies: [HostTime.Span] = []) {
    self.job = job
    self.snapshot = snapshot
    self.latencies = latencies
  }

  /// What the session does.
  public var state: SessionState { SessionState(snapshot, asked: asked) }

  /// Takes in the newest snapshot.
  public mutating func take(_ snapshot: PlanSnapshot) { self.snapshot = snapshot }

  /// Learns that the change of this number was sent to the engine.
  public mutating func note(asked number: UInt64) { asked = max(asked, number) }

  /// What `action` comes to; `nil` when this job has no such action.
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
