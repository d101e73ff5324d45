internal import Glibc

/// Reads small files, such as those in `/proc`.
enum SmallFile {
  /// The content of the file at `path`, up to about 64 KiB; `nil` if it cannot be read.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while content.count < 65_536 {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 { return nil }
      if count == 0 { break }
      content += chunk[..<count]
    }
    return content
  }
}
