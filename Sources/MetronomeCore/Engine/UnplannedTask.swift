/// Messages outside the plan, sent one by one between its deadlines.
enum UnplannedTask: Hashable, Sendable {
  /// Ends every note on every channel of every route, whatever started it.
  ///
  /// Sends All Sound Off and All Notes Off (controllers 120 and 123; MIDI 1.0 Detailed
  /// Specification, "Channel Mode Messages").
  case panic
  /// Leaves a disconnected device silent.
  case leave(LeaveTaking)
}
