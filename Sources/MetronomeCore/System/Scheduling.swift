/// How the kernel schedules a thread of ours.
public enum Scheduling: Hashable, Sendable {
  /// Before all ordinary threads, at this priority, 1 to 99; `SCHED_FIFO`.
  case realtime(priority: Int32)
  /// Like any other, because real-time scheduling was refused; the errno.
  case refused(Int32)
  /// Like any other, as asked.
  case ordinary

  /// Above the audio servers' clients, below the kernel's own interrupt threads.
  public static var defaultPriority: Int32 { 60 }
}
