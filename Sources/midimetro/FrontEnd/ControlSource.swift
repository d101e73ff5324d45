internal import MIDIClock

/// Something that steers a session: keys, signals, pads.
///
/// Main thread only. A source is one type and one line in `CommandLoop` or in a session.
protocol ControlSource: ~Copyable {
  /// What to poll for reading.
  var descriptors: [Int32] { get }
  /// When it wants to be asked at the latest; `nil` when only what comes in counts.
  var deadline: HostTime? { get }
  /// What has been asked for since the last call, oldest first.
  mutating func actions(at now: HostTime) -> [TimedAction]
}
