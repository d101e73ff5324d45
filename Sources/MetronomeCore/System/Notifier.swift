internal import CLinux
internal import Glibc

/// Wakes the main thread's poll loop from another thread.
///
/// Notifications before the loop polls are merged into one. Sharing it is safe: it is a descriptor,
/// and the kernel serialises its use.
public final class Notifier: Sendable {
  /// Readable while a notification is pending.
  public let descriptor: Int32

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Creates a notifier; source: `eventfd`, non-blocking.
  public static func open() throws(SystemError) -> Notifier {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError(operation: "eventfd", code: errno) }
    return Notifier(adopting: descriptor)
  }

  /// Makes the descriptor readable.
  ///
  /// Real-time safe: one system call that never blocks. Source: `eventfd_write`.
  @_semantics("no_performance_analysis")
  public func notify() { _ = eventfd_write(descriptor, 1) }

  /// Clears the pending notifications and returns their number.
  @discardableResult
  public func drain() -> UInt64 {
    var count: eventfd_t = 0
    return unsafe eventfd_read(descriptor, &count) == 0 ? count : 0
  }
}
