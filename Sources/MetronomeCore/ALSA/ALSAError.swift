internal import CALSASeq
internal import Glibc

/// A failed call to the ALSA sequencer.
///
/// `description` is the C function and the library's own words for the error, such as
/// "snd_seq_open: No such file or directory". `report` is the line for a user.
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
  /// What kind of failure it is, as far as the exit status cares.
  public enum Kind: Int32, Sendable {
    /// The sequencer or the port cannot be had; `EX_UNAVAILABLE`.
    case unavailable = 69
    /// The user may not use it; `EX_NOPERM`.
    case permission = 77
  }

  /// The kind of failure; its raw value is the exit status.
  public var kind: Kind {
    switch -code {
    case EACCES, EPERM: .permission
    default: .unavailable
    }
  }

  /// What the user can do about it; `nil` where nothing sensible is known.
  public var remedy: String? {
    switch (operation, -code) {
    case ("snd_seq_open", ENOENT), ("snd_seq_open", ENXIO), ("snd_seq_open", ENODEV):
      "load the kernel module: sudo modprobe snd-seq"
    case ("snd_seq_open", EACCES), ("snd_seq_open", EPERM):
      "join the group audio (sudo usermod -aG audio $USER) and log in again"
    case ("snd_seq_open", ENOMEM), ("snd_seq_open", EAGAIN), ("snd_seq_open", EBUSY):
      "too many sequencer clients; end some of those in /proc/asound/seq/clients"
    case ("snd_seq_open", EMFILE), ("snd_seq_open", ENFILE):
      "too many open files; raise the limit with ulimit -n"
    case ("snd_seq_alloc_named_queue", ENOMEM), ("snd_seq_alloc_named_queue", EAGAIN):
      "all sequencer queues are taken; end some of the programs in /proc/asound/seq/queues"
    case ("snd_seq_subscribe_port", EBUSY):
      "another program uses this port exclusively; disconnect it first (aconnect -l, aconnect -d)"
    case ("snd_seq_subscribe_port", EPERM), ("snd_seq_subscribe_port", EACCES):
      "this port does not take connections in that direction, or only when named at the start;"
        + " see midimetro ports"
    case ("snd_seq_subscribe_port", ENODEV), ("snd_seq_subscribe_port", ENXIO),
      ("snd_seq_subscribe_port", EINVAL):
      "the port has gone; see midimetro ports"
    default: nil
    }
  }

  /// The C function, the error's text and what to do, for where it is known what it is about.
  public var advised: String { remedy.map { "\(self); \($0)" } ?? "\(self)" }

  /// One line for the user: the device, the C function, the error's text and what to do.
  public var report: String {
    "/dev/snd/seq: \(advised)"
  }
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
