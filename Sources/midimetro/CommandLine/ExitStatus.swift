/// How the program ends; the numbers are those of BSD's sysexits.h.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done, also after Ctrl-C.
  case done = 0
  /// The command line cannot be used.
  case usage = 64
  /// A log or score that cannot be read as one.
  case badData = 65
  /// A file that is not there or is not what it should be.
  case noInput = 66
  /// No sequencer, or a port that is not there.
  case unavailable = 69
  /// A fault of our own.
  case internalError = 70
  /// Something could not be read or written.
  case inputOutput = 74
  /// Not allowed.
  case noPermission = 77
}
