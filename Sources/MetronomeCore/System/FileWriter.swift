internal import Glibc

/// A text file being written; what is added reaches the file with `flush`.
public struct FileWriter: ~Copyable {
  private let descriptor: Int32
  private var bytes: [UInt8] = []

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Makes the file at `path`, or empties the one that is there.
  ///
  /// Source: `open`. Errors: whatever it says, such as `EACCES`.
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

  /// Writes what has been added.
  ///
  /// Source: `write`. Errors: whatever it says, such as `ENOSPC`.
  public mutating func flush() throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let part = Array(bytes[start...])
      let count = unsafe write(descriptor, part, part.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError(operation: "write", code: errno)
      }
      start += count
    }
    bytes = []
  }
}

/// Files written as a whole.
public enum WholeFile {
  /// Makes the file at `path` hold `bytes`: all of them, or what it held before.
  ///
  /// Folders that are missing are made. Source: `mkdir`, `open`, `write`, `fsync`, `rename`. Errors:
  /// whatever they say, such as `EACCES`.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      if unsafe mkdir(folder, 0o777) != 0, errno != EEXIST {
        throw SystemError(operation: "mkdir", code: errno)
      }
    }
    // Through a link, so that a file kept elsewhere stays a link.
    let target = unsafe realpath(path, nil).map { pointer in
      defer { unsafe free(pointer) }
      return unsafe String(cString: pointer)
    }
    let place = target ?? path
    let draft = place + ".new"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemError(operation: "open", code: errno) }
    var start = 0
    var failure: SystemError?
    while start < bytes.count, failure == nil {
      let rest = Array(bytes[start...])
      let count = unsafe write(descriptor, rest, rest.count)
      if count >= 0 {
        start += count
      } else if errno != EINTR {
        failure = SystemError(operation: "write", code: errno)
      }
    }
    if failure == nil, fsync(descriptor) != 0 {
      failure = SystemError(operation: "fsync", code: errno)
    }
    close(descriptor)
    if failure == nil, unsafe rename(draft, place) != 0 {
      failure = SystemError(operation: "rename", code: errno)
    }
    if let failure {
      unsafe _ = unlink(draft)
      throw failure
    }
  }
}
