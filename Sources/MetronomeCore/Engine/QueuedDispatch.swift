public import MIDIClock

/// Schedules events on a kernel queue some time ahead, so that a stall of the process is not heard.
///
/// Planning proceeds in windows of 10 ms up to the horizon. A copy of the planner is kept at the
/// start of each window. A change goes back to the earliest window that can still be cancelled,
/// makes the kernel drop the events scheduled after it, and plans on from there.
public struct QueuedDispatch: ~Copyable, Dispatch {
  /// How far ahead events are scheduled.
  public static let horizon = HostTime.Span.milliseconds(100)
  private static let window = HostTime.Span.milliseconds(10)
  /// The horizon is refilled when this much of it has passed.
  private static let refill = HostTime.Span.milliseconds(20)
  /// Events that leave sooner than this may already be gone.
  private static let margin = HostTime.Span.milliseconds(4)

  private var planner: Planner
  private var performed: PlanSnapshot.Performed
  private var spacing = PulseSpacing()
  /// Half the period of the queue's timer: scheduled this much early, events are as often early as
  /// late.
  private let early: HostTime.Span
  /// The routes whose events are performed here when due, instead of by the kernel: bit n for route
  /// n.
  private let localRoutes: UInt16
  /// Everything before this instant has been scheduled.
  private var planned: HostTime
  private var lastStamp: HostTime
  private var isFilling = true
  private var cancelAfter: HostTime?
  /// The planner at the start of each window not yet past, oldest first.
  private var kept: [Window] = []
  /// Windows that have passed, for reuse.
  private var spare: [Window] = []
  /// Events to perform here wait here until they are due, and can be cancelled until then.
  private var reports: [Waiting] = []

  /// An event as planned, and when it is performed: later than planned after a stall.
  private struct Waiting {
    var event: PlannedEvent
    var time: HostTime
    /// The pattern, if the event reports a beat.
    var pattern: ClickPattern?
  }

  /// Sendable by this proof: a window belongs to one dispatch, which cannot be copied and gives
  /// none away; it crosses to another thread only with the dispatch.
  private final class Window: @unchecked Sendable {
    var start: HostTime
    var planner: Planner
    var spacing: PulseSpacing

    init(start: HostTime, planner: consuming Planner, spacing: PulseSpacing) {
      self.start = start
      self.planner = planner
      self.spacing = spacing
    }
  }

  /// Plays `planner` from `now` on, with a queue whose timer has the period `timerPeriod`.
  ///
  /// Messages of the `localRoutes` (bit n for route n) are performed here when due, like reports.
  public init(
    _ planner: consuming Planner, now: HostTime, timerPeriod: HostTime.Span,
    localRoutes: UInt16 = 0
  ) {
    self.localRoutes = localRoutes
    self.planner = planner
    performed = PlanSnapshot.Performed(before: self.planner.planned)
    early = HostTime.Span(nanoseconds: timerPeriod.nanoseconds / 2)
    planned = now
    lastStamp = now
    kept.reserveCapacity(16)
    reports.reserveCapacity(64)
    keep()
  }

  /// A dispatch at the same position, for a rehearsal.
  public borrowing func rehearsal() -> QueuedDispatch {
    QueuedDispatch(
      planner.copy(), now: planned,
      timerPeriod: HostTime.Span(nanoseconds: early.nanoseconds * 2),
      localRoutes: localRoutes)
  }

  /// The step to take at `now`.
  public mutating func step(now: HostTime) -> DispatchStep {
    if let after = cancelAfter {
      cancelAfter = nil
      return .cancel(after: after)
    }
    if let report = reports.first, report.time <= now {
      reports.removeFirst()
      if case .report(let planned) = report.event.action {
        performed.take(planned, at: report.event.time, pattern: report.pattern)
      }
      return .perform(report.event)
    }
    if !isFilling, planned <= now + Self.horizon - Self.refill { isFilling = true }
    while isFilling {
      if let step = fill(now: now) { return step }
    }
    if planner.isFinished, reports.isEmpty, lastStamp < now { return .finished }
    var wake = planned - Self.horizon + Self.refill
    if planner.isFinished { wake = max(lastStamp + HostTime.Span(nanoseconds: 1), now) }
    if let report = reports.first { wake = min(wake, report.time) }
    return .wait(until: wake)
  }

  /// Plans one more event or window; `nil` if that needs no step.
  private mutating func fill(now: HostTime) -> DispatchStep? {
    // Everything in the past is one window: after a stall it would be thousands.
    let end = max(planned, now) + Self.window
    if let late = StallLimit.postpone(&planner, now: now) { return .postpone(late) }
    if let event = planner.next {
      // A Start leaves up to a timer period late and its pulse up to half a period early; they must
      // still be 1 ms apart. Likewise late pulses must be half a pulse period apart.
      let timerPeriod = HostTime.Span(nanoseconds: early.nanoseconds * 2)
      let wanted =
        event.isStart
        ? event.time - timerPeriod : spacing.release(event, slack: timerPeriod)
      // In order, and never in the past.
      let stamp = max(wanted, now, lastStamp)
      if stamp < end {
        var pattern: ClickPattern?
        if case .report(.beat) = event.action {
          pattern = planner.pattern(ofRoute: event.route)
        }
        planner.advance()
        if Self.isLocal(event, localRoutes) {
          // With the time it is performed, not planned: so a late one is cancelled exactly when the
          // planner goes back to before it.
          reports.append(Waiting(event: event, time: stamp, pattern: pattern))
          return nil
        }
        spacing.left(event, at: stamp)
        lastStamp = stamp
        return .schedule(event, at: stamp - early)
      }
    }
    planned = end
    keep()
    while let first = kept.first, first.start < now {
      spare.append(first)
      kept.removeFirst()
    }
    isFilling = planned < now + Self.horizon
    return nil
  }

  private static func isLocal(_ event: PlannedEvent, _ localRoutes: UInt16) -> Bool {
    if case .report = event.action { return true }
    return localRoutes & (1 << UInt16(event.route)) != 0
  }

  private mutating func keep() {
    guard let window = spare.popLast() else {
      kept.append(Window(start: planned, planner: planner.copy(), spacing: spacing))
      return
    }
    window.start = planned
    window.planner.become(&planner)
    window.spacing = spacing
    kept.append(window)
  }

  /// Goes back to the first window that can still be cancelled.
  private mutating func rewind(now: HostTime) -> HostTime {
    guard let window = kept.first(where: { now + Self.margin < $0.start }) else {
      // Nothing waits beyond the margin: everything from here on can change.
      return max(planned, now)
    }
    planner.become(&window.planner)
    spacing = window.spacing
    planned = window.start
    lastStamp = min(lastStamp, window.start)
    kept.removeAll { window.start <= $0.start }
    keep()
    reports.removeAll { window.start <= $0.time }
    cancelAfter = window.start - early - HostTime.Span(nanoseconds: 1)
    isFilling = true
    return window.start
  }

  /// Changes the plan from the first window that can still be cancelled.
  public mutating func apply(_ change: PlanChange, now: HostTime) -> Planner.Outcome {
    let start = rewind(now: now)
    // After a stall the plan is postponed first; otherwise the change would be postponed with it.
    _ = StallLimit.postpone(&planner, now: now)
    let outcome = planner.apply(change, at: start + planner.earliness)
    kept.removeLast()
    keep()
    return outcome
  }

  /// The planned state, up to the horizon ahead, and the performed state.
  public var snapshot: PlanSnapshot {
    mutating get { PlanSnapshot(planner.planned, performed: performed) }
  }

  /// Ends everything at the first window that can still be cancelled.
  public mutating func halt(now: HostTime) {
    let start = rewind(now: now)
    planner.halt(at: start)
    kept.removeAll()
    keep()
    isFilling = true
  }
}
