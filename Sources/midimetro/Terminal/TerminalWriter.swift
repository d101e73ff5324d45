internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// Writes to a terminal without ever blocking.
///
/// A terminal that is not being read (a frozen connection, a stopped emulator, Ctrl-S) accepts what
/// it can, and the rest is kept here.
struct TerminalWriter: ~Copyable {
  /// The most that one call writes.
  ///
  /// The kernel does not preempt the terminal's driver within a piece of up to 2 KB (`n_tty_write`,
  /// voluntary preemption), and holds a pulse up by as long. The end of a call is a preemption point.
  private static var piece: Int { 256 }

  /// The descriptor to write to.
  ///
  /// Opened separately, because non-blocking mode belongs to the open file, which the shell shares;
  /// the standard output if that fails.
  let descriptor: Int32
  private let waitsForNone: Bool
  private var backlog = TerminalBacklog()

  /// Opens the terminal of the standard output.
  init() {
    let own = unsafe open(
      "/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    waitsForNone = own >= 0
    descriptor = own >= 0 ? own : STDOUT_FILENO
  }

  deinit { if waitsForNone { close(descriptor) } }

  /// Whether all output has been accepted.
  var isEmpty: Bool { backlog.isEmpty }

  /// When to retry; `nil` if the terminal is not blocked.
  var retry: HostTime? { backlog.retry }

  /// Appends `bytes` to the backlog.
  mutating func add(_ bytes: [UInt8]) { backlog.add(bytes) }

  /// Discards the backlog.
  mutating func forget() { backlog.forget() }

  /// Whether a long blockage has ended since the last call.
  mutating func takeLongBlockage() -> Bool { backlog.takeLongBlockage() }

  /// Writes as much as possible without blocking.
  mutating func flush(at now: HostTime) {
    let (descriptor, waitsForNone) = (descriptor, waitsForNone)
    backlog.flush(at: now) { bytes in
      // Otherwise in pieces, which do not block after it polls writable.
      guard waitsForNone || PollSet.isWritable(descriptor) else { return .full }
      let piece = bytes.prefix(waitsForNone ? Self.piece : StandardOutput.terminalPiece)
      let count = unsafe piece.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count >= 0 { return count == 0 ? .full : .took(count) }
      return errno == EAGAIN || errno == EINTR ? .full : .gone
    }
  }

  /// Whether the terminal has accepted all output and is writable; always true if it is gone.
  mutating func isReady(at now: HostTime) -> Bool {
    flush(at: now)
    guard backlog.isEmpty else { return false }
    guard !backlog.isGone, !PollSet.isWritable(descriptor) else { return true }
    backlog.block(at: now)
    return false
  }
}
