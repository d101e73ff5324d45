public import MIDIClock

/// A problem found when a session starts, which can delay pulses.
public enum StartWarning: Hashable, Sendable {
  /// Memory cannot be locked, so a page fault may delay a pulse.
  case memoryNotLocked(SystemError)
  /// Real-time priority is refused, so a busy machine may delay a pulse.
  case priorityRefused(SystemError)
  /// The queue's timer, with this name, does not tick, so nothing would be sent.
  case timerStands(String)
  /// The queue's timer, with this name, has such a long period that pulses become uneven.
  case timerIsCoarse(String, period: HostTime.Span)
}

extension StartWarning {
  /// Locks all memory; returns the warning if that is refused.
  static func lockingMemory() -> StartWarning? {
    MemoryLock.lockAll().map { .memoryNotLocked(SystemError(operation: "mlockall", code: $0)) }
  }

  /// The warning if a thread did not get the real-time priority it requested.
  static func of(_ scheduling: Scheduling) -> StartWarning? {
    SystemError.refusing(scheduling).map { .priorityRefused($0) }
  }
}

extension SystemError {
  /// Why real-time priority was refused; `nil` if it was granted.
  static func refusing(_ scheduling: Scheduling) -> SystemError? {
    guard case .refused(let code) = scheduling else { return nil }
    return SystemError(operation: "pthread_setschedparam", code: code)
  }
}
