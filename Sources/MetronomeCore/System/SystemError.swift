internal import Glibc

/// A call into Linux that failed.
public struct SystemError: Error, Hashable, Sendable {
  /// The C function that failed.
  public let operation: String
  /// Its errno, a positive number.
  public let code: Int32

  /// The failure of `operation` with the errno `code`.
  public init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// True when the reader of a pipe has gone; `EPIPE`.
  public var isBrokenPipe: Bool { code == EPIPE }

  /// True when one may not; `EACCES`, `EPERM`.
  public var isPermission: Bool { code == EACCES || code == EPERM }

  /// True when there is no such file.
  public var isMissingFile: Bool { code == ENOENT || code == ENOTDIR }
}

extension SystemError: CustomStringConvertible {
  /// The C function and the error's text; source: `strerror`.
  public var description: String {
    let text = unsafe strerror(code).map { unsafe String(cString: $0) }
    return "\(operation): \(text ?? "error \(code)")"
  }
}
