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

/// The way to a terminal that is never waited for: one that nobody reads (a frozen connection, a
/// stopped emulator, Ctrl-S) takes what it can, and the rest waits here.
struct TerminalWriter: ~Copyable {
  /// What is written to.
  ///
  /// One of our own, because not to wait is a property of the open terminal, which the shell shares;
  /// the standard output where it cannot be opened anew.
  let descriptor: Int32
  private let waitsForNone: Bool
  private var backlog = TerminalBacklog()

  /// The terminal of the standard output.
  init() {
    let own = unsafe open(
      "/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    waitsForNone = own >= 0
    descriptor = own >= 0 ? own : STDOUT_FILENO
  }

  deinit { if waitsForNone { close(descriptor) } }

  /// Whether all it was given has been taken.
  var isEmpty: Bool { backlog.isEmpty }

  /// When to try again; `nil` when there is no need.
  var retry: HostTime? { backlog.retry }

  /// Puts `bytes` behind what waits.
  mutating func add(_ bytes: [UInt8]) { backlog.add(bytes) }

  /// Drops what waits.
  mutating func forget() { backlog.forget() }

  /// Whether a long blockage has ended since this was last asked.
  mutating func takeLongBlockage() -> Bool { backlog.takeLongBlockage() }

  /// Writes what is taken without waiting.
  mutating func flush(at now: HostTime) {
    let (descriptor, waitsForNone) = (descriptor, waitsForNone)
    backlog.flush(at: now) { bytes in
      // Else in pieces of which it has room for one when it polls writable.
      guard waitsForNone || PollSet.isWritable(descriptor) else { return .full }
      let piece = waitsForNone ? bytes : bytes.prefix(Standard.terminalPiece)
      let count = unsafe piece.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count >= 0 { return count == 0 ? .full : .took(count) }
      return errno == EAGAIN || errno == EINTR ? .full : .gone
    }
  }

  /// Whether it has taken all it was given and takes more; a terminal that has gone takes anything.
  mutating func isReady(at now: HostTime) -> Bool {
    flush(at: now)
    guard backlog.isEmpty else { return false }
    guard !backlog.isGone, !PollSet.isWritable(descriptor) else { return true }
    backlog.block(at: now)
    return false
  }
}
