public import MIDIClock

/// What is not as it should be when a session starts, and can delay pulses.
public enum StartWarning: Hashable, Sendable {
  /// Memory cannot be locked, so a page fault may delay a pulse.
  case memoryNotLocked(SystemError)
  /// Real-time priority is refused, so a busy machine may delay a pulse.
  case priorityRefused(SystemError)
  /// The queue's timer, of this name, does not tick, so nothing would leave.
  case timerStands(String)
  /// The queue's timer, of this name, has a period so long that pulses become uneven.
  case timerIsCoarse(String, period: HostTime.Span)
}

extension StartWarning {
  /// Locks all memory; the warning if that is refused.
  static func lockingMemory() -> StartWarning? {
    MemoryLock.lockAll().map { .memoryNotLocked(SystemError(operation: "mlockall", code: $0)) }
  }

  /// The warning for a thread that was to have real-time priority.
  static func of(_ scheduling: Scheduling) -> StartWarning? {
    SystemError.refusing(scheduling).map { .priorityRefused($0) }
  }
}

extension SystemError {
  /// Why real-time priority was refused; `nil` when it was not.
  static func refusing(_ scheduling: Scheduling) -> SystemError? {
    guard case .refused(let code) = scheduling else { return nil }
    return SystemError(operation: "pthread_setschedparam", code: code)
  }
}
