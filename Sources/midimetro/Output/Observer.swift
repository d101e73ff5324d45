internal import MIDIClock

/// Someone who is told what a session does: lines, a screen.
///
/// A further one is one type, and one line in `CommandLoop.tell`.
protocol Observer: ~Copyable {
  /// Takes in what happened, or will, at `time`.
  mutating func take(_ event: SessionEvent, at time: HostTime)
  /// Takes in what the session does now.
  mutating func take(_ state: SessionState)
}

extension Observer where Self: ~Copyable {
  mutating func take(_ state: SessionState) {}
}
