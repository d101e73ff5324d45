internal import CLinux
internal import Glibc

/// The resource limits of this process; for `doctor`.
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

  /// The maximum real-time priority, 0 for none; source: `RLIMIT_RTPRIO`.
  public let realtimePriority: Limit
  /// The maximum amount of locked memory in bytes; source: `RLIMIT_MEMLOCK`.
  public let lockedMemory: Limit
  /// The scheduling that a thread actually gets, whatever the limit.
  ///
  /// Privileged users need no limit; containers may refuse despite one.
  public let scheduling: Scheduling

  /// Reads the limits and tries real-time scheduling on a temporary thread.
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
  /// Creates a limit from the kernel's value, where the largest number means unlimited.
  init(_ number: UInt64) { self = number == .max ? .unlimited : .atMost(number) }
}
