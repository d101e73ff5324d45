/// The result of scheduling an event on a queue.
public enum ScheduleResult: Hashable, Sendable {
  /// The kernel has accepted the event and will deliver it.
  case done
  /// The kernel's event pool is full and the event was not accepted; try again when some events
  /// have left.
  case full
  /// The event was not accepted and will not be; a negative errno.
  case failed(Int32)
}
