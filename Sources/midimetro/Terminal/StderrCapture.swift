internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// Captures stderr while a screen is shown, which the output of midimetro or a library would
/// corrupt.
struct StderrCapture: ~Copyable {
  /// Readable when there is output.
  let descriptor: Int32
  /// The original target of stderr.
  let original: Int32
  private var rest: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// Redirects stderr; `nil` if a system call fails.
  static func begin() -> StderrCapture? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    guard original >= 0, dup2(ends[1], STDERR_FILENO) >= 0 else {
      close(ends[0])
      close(ends[1])
      if original >= 0 { close(original) }
      return nil
    }
    close(ends[1])
    return StderrCapture(descriptor: ends[0], original: original)
  }

  private init(descriptor: Int32, original: Int32) {
    self.descriptor = descriptor
    self.original = original
  }

  /// Restores stderr and forwards the output not yet read.
  deinit {
    var left = rest
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(descriptor, &piece, piece.count)
      guard count > 0 else { break }
      left += piece[0..<count]
    }
    StandardOutput.write(left, to: original, patience: .milliseconds(250))
    dup2(original, STDERR_FILENO)
    close(original)
    close(descriptor)
  }

  /// The complete lines written since the last call, without control characters.
  mutating func lines() -> [String] {
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      rest += buffer[0..<count]
      // Limits the memory for a library that writes endlessly.
      if rest.count > 65_536 { rest.removeFirst(rest.count - 65_536) }
    }
    guard !rest.isEmpty, let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = rest[..<end].split(separator: UInt8(ascii: "\n")).map { bytes in
      String(
        String.UnicodeScalarView(
          String(decoding: bytes, as: UTF8.self).unicodeScalars.filter(Words.isPrintable)))
    }
    rest.removeFirst(end + 1)
    return lines
  }
}
