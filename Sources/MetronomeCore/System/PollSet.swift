internal import CLinux
internal import Glibc
public import MIDIClock

/// Waits for the first of a few descriptors to become readable, or for a deadline.
public struct PollSet: Sendable {
  private var entries: [pollfd]

  /// A set of `descriptors`, known by their places in the list.
  public init(_ descriptors: [Int32]) {
    entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  /// Waits until a descriptor can be read or `deadline` comes; `nil` waits without end.
  ///
  /// Returns the places of those that can be read, or have failed or been closed and say so when
  /// read; none when the deadline came. Signals do not end it. Source: `ppoll`, with what is
  /// left until `deadline` on the monotonic clock.
  public mutating func wait(until deadline: HostTime? = nil) throws(SystemError) -> [Int] {
    while true {
      let result = poll(until: deadline)
      if result > 0 { return entries.indices.filter { entries[$0].revents != 0 } }
      if result == 0 { return [] }
      guard errno == EINTR else { throw SystemError(operation: "ppoll", code: errno) }
    }
  }

  private mutating func poll(until deadline: HostTime?) -> Int32 {
    let count = nfds_t(entries.count)
    guard let deadline else { return unsafe ppoll(&entries, count, nil, nil) }
    let left = (deadline - SystemClock.now).nanoseconds
    var timeout = timespec(HostTime(nanoseconds: left))
    return unsafe ppoll(&entries, count, &timeout, nil)
  }
}
