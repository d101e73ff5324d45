internal import Glibc

/// Reads lines from a file, a pipe or the standard input as they arrive.
///
/// `fill` reads what is available, once; `next` returns the lines read so far. A caller that polls
/// `descriptor` first never blocks.
public struct LineReader: ~Copyable {
  /// The maximum length of a line in bytes.
  public static let longestLine = 1_048_576

  /// Readable when there is more data, or at the end of the file.
  public let descriptor: Int32
  private let isOwned: Bool
  private var bytes: [UInt8] = []
  private var start = 0
  private var hasEnded = false
  /// The number of the last line returned, from 1.
  public private(set) var number = 0

  private init(adopting descriptor: Int32, isOwned: Bool) {
    self.descriptor = descriptor
    self.isOwned = isOwned
  }

  deinit { if isOwned { close(descriptor) } }

  /// Opens the file at `path`; `-` is the standard input.
  ///
  /// - Throws: `SystemError` of `open`, such as `ENOENT`.
  public static func open(_ path: String) throws(SystemError) -> LineReader {
    if path == "-" { return LineReader(adopting: STDIN_FILENO, isOwned: false) }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(operation: "open", code: errno) }
    return LineReader(adopting: descriptor, isOwned: true)
  }

  /// Reads the available data; returns false at the end of the file.
  ///
  /// - Throws: `SystemError` of `read`, such as `EISDIR`; `EFBIG` if a line is longer than
  ///   `longestLine`.
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

  /// The next complete line without its line feed; `nil` if more must be read first.
  ///
  /// The last line of the file need not end with a line feed.
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
