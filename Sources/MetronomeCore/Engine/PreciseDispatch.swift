public import MIDIClock

/// Sends each event itself when it is due.
///
/// For a thread that wakes on time. The plan is consumed one event at a time, so a change takes
/// effect at once (routes that run ahead delay it by their lead).
///
/// Real-time safe: `step` and `halt` are; `apply` is called on changes only.
public struct PreciseDispatch: ~Copyable, Dispatch {
  private static var startReserve: HostTime.Span { .microseconds(100) }

  private var planner: Planner
  private var spacing = PulseSpacing()
  private var performed: PlanSnapshot.Performed

  /// A dispatch that plays `planner`.
  public init(_ planner: consuming Planner) {
    self.planner = planner
    performed = PlanSnapshot.Performed(before: self.planner.planned)
  }

  /// A dispatch at the same position, for a rehearsal.
  public borrowing func rehearsal() -> PreciseDispatch { PreciseDispatch(planner.copy()) }

  /// The step to take at `now`.
  public mutating func step(now: HostTime) -> DispatchStep {
    guard let event = planner.next else {
      return planner.isFinished ? .finished : .wait(until: .distantFuture)
    }
    // A Start that is sent late must still precede its pulse by 1 ms.
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
    // After a stall the plan is postponed first; otherwise the change would be postponed with it.
    _ = StallLimit.postpone(&planner, now: now)
    return planner.apply(change, at: now + planner.earliness)
  }

  /// The planned and the performed state.
  public var snapshot: PlanSnapshot {
    mutating get { PlanSnapshot(planner.planned, performed: performed) }
  }

  /// Ends everything at `now`.
  public mutating func halt(now: HostTime) { planner.halt(at: now) }
}
