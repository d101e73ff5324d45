internal import CLinux
internal import Glibc

/// Keeps the process's memory from being paged out, or moved about.
public enum MemoryLock {
  /// Locks what is in memory and whatever is touched later; returns the errno when refused.
  ///
  /// Nothing becomes resident that would not be anyway, since pages are locked as they are
  /// touched. `ENOMEM` or `EPERM` mean that `RLIMIT_MEMLOCK` is too small: worth one warning, no
  /// more. Source: `mlockall` with `MCL_CURRENT`, `MCL_FUTURE` and `MCL_ONFAULT` (Linux 4.4).
  ///
  /// Huge pages are refused too: the kernel gathers small ones into huge ones in the background,
  /// with the pages away meanwhile. One pulse in some twenty thousand was 1 to 3 ms late by that.
  /// Source: `prctl` with `PR_SET_THP_DISABLE` (Linux 3.15).
  public static func lockAll() -> Int32? {
    _ = midimetro_refuse_huge_pages()
    return midimetro_lock_memory() == 0 ? nil : errno
  }

  /// Takes it back; source: `munlockall`.
  public static func unlockAll() { munlockall() }
}
