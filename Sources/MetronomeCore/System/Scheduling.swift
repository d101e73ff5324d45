/// How the kernel schedules a thread.
public enum Scheduling: Hashable, Sendable {
  /// Real-time, ahead of all ordinary threads, at this priority, 1 to 99; `SCHED_FIFO`.
  case realtime(priority: Int32)
  /// Ordinary, because real-time scheduling was refused; the errno.
  case refused(Int32)
  /// Ordinary, as requested.
  case ordinary

  /// Above clients of audio servers, below the kernel's interrupt threads.
  public static var defaultPriority: Int32 { 60 }
}
