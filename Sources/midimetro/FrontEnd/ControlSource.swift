internal import MIDIClock

/// A source of actions: keys, signals, pads.
///
/// Main thread only. A source is one type and one line in `CommandLoop` or in a session.
protocol ControlSource: ~Copyable {
  /// What to poll for reading.
  var descriptors: [Int32] { get }
  /// When to call `actions` at the latest; `nil` to wait for input only.
  var deadline: HostTime? { get }
  /// The actions since the last call, oldest first.
  mutating func actions(at now: HostTime) -> [TimedAction]
}
