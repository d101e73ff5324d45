internal import CALSASeq
internal import Glibc

/// A failed call to the ALSA sequencer.
///
/// `description` is the C function and the library's own words for the error, such as
/// "snd_seq_open: No such file or directory".
public struct ALSAError: Error, Hashable, Sendable {
  /// The C function that failed, as alsa-lib spells it.
  public let operation: String
  /// What it returned: a negative errno, or one of alsa-lib's own negative codes.
  public let code: Int32

  /// The failure of `operation` with the negative errno `code`.
  public init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// A failed allocation in `operation`, a function of alsa-lib.
  static func outOfMemory(_ operation: String) -> ALSAError {
    ALSAError(operation: operation, code: -ENOMEM)
  }
}

extension ALSAError {
  /// Whether permission was denied; `EACCES`, `EPERM`.
  public var isPermission: Bool { -code == EACCES || -code == EPERM }
}

extension ALSAError: CustomStringConvertible {
  /// The C function and the error's text; source: `snd_strerror`.
  public var description: String {
    let text = unsafe snd_strerror(code).map { unsafe String(cString: $0) }
    return "\(operation): \(text ?? "error \(code)")"
  }
}

/// Returns the result of a C call, or throws if it is negative.
@discardableResult
func check(_ operation: String, _ result: Int32) throws(ALSAError) -> Int32 {
  guard result >= 0 else { throw ALSAError(operation: operation, code: result) }
  return result
}
