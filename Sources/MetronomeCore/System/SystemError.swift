internal import Glibc

/// A failed system or C library call.
public struct SystemError: Error, Hashable, Sendable {
  /// The C function that failed.
  public let operation: String
  /// Its errno, a positive number.
  public let code: Int32

  /// Creates an error for `operation` with the errno `code`.
  public init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// Whether the reader of a pipe is gone; `EPIPE`.
  public var isBrokenPipe: Bool { code == EPIPE }

  /// Whether permission was denied; `EACCES`, `EPERM`.
  public var isPermission: Bool { code == EACCES || code == EPERM }

  /// Whether the file does not exist; `ENOENT`, `ENOTDIR`.
  public var isMissingFile: Bool { code == ENOENT || code == ENOTDIR }
}

extension SystemError: CustomStringConvertible {
  /// The C function and the error message; source: `strerror`.
  public var description: String {
    let text = unsafe strerror(code).map { unsafe String(cString: $0) }
    return "\(operation): \(text ?? "error \(code)")"
  }
}
