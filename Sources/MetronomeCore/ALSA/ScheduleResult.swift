/// What became of an event handed to a queue.
public enum ScheduleResult: Hashable, Sendable {
  /// The kernel has it and will deliver it.
  case done
  /// The kernel's pool of waiting events is full and the event has not been taken; try again
  /// when some have left.
  case full
  /// The event has not been taken and will not be; a negative errno.
  case failed(Int32)
}
