public import MIDIClock

/// Measures how late a thread wakes on this machine; for `doctor`.
public struct WakeUps: Sendable {
  /// The lateness of the wake-ups.
  public var lateness = LatenessHistogram()
  /// How the thread was scheduled.
  public var scheduling: Scheduling
  /// The thread's timer slack, in nanoseconds.
  public var timerSlack: Int64 = 0

  /// Sleeps `count` times on a thread like the engine's.
  ///
  /// Takes about `count` times 2 ms. The deadlines fall on varying fractions of a millisecond, so
  /// that none is aligned with the kernel's own timers.
  public static func measure(
    count: Int = 200, priority: Int32? = Scheduling.defaultPriority
  ) throws(SystemError) -> WakeUps {
    let thread = try RealtimeThread.start(
      name: "midimetro-probe", priority: priority, state: Doorbell()
    ) { bell in
      var result = WakeUps(scheduling: .ordinary)
      result.timerSlack = Machine.timerSlack
      var deadline = SystemClock.now
      for _ in 0..<count {
        deadline = max(deadline, SystemClock.now) + HostTime.Span(nanoseconds: 1_937_011)
        _ = bell.wait(until: deadline)
        result.lateness.record(SystemClock.now - deadline)
      }
      return result
    }
    let scheduling = thread.scheduling
    var result = thread.join()
    result.scheduling = scheduling
    return result
  }
}
