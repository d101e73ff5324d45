internal import CLinux
internal import Glibc
public import MIDIClock

/// Waits for any of several descriptors to become readable, or for a deadline.
public struct PollSet: Sendable {
  private let descriptors: [Int32]
  private var ready: [UInt8]

  /// Creates a set of at most 16 `descriptors`, identified by their index.
  public init(_ descriptors: [Int32]) {
    self.descriptors = descriptors
    ready = Array(repeating: 0, count: descriptors.count)
  }

  /// Waits until a descriptor is readable or `deadline` passes; `nil` waits indefinitely.
  ///
  /// Returns the indices of the descriptors that are readable, or that have failed or been closed,
  /// which a read then reports; empty at the deadline. Signals do not end the wait. Source:
  /// `ppoll`, with the time left until `deadline` on the monotonic clock.
  /// - Throws: `SystemError` of `ppoll`; `EINVAL` with more than 16.
  public mutating func wait(until deadline: HostTime? = nil) throws(SystemError) -> [Int] {
    while true {
      let left = deadline.map { max(0, ($0 - SystemClock.now).nanoseconds) } ?? -1
      let result = unsafe midimetro_poll(descriptors, &ready, Int32(descriptors.count), left)
      if result >= 0 { return ready.indices.filter { ready[$0] != 0 } }
      guard errno == EINTR else { throw SystemError(operation: "ppoll", code: errno) }
    }
  }

  /// Whether the last wait found the descriptor at `index` readable.
  func isReady(_ index: Int) -> Bool { ready[index] != 0 }

  /// Waits like `wait(until:)`, but only returns whether any descriptor is readable; does not
  /// allocate.
  ///
  /// Real-time safe: yes. An error counts as readable, so that the read reports it.
  mutating func waitForAny(until deadline: HostTime) -> Bool {
    while true {
      let left = max(0, (deadline - SystemClock.now).nanoseconds)
      let result = unsafe midimetro_poll(descriptors, &ready, Int32(descriptors.count), left)
      if result >= 0 { return result > 0 }
      guard errno == EINTR else { return true }
    }
  }

  /// Whether a write to `descriptor` would not block, or would fail.
  ///
  /// Source: `poll`; a writable pipe accepts `PIPE_BUF` bytes.
  public static func isWritable(_ descriptor: Int32) -> Bool {
    midimetro_is_writable(descriptor) != 0
  }
}
