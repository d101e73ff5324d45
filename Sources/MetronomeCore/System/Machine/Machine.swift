internal import CLinux
internal import Glibc

/// What kind of machine this is, as far as punctual work goes; for `doctor`.
public struct Machine: Hashable, Sendable {
  /// The kernel's release, such as "6.1.0-18-amd64"; source: `uname`.
  public var kernel: String
  /// True for a PREEMPT_RT kernel; source: `/sys/kernel/realtime`, else the version's own words.
  public var isRealtimeKernel: Bool
  /// The CPU frequency governors in use, each once; none where the machine has no such thing.
  public var governors: [String]
  /// Who gets transparent huge pages: `always`, `madvise` or `never`; `nil` on a kernel without them.
  ///
  /// Where everyone does, the kernel gathers small pages into huge ones in the background, in
  /// stretches of up to some milliseconds in which an ordinary kernel gives that processor to nobody.
  /// Source: `/sys/kernel/mm/transparent_hugepage/enabled`, Linux's transhuge.rst.
  public var hugePages: String?

  /// A machine of its parts.
  public init(kernel: String, isRealtimeKernel: Bool, governors: [String], hugePages: String? = nil)
  {
    self.kernel = kernel
    self.isRealtimeKernel = isRealtimeKernel
    self.governors = governors
    self.hugePages = hugePages
  }

  /// The machine we run on.
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

  /// The word in brackets, as files in `/sys` mark the one of several that holds.
  static func chosen(_ words: String) -> String? {
    words.split(separator: " ").first { $0.hasPrefix("[") && $0.hasSuffix("]") }
      .map { String($0.dropFirst().dropLast()) }
  }

  private static func line(_ path: String) -> String? {
    SmallFile.read(path).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }

  /// The timer slack of the calling thread, in nanoseconds: what the kernel may add to a sleep.
  ///
  /// Source: `PR_GET_TIMERSLACK`.
  public static var timerSlack: Int64 { Int64(midimetro_timer_slack()) }
}
