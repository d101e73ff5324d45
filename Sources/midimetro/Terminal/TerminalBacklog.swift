internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// Output that a terminal has not accepted yet, and how long it has been blocked.
///
/// Pure: time is a parameter, and the caller does the writing.
struct TerminalBacklog {
  /// The result of a write.
  enum Outcome: Hashable {
    case took(Int)
    /// The terminal is blocked.
    case full
    /// The terminal is gone.
    case gone
  }

  /// After this long the terminal's contents are unknown.
  static let long = HostTime.Span.seconds(1)
  /// Retry at frame rate, then every 100 ms.
  private static let soon = HostTime.Span.milliseconds(33)
  private static let late = HostTime.Span.milliseconds(100)

  private var bytes: [UInt8] = []
  private var start = 0
  private var blockedSince: HostTime?
  private var wasLong = false
  private(set) var isGone = false
  /// When to retry; `nil` while the terminal accepts output.
  private(set) var retry: HostTime?

  var isEmpty: Bool { bytes.isEmpty }

  /// Appends `more` to the backlog.
  mutating func add(_ more: [UInt8]) { if !isGone { bytes += more } }

  /// Passes the backlog to `write` until it is empty or the terminal blocks.
  mutating func flush(at now: HostTime, _ write: (ArraySlice<UInt8>) -> Outcome) {
    while !bytes.isEmpty {
      switch write(bytes[start...]) {
      case .took(let count):
        start += count
        if start == bytes.count { forget() }
      case .full:
        block(at: now)
        return
      case .gone:
        isGone = true
        forget()
      }
    }
    unblock(at: now)
  }

  /// Records that the terminal is blocked.
  mutating func block(at now: HostTime) {
    let since = blockedSince ?? now
    blockedSince = since
    retry = now + (now - since < Self.long ? Self.soon : Self.late)
  }

  private mutating func unblock(at now: HostTime) {
    if let blockedSince, !(now - blockedSince < Self.long) { wasLong = true }
    blockedSince = nil
    retry = nil
  }

  /// Discards the backlog.
  mutating func forget() {
    bytes.removeAll(keepingCapacity: true)
    start = 0
  }

  /// Whether a long blockage has ended since the last call.
  mutating func takeLongBlockage() -> Bool {
    defer { wasLong = false }
    return wasLong
  }
}
