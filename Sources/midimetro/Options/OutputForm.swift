internal import MIDIClock
internal import MetronomeCore

/// How results are printed.
enum OutputForm: Sendable {
  case plain, json, quiet
  /// Full screen; what remains afterwards is plain.
  case screen
}
