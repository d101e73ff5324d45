internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// The way to a terminal that is never waited for: one that nobody reads (a frozen connection, a
/// stopped emulator, Ctrl-S) takes what it can, and the rest waits here.
struct TerminalWriter: ~Copyable {
  /// The most that one call writes.
  ///
  /// The kernel does not preempt the terminal's driver within a piece of up to 2 KB (`n_tty_write`,
  /// voluntary preemption), and holds a pulse up by as long. The end of a call is a preemption point.
  private static var piece: Int { 256 }

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
      let piece = bytes.prefix(waitsForNone ? Self.piece : StandardOutput.terminalPiece)
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
