internal import Glibc

/// Lines of a file, a pipe or the standard input, as they come.
///
/// `fill` reads what is there, once; `next` gives the lines read so far. So a caller that polls
/// `descriptor` first never waits.
public struct LineReader: ~Copyable {
  /// The longest line that is read, in bytes.
  public static let longestLine = 1_048_576

  /// Readable when there is more, or when the end has come.
  public let descriptor: Int32
  private let isOwned: Bool
  private var bytes: [UInt8] = []
  private var start = 0
  private var hasEnded = false
  /// The number of the line given last, from 1.
  public private(set) var number = 0

  private init(adopting descriptor: Int32, isOwned: Bool) {
    self.descriptor = descriptor
    self.isOwned = isOwned
  }

  deinit { if isOwned { close(descriptor) } }

  /// Opens the file at `path`; `-` is the standard input.
  ///
  /// Source: `open`. Errors: whatever it says, such as `ENOENT`.
  public static func open(_ path: String) throws(SystemError) -> LineReader {
    if path == "-" { return LineReader(adopting: STDIN_FILENO, isOwned: false) }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(operation: "open", code: errno) }
    return LineReader(adopting: descriptor, isOwned: true)
  }

  /// Reads what is there; false at the end.
  ///
  /// Source: `read`. Errors: whatever it says, such as `EISDIR`; `EFBIG` for a line without end.
  public mutating func fill() throws(SystemError) -> Bool {
    bytes.removeFirst(start)
    start = 0
    guard bytes.count < Self.longestLine else { throw SystemError(operation: "read", code: EFBIG) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN { return true }
        throw SystemError(operation: "read", code: errno)
      }
      if count == 0 { hasEnded = true }
      bytes += chunk[..<count]
      return count > 0
    }
  }

  /// The next whole line without its line feed; `nil` when more must be read first.
  ///
  /// At the end the last line needs no line feed.
  public mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
      guard hasEnded, start < bytes.count else { return nil }
      let line = bytes[start...]
      start = bytes.count
      number += 1
      return line
    }
    let line = bytes[start..<end]
    start = end + 1
    number += 1
    return line
  }
}
