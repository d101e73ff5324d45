internal import Glibc
public import MIDIClock

/// The machine's monotonic clock, the only clock of the program.
public enum SystemClock {
  /// The current time; source: `CLOCK_MONOTONIC`.
  ///
  /// Real-time safe: on common hardware glibc reads it without entering the kernel.
  public static var now: HostTime {
    @_semantics("no_performance_analysis") get {
      var time = timespec()
      unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
      return HostTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
  }

  /// Sleeps until `deadline`, resuming after signals.
  ///
  /// Real-time safe, apart from being a sleep. Returns immediately if `deadline` is past. Source:
  /// `clock_nanosleep` with `TIMER_ABSTIME`, so errors do not accumulate.
  @_semantics("no_performance_analysis")
  public static func sleep(until deadline: HostTime) {
    var time = timespec(deadline)
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
