public import MIDIClock

/// Gives events to a queue of the kernel some time ahead, so that a held-up process is not heard.
///
/// The plan is taken in windows of 10 ms up to the horizon. At each window's beginning the planner
/// is kept; a change goes back to the earliest window that can still be taken back, has the
/// kernel forget what was given after it, and plans on from there.
public struct QueuedDispatch: ~Copyable, Dispatch {
  /// How far ahead events are given to the kernel.
  public static let horizon = HostTime.Span.milliseconds(100)
  private static let window = HostTime.Span.milliseconds(10)
  /// The horizon is filled up again when this much of it has passed.
  private static let refill = HostTime.Span.milliseconds(20)
  /// What leaves sooner than this cannot be taken back for sure.
  private static let margin = HostTime.Span.milliseconds(4)

  private var planner: Planner
  private var performed: PlanSnapshot.Performed
  private var spacing = PulseSpacing()
  /// Half the period of the queue's timer: given so much early, events leave as often early as
  /// late.
  private let early: HostTime.Span
  /// The routes whose events are performed here, at their time, instead of by the kernel: bit n
  /// for route n.
  private let localRoutes: UInt16
  /// Everything before this instant has been given.
  private var planned: HostTime
  private var lastStamp: HostTime
  private var isFilling = true
  private var cancelAfter: HostTime?
  /// The planner as it was at the beginning of each window not yet past, oldest first.
  private var kept: [Window] = []
  /// Windows that are past, to be used again.
  private var spare: [Window] = []
  /// What is performed here waits here for its time, since it can be taken back until then.
  private var reports: [Waiting] = []

  /// An event as it was planned, and when it is performed: later than planned after a stall.
  private struct Waiting {
    var event: PlannedEvent
    var time: HostTime
    /// The pattern of a beat that is reported.
    var pattern: ClickPattern?
  }

  /// Sendable by this proof: a window belongs to one dispatch, which cannot be copied and hands
  /// none out; it crosses to another thread only with it.
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

  /// Plays `planner` from `now` on, on a queue whose timer has the period `timerPeriod`.
  ///
  /// Messages of the `localRoutes` (bit n for route n) are performed at their time, as reports are.
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

  /// A dispatch at the same place, for a rehearsal.
  public borrowing func rehearsal() -> QueuedDispatch {
    QueuedDispatch(
      planner.copy(), now: planned,
      timerPeriod: HostTime.Span(nanoseconds: early.nanoseconds * 2),
      localRoutes: localRoutes)
  }

  /// What is to be done at `now`.
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

  /// Plans on by one event or one window; `nil` when there is nothing to be done for it.
  private mutating func fill(now: HostTime) -> DispatchStep? {
    // What lies in the past is one window: after a stall it would be thousands.
    let end = max(planned, now) + Self.window
    if let late = StallLimit.postpone(&planner, now: now) { return .postpone(late) }
    if let event = planner.next {
      // A Start leaves up to a timer period late and its pulse half a one early; they must still
      // be 1 ms apart. So must late pulses be half a period apart.
      let timerPeriod = HostTime.Span(nanoseconds: early.nanoseconds * 2)
      let wanted =
        event.isStart
        ? event.time - timerPeriod : spacing.release(event, slack: timerPeriod)
      // In order, never into the past.
      let stamp = max(wanted, now, lastStamp)
      if stamp < end {
        var pattern: ClickPattern?
        if case .report(.beat) = event.action {
          pattern = planner.pattern(ofRoute: event.route)
        }
        planner.advance()
        if Self.isLocal(event, localRoutes) {
          // By the instant that it is given for: a late one, too, is taken back by a change just
          // when the planner goes back to before it.
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

  /// Goes back to the first window that can still be taken back.
  private mutating func rewind(now: HostTime) -> HostTime {
    guard let window = kept.first(where: { now + Self.margin < $0.start }) else {
      // Nothing waits beyond the margin: from here on is free.
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

  /// Changes the plan from the first window that can still be taken back.
  public mutating func apply(_ change: PlanChange, now: HostTime) -> Planner.Outcome {
    let start = rewind(now: now)
    // After a stall the plan is put off first, or the change would be put off with it.
    _ = StallLimit.postpone(&planner, now: now)
    let outcome = planner.apply(change, at: start + planner.earliness)
    kept.removeLast()
    keep()
    return outcome
  }

  /// What is planned, up to the horizon ahead, and what has been performed.
  public var snapshot: PlanSnapshot {
    mutating get { PlanSnapshot(planner.planned, performed: performed) }
  }

  /// Ends everything at the first window that can still be taken back.
  public mutating func halt(now: HostTime) {
    let start = rewind(now: now)
    planner.halt(at: start)
    kept.removeAll()
    keep()
    isFilling = true
  }
}
