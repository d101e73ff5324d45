internal import CLinux
internal import Glibc

/// What this process may have of the machine; for `doctor`.
public struct Limits: Hashable, Sendable {
  /// A limit of the process.
  public enum Limit: Hashable, Sendable, CustomStringConvertible {
    /// No limit.
    case unlimited
    /// At most this many, in the unit of the limit.
    case atMost(UInt64)

    /// The number, or "unlimited".
    public var description: String {
      switch self {
      case .unlimited: "unlimited"
      case .atMost(let count): "\(count)"
      }
    }
  }

  /// The highest real-time priority that may be asked for, 0 for none; source: `RLIMIT_RTPRIO`.
  public let realtimePriority: Limit
  /// How much memory may be locked, in bytes; source: `RLIMIT_MEMLOCK`.
  public let lockedMemory: Limit
  /// Whether a thread really gets real-time scheduling now, whatever the limit says.
  ///
  /// Privileged users need no limit; containers may refuse in spite of one.
  public let scheduling: Scheduling

  /// Reads the limits and tries real-time scheduling on a thread made for that.
  public static func read(priority: Int32 = Scheduling.defaultPriority) -> Limits {
    var scheduling = Scheduling.refused(EAGAIN)
    if let thread = try? RealtimeThread.start(
      name: "midimetro-probe", priority: priority, state: (), body: { _ in })
    {
      scheduling = thread.scheduling
      thread.join()
    }
    return Limits(
      realtimePriority: Limit(midimetro_limit_of_rtprio()),
      lockedMemory: Limit(midimetro_limit_of_memlock()), scheduling: scheduling)
  }
}

extension Limits.Limit {
  /// The limit as the kernel gives it, where the largest number means none.
  init(_ number: UInt64) { self = number == .max ? .unlimited : .atMost(number) }
}
