internal import CLinux
internal import Glibc

/// Keeps the process's memory from being paged out or moved.
public enum MemoryLock {
  /// Locks all pages in memory and those touched later; returns the errno on failure.
  ///
  /// Pages are locked as they are touched, so nothing becomes resident that would not be anyway.
  /// `ENOMEM` or `EPERM` mean that `RLIMIT_MEMLOCK` is too small, which deserves a warning only.
  /// Source: `mlockall` with `MCL_CURRENT`, `MCL_FUTURE` and `MCL_ONFAULT` (Linux 4.4).
  ///
  /// Also disables huge pages: the kernel merges small ones in the background, and unmaps them
  /// meanwhile. That made about one pulse in twenty thousand 1 to 3 ms late. Source: `prctl` with
  /// `PR_SET_THP_DISABLE` (Linux 3.15).
  public static func lockAll() -> Int32? {
    _ = midimetro_refuse_huge_pages()
    return midimetro_lock_memory() == 0 ? nil : errno
  }

  /// Unlocks all pages; source: `munlockall`.
  public static func unlockAll() { munlockall() }
}
