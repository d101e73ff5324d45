internal import CLinux
internal import Glibc
public import MIDIClock
internal import Synchronization

/// Wakes the engine's thread before its deadline.
///
/// A counting semaphore at a fixed address. Each ring ends one wait, even one that begins later.
/// Sharing it is safe, because semaphores are thread-safe; the last reference destroys it, when no
/// thread can be waiting any more.
@safe public final class Doorbell: Sendable {
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>
  // Writes before a ring are visible after its wait. The semaphore guarantees this by itself, but
  // ThreadSanitizer does not know `sem_clockwait`.
  private let rings = Atomic<UInt>(0)

  /// Creates a bell that has not been rung.
  public init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe semaphore.initialize(to: sem_t())
    unsafe _ = sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe _ = sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Ends a wait.
  ///
  /// May be called from any thread and from a signal handler; never blocks. Source: `sem_post`.
  public func ring() {
    rings.wrappingAdd(1, ordering: .releasing)
    unsafe _ = sem_post(semaphore)
  }

  /// Waits until rung or until `deadline`; returns true if rung.
  ///
  /// Returns immediately if it has already been rung or `deadline` is past. Real-time safe: one
  /// system call and no allocation. Signals do not end the wait. Source: `sem_clockwait` with
  /// `CLOCK_MONOTONIC`.
  @_semantics("no_performance_analysis")
  public func wait(until deadline: HostTime) -> Bool {
    var time = timespec(deadline)
    while true {
      if unsafe midimetro_sem_wait_until(semaphore, &time) == 0 {
        _ = rings.load(ordering: .acquiring)
        return true
      }
      if errno != EINTR { return false }
    }
  }
}
