public import MIDIClock

/// How late a thread of ours wakes on this machine; for `doctor`.
public struct WakeUps: Sendable {
  /// How late each wake-up was.
  public var lateness = LatenessHistogram()
  /// How the thread was scheduled.
  public var scheduling: Scheduling
  /// The thread's timer slack, in nanoseconds.
  public var timerSlack: Int64 = 0

  /// Sleeps `count` times on a thread like the engine's, as the engine does.
  ///
  /// Takes about `count` times 2 ms; the deadlines fall on ever other parts of a millisecond, so
  /// that none of the kernel's own grids is favoured.
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
