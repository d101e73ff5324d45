internal import Glibc

/// Writes a text file; added lines are buffered until `flush`.
public struct FileWriter: ~Copyable {
  private let descriptor: Int32
  private var bytes: [UInt8] = []

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Creates the file at `path`, or truncates it if it exists.
  ///
  /// - Throws: `SystemError` of `open`, such as `EACCES`.
  public static func create(_ path: String) throws(SystemError) -> FileWriter {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError(operation: "open", code: errno) }
    return FileWriter(adopting: descriptor)
  }

  /// Adds a line.
  public mutating func add(_ line: String) {
    bytes += line.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes the buffered lines.
  ///
  /// - Throws: `SystemError` of `write`, such as `ENOSPC`.
  public mutating func flush() throws(SystemError) {
    try Descriptor(descriptor).writeAll(bytes)
    bytes = []
  }
}
