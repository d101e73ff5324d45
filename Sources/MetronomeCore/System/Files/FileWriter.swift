internal import Glibc

/// Writes a text file; added lines are buffered until `flush`.
public struct FileWriter: ~Copyable {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  /// Whether the file may still hold what was in it before.
  private var isUntouched = true
  /// The length of the file up to its last whole line; `nil` for a pipe or a device.
  private var length: Int?

  private init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    var about = stat()
    let isFile = unsafe fstat(descriptor, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
    length = isFile ? 0 : nil
  }

  deinit { close(descriptor) }

  /// Opens the file at `path`, or creates it.
  ///
  /// A file that exists keeps its content until the first line is written, so that a command that
  /// ends early has destroyed nothing.
  /// - Throws: `SystemError` of `open`, such as `EACCES`.
  public static func create(_ path: String) throws(SystemError) -> FileWriter {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
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
    guard !bytes.isEmpty else { return }
    if isUntouched, length != nil, ftruncate(descriptor, 0) != 0 {
      throw SystemError(operation: "ftruncate", code: errno)
    }
    isUntouched = false
    do throws(SystemError) { try Descriptor(descriptor).writeAll(bytes) } catch {
      // A line cut in its middle would make the whole file unreadable.
      if let length { _ = ftruncate(descriptor, off_t(length)) }
      throw error
    }
    length = length.map { $0 + bytes.count }
    bytes = []
  }
}
