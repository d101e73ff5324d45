internal import CLinux
internal import Glibc

/// The properties of this machine that affect timing; for `doctor`.
public struct Machine: Hashable, Sendable {
  /// The kernel's release, such as "6.1.0-18-amd64"; source: `uname`.
  public var kernel: String
  /// Whether this is a PREEMPT_RT kernel; source: `/sys/kernel/realtime`, else the version string.
  public var isRealtimeKernel: Bool
  /// The CPU frequency governors in use, without duplicates; empty if the machine has none.
  public var governors: [String]
  /// The setting for transparent huge pages: `always`, `madvise` or `never`; `nil` if the kernel
  /// does not support them.
  ///
  /// With `always`, the kernel merges small pages into huge ones in the background. Without
  /// PREEMPT_RT this blocks a processor for up to some milliseconds at a time. Source:
  /// `/sys/kernel/mm/transparent_hugepage/enabled`, Linux's transhuge.rst.
  public var hugePages: String?

  /// Creates a description of a machine.
  public init(kernel: String, isRealtimeKernel: Bool, governors: [String], hugePages: String? = nil)
  {
    self.kernel = kernel
    self.isRealtimeKernel = isRealtimeKernel
    self.governors = governors
    self.hugePages = hugePages
  }

  /// Reads the properties of this machine.
  public static func read() -> Machine {
    let version = line("/proc/sys/kernel/version") ?? ""
    var governors: [String] = []
    for processor in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_CONF))) {
      let path = "/sys/devices/system/cpu/cpu\(processor)/cpufreq/scaling_governor"
      if let governor = line(path), !governors.contains(governor) { governors.append(governor) }
    }
    return Machine(
      kernel: line("/proc/sys/kernel/osrelease") ?? "unknown",
      isRealtimeKernel: line("/sys/kernel/realtime") == "1"
        || version.split(separator: " ").contains { $0 == "PREEMPT_RT" || $0 == "RT" },
      governors: governors,
      hugePages: line("/sys/kernel/mm/transparent_hugepage/enabled").flatMap(chosen))
  }

  /// The word in brackets, which marks the active option in files in `/sys`.
  static func chosen(_ words: String) -> String? {
    words.split(separator: " ").first { $0.hasPrefix("[") && $0.hasSuffix("]") }
      .map { String($0.dropFirst().dropLast()) }
  }

  private static func line(_ path: String) -> String? {
    SmallFile.read(path).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }

  /// The timer slack of the calling thread in nanoseconds: the delay that the kernel may add to a
  /// sleep.
  ///
  /// Source: `PR_GET_TIMERSLACK`.
  public static var timerSlack: Int64 { Int64(midimetro_timer_slack()) }
}
