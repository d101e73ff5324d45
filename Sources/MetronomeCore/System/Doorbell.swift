internal import CLinux
internal import Glibc
public import MIDIClock
internal import Synchronization

/// Wakes the engine's thread before its deadline.
///
/// A counting semaphore at an address that stays: each ring ends one wait, also one that begins
/// later. Sharing it is what semaphores are made for; the last reference to go destroys it, when
/// nobody can be waiting any more.
@safe public final class Doorbell: Sendable {
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>
  // What was written before a ring is seen after its wait. The semaphore gives as much, but
  // ThreadSanitizer does not know `sem_clockwait`.
  private let rings = Atomic<UInt>(0)

  /// A bell that has not been rung.
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

  /// Waits until rung or until `deadline`, and tells which: true when rung.
  ///
  /// Returns at once when it has been rung already or `deadline` is past. Real-time safe: one
  /// system call and no allocation. Signals do not end it. Source: `sem_clockwait` with
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
