public import MIDIClock

/// A step for the engine to take.
public enum DispatchStep: Hashable, Sendable {
  /// Send or report the event now.
  case perform(PlannedEvent)
  /// Schedule the event on the kernel's queue, to leave at the given instant.
  case schedule(PlannedEvent, at: HostTime)
  /// Cancel the events waiting on the queue for later than the given instant.
  case cancel(after: HostTime)
  /// Do nothing before the given instant, unless a change arrives.
  case wait(until: HostTime)
  /// Report that the plan was postponed by this much, because the delay was too long to catch up
  /// with.
  case postpone(HostTime.Span)
  /// Finish: the plan has ended.
  case finished
}
