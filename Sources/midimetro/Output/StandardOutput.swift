internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// Writing to the standard streams by the system call: no buffer that a signal could lose.
enum StandardOutput {
  /// Whether the standard output was a terminal when this was first asked: one that has gone does not
  /// say any more that it was.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// What a terminal that polls writable takes without waiting, in bytes: the room of a
  /// pseudo-terminal comes in such pieces, and a serial line has more left.
  ///
  /// Source: Linux, `tty_buffer.c` and `n_tty_poll`.
  static let terminalPiece = 256

  /// What the standard output takes without waiting when it polls writable, in bytes; source for
  /// pipes: `PIPE_BUF`.
  static let piece = isTerminal ? terminalPiece : 4_096

  /// Whether `error`, of writing to the standard output, says only that nobody reads any more: one
  /// that has read enough (`| head`), or a terminal that has gone.
  static func isUnread(_ error: SystemError) -> Bool {
    error.isBrokenPipe || error.code == EIO && isTerminal
  }

  /// Writes all of `text`, waiting as long as it takes; false when it cannot be written.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    write(Array(text.utf8), to: descriptor)
  }

  /// Writes all of `bytes`, likewise.
  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    var bytes = bytes
    while !bytes.isEmpty {
      let count = unsafe Glibc.write(descriptor, bytes, bytes.count)
      if count < 0 {
        guard errno == EINTR || errno == EAGAIN else { return false }
        // Whoever shares the descriptor has made it non-blocking: wait all the same.
        if errno == EAGAIN { SystemClock.sleep(until: SystemClock.now + .milliseconds(5)) }
        continue
      }
      bytes.removeFirst(count)
    }
    return true
  }

  /// Writes `bytes` to a terminal or a file for as long as some are taken within `patience`; the rest
  /// is lost.
  static func write(_ bytes: [UInt8], to descriptor: Int32, patience: HostTime.Span) {
    var start = 0
    let deadline = SystemClock.now + patience
    while start < bytes.count {
      guard PollSet.isWritable(descriptor) else {
        guard SystemClock.now < deadline else { return }
        SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
        continue
      }
      let piece = Array(bytes[start...].prefix(terminalPiece))
      let count = unsafe Glibc.write(descriptor, piece, piece.count)
      guard count >= 0 || errno == EINTR || errno == EAGAIN else { return }
      start += max(0, count)
    }
  }

  /// Writes all of `text`; a reader that has read enough (`| head`) is no error.
  static func print(_ text: String) throws(Failure) {
    if !write(text) { try complainOfOutput() }
  }

  /// Ends the command because the output cannot be written, unless nobody reads it any more.
  static func complainOfOutput() throws(Failure) {
    let error = SystemError(operation: "write", code: errno)
    guard error.isBrokenPipe else {
      throw Failure("the output cannot be written: \(error)", .inputOutput)
    }
  }

  /// Writes one line to the standard error stream, for which it waits a second at most.
  ///
  /// What it quotes may be anything, so control characters, which a terminal obeys, become `?`.
  static func complain(_ line: String) {
    write(
      Array("midimetro: \(Words.printable(line, mark: "?"))\n".utf8), to: STDERR_FILENO,
      patience: .seconds(1))
  }
}
