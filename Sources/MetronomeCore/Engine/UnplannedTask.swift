/// Messages that are not of the plan; sent one by one between its deadlines.
enum UnplannedTask: Hashable, Sendable {
  /// Ends every note on every channel of every route, whoever struck it.
  ///
  /// All Sound Off and All Notes Off (controllers 120 and 123; MIDI 1.0 Detailed Specification,
  /// "Channel Mode Messages").
  case panic
  /// Leaves a device silent.
  case leave(LeaveTaking)
}
