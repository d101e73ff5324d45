internal import Glibc
internal import MIDIClock

/// A file descriptor for writing; this type does not close it.
public struct Descriptor: Hashable, Sendable {
  /// The descriptor's number.
  public let number: Int32

  /// Wraps the descriptor `number`.
  public init(_ number: Int32) { self.number = number }

  /// Writes as many of `bytes` as one system call accepts.
  ///
  /// Source: `write`, repeated when a signal interrupts it.
  /// - Returns: The number of bytes written; 0 when the descriptor is non-blocking and full.
  /// - Throws: `SystemError` of `write`, such as `EPIPE` or `ENOSPC`.
  public func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    while true {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(number, buffer.baseAddress, buffer.count)
      }
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      guard errno == EINTR else { throw SystemError(operation: "write", code: errno) }
    }
  }

  /// Writes all of `bytes`, blocking as long as necessary.
  ///
  /// Another process that shares the descriptor may have made it non-blocking; it is then retried
  /// every 5 ms.
  /// - Throws: `SystemError` of `write`, such as `EPIPE` or `ENOSPC`.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try writeSome(rest)
      rest = rest.dropFirst(count)
      if count == 0 { SystemClock.sleep(until: SystemClock.now + .milliseconds(5)) }
    }
  }
}
