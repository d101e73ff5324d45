public import MIDIClock

/// One thing the engine does.
public enum DispatchStep: Hashable, Sendable {
  /// Send or tell it now.
  case perform(PlannedEvent)
  /// Give it to the kernel's queue, to leave at the given instant.
  case schedule(PlannedEvent, at: HostTime)
  /// Take back what waits on the queue for later than the given instant.
  case cancel(after: HostTime)
  /// Nothing to do before the given instant, unless a change comes.
  case wait(until: HostTime)
  /// We were held up for so long that the plan was put off by this much instead of caught up.
  case postpone(HostTime.Span)
  /// The plan has come to its end.
  case finished
}
