internal import CLinux
internal import Glibc
public import MIDIClock

/// Waits for the first of a few descriptors to become readable, or for a deadline.
public struct PollSet: Sendable {
  private let descriptors: [Int32]
  private var ready: [UInt8]

  /// A set of at most 16 `descriptors`, known by their places in the list.
  public init(_ descriptors: [Int32]) {
    self.descriptors = descriptors
    ready = Array(repeating: 0, count: descriptors.count)
  }

  /// Waits until a descriptor can be read or `deadline` comes; `nil` waits without end.
  ///
  /// Returns the places of those that can be read, or have failed or been closed and say so when
  /// read; none when the deadline came. Signals do not end it. Source: `ppoll`, with what is
  /// left until `deadline` on the monotonic clock. Errors: `EINVAL` with more than 16.
  public mutating func wait(until deadline: HostTime? = nil) throws(SystemError) -> [Int] {
    while true {
      let left = deadline.map { max(0, ($0 - SystemClock.now).nanoseconds) } ?? -1
      let result = unsafe midimetro_poll(descriptors, &ready, Int32(descriptors.count), left)
      if result >= 0 { return ready.indices.filter { ready[$0] != 0 } }
      guard errno == EINTR else { throw SystemError(operation: "ppoll", code: errno) }
    }
  }

  /// Whether the last wait found the descriptor at `place` of the list readable.
  func isReady(_ place: Int) -> Bool { ready[place] != 0 }

  /// Waits as `wait(until:)` does, but only tells whether any can be read; it allocates nothing.
  ///
  /// Real-time safe: yes. An error counts as readable: the read then tells it.
  mutating func waitForAny(until deadline: HostTime) -> Bool {
    while true {
      let left = max(0, (deadline - SystemClock.now).nanoseconds)
      let result = unsafe midimetro_poll(descriptors, &ready, Int32(descriptors.count), left)
      if result >= 0 { return result > 0 }
      guard errno == EINTR else { return true }
    }
  }

  /// Whether `descriptor` takes at least a little without waiting, or has failed.
  ///
  /// Source: `poll`; a pipe that polls writable takes `PIPE_BUF` bytes.
  public static func isWritable(_ descriptor: Int32) -> Bool {
    midimetro_is_writable(descriptor) != 0
  }
}
