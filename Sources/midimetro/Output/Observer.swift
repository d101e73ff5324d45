internal import MIDIClock

/// An output of a session's events and state: lines, the screen.
///
/// A new one is one type and one line in each `CommandLoop.tell`.
protocol Observer: ~Copyable {
  /// Takes in an event that is true at `time`.
  mutating func take(_ event: SessionEvent, at time: HostTime)
  /// Takes in the session's present state.
  mutating func take(_ state: SessionState)
}

extension Observer where Self: ~Copyable {
  mutating func take(_ state: SessionState) {}
}
