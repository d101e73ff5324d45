internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// Lines on their way to the standard output, which must never hold up the main thread: a reader
/// that stops reading would otherwise keep Ctrl-C from being heard.
struct OutputBacklog {
  private var bytes: [UInt8] = []
  /// Lines that were given up because the reader did not read.
  private(set) var dropped: Int64 = 0
  /// True when the output can never be written again, the `errno` with it.
  private(set) var failure: Int32?

  /// The most that waits, in bytes: some ten minutes of beats.
  private static let room = 256 * 1024
  /// What is written at a time, in bytes; asked while the output is still what it was.
  private let piece = StandardOutput.piece

  var isEmpty: Bool { bytes.isEmpty }

  /// Adds a line and writes what can be written at once.
  mutating func add(_ line: String) {
    guard failure == nil else { return }
    if bytes.count > Self.room {
      dropped += 1
      return
    }
    bytes += line.utf8
    bytes.append(UInt8(ascii: "\n"))
    flush()
  }

  /// Writes what can be written without waiting.
  mutating func flush() {
    while !bytes.isEmpty, failure == nil, PollSet.isWritable(STDOUT_FILENO) {
      let count = unsafe write(STDOUT_FILENO, bytes, min(bytes.count, piece))
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { return }
        failure = errno
        return
      }
      bytes.removeFirst(count)
    }
  }
}
