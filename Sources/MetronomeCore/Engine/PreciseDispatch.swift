public import MIDIClock

/// Sends each event itself when its time has come.
///
/// For a thread that wakes in time. The plan is taken one event at a time, so a change takes
/// effect at once (routes that run ahead put it off by as much).
///
/// Real-time safe: `step` and `halt` yes; `apply` is called on changes only.
public struct PreciseDispatch: ~Copyable, Dispatch {
  private static var startReserve: HostTime.Span { .microseconds(100) }

  private var planner: Planner
  private var spacing = PulseSpacing()
  private var performed: PlanSnapshot.Performed

  /// Plays `planner`.
  public init(_ planner: consuming Planner) {
    self.planner = planner
    performed = PlanSnapshot.Performed(before: self.planner.planned)
  }

  /// A dispatch at the same place, for a rehearsal.
  public borrowing func rehearsal() -> PreciseDispatch { PreciseDispatch(planner.copy()) }

  /// What is to be done at `now`.
  public mutating func step(now: HostTime) -> DispatchStep {
    guard let event = planner.next else {
      return planner.isFinished ? .finished : .wait(until: .distantFuture)
    }
    // A Start that wakes late must still be 1 ms before its pulse.
    let due = event.isStart ? event.time - Self.startReserve : spacing.release(event)
    guard due <= now else { return .wait(until: due) }
    if let late = StallLimit.postpone(&planner, now: now) { return .postpone(late) }
    if case .report(let report) = event.action {
      var pattern: ClickPattern?
      if case .beat = report { pattern = planner.pattern(ofRoute: event.route) }
      performed.take(report, at: event.time, pattern: pattern)
    }
    planner.advance()
    spacing.left(event, at: now)
    return .perform(event)
  }

  /// Changes the plan from `now` on.
  public mutating func apply(_ change: PlanChange, now: HostTime) -> Planner.Outcome {
    // After a stall the plan is put off first, or the change would be put off with it.
    _ = StallLimit.postpone(&planner, now: now)
    return planner.apply(change, at: now + planner.earliness)
  }

  /// What is planned, and what has been performed.
  public var snapshot: PlanSnapshot {
    mutating get { PlanSnapshot(planner.planned, performed: performed) }
  }

  /// Ends everything at `now`.
  public mutating func halt(now: HostTime) { planner.halt(at: now) }
}
