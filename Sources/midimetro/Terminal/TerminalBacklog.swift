internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// What a terminal is to get and has not taken yet, and how long it has taken nothing.
///
/// Pure: time is a parameter, and who writes is the caller's.
struct TerminalBacklog {
  /// What became of some bytes.
  enum Outcome: Hashable {
    case took(Int)
    /// It takes none just now.
    case full
    /// It never will again.
    case gone
  }

  /// Longer than this, and nobody knows what the terminal still has of what it took.
  static let long = HostTime.Span.seconds(1)
  /// A picture's time at first, and less often when it lasts.
  private static let soon = HostTime.Span.milliseconds(33)
  private static let late = HostTime.Span.milliseconds(100)

  private var bytes: [UInt8] = []
  private var start = 0
  private var blockedSince: HostTime?
  private var wasLong = false
  private(set) var isGone = false
  /// When to try again; `nil` while it takes what it gets.
  private(set) var retry: HostTime?

  var isEmpty: Bool { bytes.isEmpty }

  /// Puts `more` behind what waits.
  mutating func add(_ more: [UInt8]) { if !isGone { bytes += more } }

  /// Gives `write` what waits until all is taken or no more is.
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

  /// It takes nothing just now.
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

  /// Drops what waits.
  mutating func forget() {
    bytes.removeAll(keepingCapacity: true)
    start = 0
  }

  /// Whether a long blockage has ended since this was last asked.
  mutating func takeLongBlockage() -> Bool {
    defer { wasLong = false }
    return wasLong
  }
}
