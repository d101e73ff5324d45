internal import CLinux
internal import Glibc

/// Keeps the process's memory from being paged out.
public enum MemoryLock {
  /// Locks what is in memory and whatever is touched later; returns the errno when refused.
  ///
  /// Nothing becomes resident that would not be anyway, since pages are locked as they are
  /// touched. `ENOMEM` or `EPERM` mean that `RLIMIT_MEMLOCK` is too small: worth one warning, no
  /// more. Source: `mlockall` with `MCL_CURRENT`, `MCL_FUTURE` and `MCL_ONFAULT` (Linux 4.4).
  public static func lockAll() -> Int32? {
    midimetro_lock_memory() == 0 ? nil : errno
  }

  /// Takes it back; source: `munlockall`.
  public static func unlockAll() { munlockall() }
}
