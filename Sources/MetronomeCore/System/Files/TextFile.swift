internal import Glibc
internal import MIDIClock

/// Reads complete text files of the size that people write by hand.
public enum TextFile {
  /// The maximum size in bytes; larger files are rejected.
  public static let limit = 1_048_576

  /// The content of the file at `path`; `nil` if it does not exist or cannot be reached.
  ///
  /// Never waits for a writer, as opening a pipe would.
  /// - Throws: `SystemError` of `open` or `read`, such as `EACCES` or `EISDIR`; `EFBIG` above the
  ///   limit.
  public static func read(_ path: String) throws(SystemError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { return nil }
      // A parent folder without search permission, such as another user's home, hides the file:
      // treat it as missing.
      if code == EACCES, unsafe access(path, F_OK) != 0 { return nil }
      throw SystemError(operation: "open", code: code)
    }
    defer { close(descriptor) }
    return try content(of: descriptor, limit: limit)
  }

  /// The maximum size in bytes of what `readToEnd` reads: a MIDI file may hold a whole performance.
  public static let streamLimit = 16 * 1_048_576

  /// The content of the file or pipe at `path`, or of the standard input for `-`; `nil` if it does
  /// not exist.
  ///
  /// Waits for the writer of a pipe, and until it closes its end.
  /// - Throws: `SystemError` of `open` or `read`; `EFBIG` above `streamLimit`.
  public static func readToEnd(_ path: String) throws(SystemError) -> [UInt8]? {
    if path == "-" { return try content(of: STDIN_FILENO, limit: streamLimit) }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SystemError(operation: "open", code: errno)
    }
    defer { close(descriptor) }
    return try content(of: descriptor, limit: streamLimit)
  }

  private static func content(
    of descriptor: Int32, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        // Another process that shares the standard input may have made it non-blocking.
        if errno == EAGAIN, descriptor == STDIN_FILENO {
          SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
          continue
        }
        throw SystemError(operation: "read", code: errno)
      }
      if count == 0 { return content }
      content += chunk[..<count]
      guard content.count <= limit else { throw SystemError(operation: "read", code: EFBIG) }
    }
  }

  /// Why the file or device at `path` cannot be opened for reading and writing; `nil` if it can.
  ///
  /// Source: `open`.
  public static func refusal(_ path: String) -> SystemError? {
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return SystemError(operation: "open", code: errno) }
    close(descriptor)
    return nil
  }
}
