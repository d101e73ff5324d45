internal import Glibc

/// Writes a file that appears under its name only when it is complete.
///
/// A regular file is written under another name in the same folder, and renamed by `commit`.
/// Without `commit` it is removed, and any existing file is left untouched. A symbolic link is kept
/// and its target replaced. A device, a pipe or the standard output is written directly.
public final class OutputFile {
  /// The descriptor to write to.
  public let descriptor: Int32
  private let path: String
  /// The temporary name; `nil` if the file is written directly.
  private var partial: String?
  private var isOpen = true

  private init(descriptor: Int32, path: String, partial: String?) {
    self.descriptor = descriptor
    self.path = path
    self.partial = partial
  }

  deinit { discard() }

  /// Closes the file, and removes it unless it has been committed.
  public func discard() {
    if isOpen, descriptor != STDOUT_FILENO { close(descriptor) }
    isOpen = false
    if let partial { unsafe _ = unlink(partial) }
    partial = nil
  }

  /// Creates the missing parent folders of `path`.
  ///
  /// - Throws: `SystemError` of `mkdir`.
  public static func makeFolders(for path: String) throws(SystemError) {
    var folder = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/").dropLast() {
      folder += part + "/"
      if unsafe mkdir(folder, 0o777) != 0, errno != EEXIST {
        throw SystemError(operation: "mkdir", code: errno)
      }
    }
  }

  /// Opens `path` for writing; `-` is the standard output.
  ///
  /// - Throws: `SystemError` of `open` or `mkstemp`; also `EACCES` if the file is write-protected,
  ///   even in a writable folder.
  public static func create(_ path: String) throws(SystemError) -> OutputFile {
    if path == "-" { return OutputFile(descriptor: STDOUT_FILENO, path: path, partial: nil) }
    var about = stat()
    let exists = unsafe stat(path, &about) == 0
    // A link that leads to itself names no file that could be written.
    if !exists, errno == ELOOP { throw SystemError(operation: "open", code: ELOOP) }
    if exists, about.st_mode & S_IFMT != S_IFREG {
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError(operation: "open", code: errno) }
      return OutputFile(descriptor: descriptor, path: path, partial: nil)
    }
    if exists, unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 {
      throw SystemError(operation: "open", code: errno)
    }
    let path = target(of: path)
    var name = Array(partialName(path).utf8CString)
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw SystemError(operation: "open", code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // The permissions of the file to be replaced, or the default ones of a new file.
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, exists ? about.st_mode & 0o777 : 0o666 & ~mask)
    // Only root may give a file away; for others the file is their own anyway.
    if exists, about.st_uid != geteuid() || about.st_gid != getegid() {
      _ = fchown(descriptor, about.st_uid, about.st_gid)
    }
    let partial = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return OutputFile(descriptor: descriptor, path: path, partial: partial)
  }

  /// Whether writing to `path` would replace a file with something in it.
  public static func replaces(_ path: String) -> Bool {
    var about = stat()
    return unsafe path != "-" && stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
      && about.st_size > 0
  }

  /// Resolves symbolic links at the end of `path`, whether the target exists or not.
  private static func target(of path: String) -> String {
    var path = path
    // The kernel's own limit.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe readlink(path, &buffer, buffer.count)
      guard count > 0 else { break }
      let next = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = next.hasPrefix("/") ? next : folder(of: path) + next
    }
    return path
  }

  /// A template for `mkstemp` in the folder of `path`, within the length limit for names.
  private static func partialName(_ path: String) -> String {
    let ending = ".XXXXXX"
    let limit = Int(NAME_MAX) - ending.utf8.count
    let folder = folder(of: path)
    let name = path.utf8.dropFirst(folder.utf8.count)
    guard name.count > limit else { return path + ending }
    // Cut at a character boundary.
    return folder + String(decoding: name, as: UTF8.self).prefix(limit / 4) + ending
  }

  /// `path` up to and including its last slash.
  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(path[...slash])
  }

  /// Writes all of `bytes`.
  ///
  /// - Throws: `SystemError` of `write`; a full disk is `ENOSPC`.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    try Descriptor(descriptor).writeAll(bytes)
  }

  /// Closes the file and gives it its final name.
  ///
  /// - Throws: `SystemError` of `close`, which reports delayed write errors, or of `rename`.
  public func commit() throws(SystemError) {
    isOpen = false
    if descriptor != STDOUT_FILENO, close(descriptor) != 0 {
      throw SystemError(operation: "close", code: errno)
    }
    guard let partial else { return }
    guard unsafe rename(partial, path) == 0 else {
      throw SystemError(operation: "rename", code: errno)
    }
    self.partial = nil
  }
}
