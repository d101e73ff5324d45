internal import CLinux
internal import Glibc

/// Wakes the main thread's poll loop from another thread.
///
/// Notices that come before the loop looks are one. Sharing it is sound: it is a descriptor, and
/// the kernel serialises what is done with it.
public final class Notifier: Sendable {
  /// Readable while a notice waits.
  public let descriptor: Int32

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Makes one; source: `eventfd`, without blocking.
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

  /// Takes the notices that have come; their number, 0 when there was none.
  @discardableResult
  public func drain() -> UInt64 {
    var count: eventfd_t = 0
    return unsafe eventfd_read(descriptor, &count) == 0 ? count : 0
  }
}
