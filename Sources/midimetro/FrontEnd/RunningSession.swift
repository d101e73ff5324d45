internal import MIDIClock
internal import MetronomeCore

/// A session that a `CommandLoop` runs to its end.
///
/// It is a source of actions itself: those of its pads.
protocol RunningSession: ControlSource, ~Copyable {
  /// What it is there for; actions that do not exist there do not come to it.
  var job: Job { get }
  /// Whether nothing more will come.
  var isFinished: Bool { get }
  /// When it is to end by itself; `nil` for not, for now.
  var end: HostTime? { get }
  /// How long input may wait for more, so that one wake-up serves many; `nil` for not at all.
  ///
  /// Its first descriptor is then where the input comes from.
  var gathering: HostTime.Span? { get }
  /// Whose ports are shown and connected at the screen.
  var sequencer: SequencerSession? { get }
  /// Takes in what has come, and tells it.
  mutating func takeInput(_ loop: inout CommandLoop) throws
  /// Does what was asked for at `time`; the sound and the end are the loop's affair.
  mutating func perform(_ action: Action, at time: HostTime, _ loop: inout CommandLoop)
  /// Brings up to date what is shown.
  mutating func update(_ loop: inout CommandLoop, at now: HostTime)
  /// Falls silent before the process is suspended, and goes on afterwards.
  mutating func pause(_ loop: inout CommandLoop)
  mutating func resume(_ loop: inout CommandLoop)
  /// Begins to end.
  mutating func end(_ loop: inout CommandLoop)
  /// Waits until everything has ended; the last lines.
  consuming func finish(_ loop: inout CommandLoop, hasFailed: Bool) -> [String]
}

extension RunningSession where Self: ~Copyable {
  var deadline: HostTime? { nil }
  var gathering: HostTime.Span? { nil }
  var sequencer: SequencerSession? { nil }
  mutating func actions(at now: HostTime) -> [TimedAction] { [] }
  mutating func perform(_ action: Action, at time: HostTime, _ loop: inout CommandLoop) {}
  mutating func update(_ loop: inout CommandLoop, at now: HostTime) {}
  mutating func pause(_ loop: inout CommandLoop) {}
  mutating func resume(_ loop: inout CommandLoop) {}
}
