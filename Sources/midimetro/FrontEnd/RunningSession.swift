internal import MIDIClock
internal import MetronomeCore

/// A session that a `CommandLoop` runs to its end.
///
/// It is a source of actions itself, for example of its pads.
protocol RunningSession: ControlSource, ~Copyable {
  /// Its job; it gets only actions that exist for the job.
  var job: Job { get }
  /// Whether it has ended.
  var isFinished: Bool { get }
  /// When to end it; `nil` for not yet known or never.
  var end: HostTime? { get }
  /// How long to collect input after the first message, to save wake-ups; `nil` for no delay.
  ///
  /// The input's descriptor must be the first one.
  var gathering: HostTime.Span? { get }
  /// The sequencer session whose ports the screen lists and connects.
  var sequencer: SequencerSession? { get }
  /// Reads input and reports it.
  mutating func takeInput(_ loop: inout CommandLoop) throws
  /// Performs `action`, requested at `time`. The loop itself handles sound and quit.
  mutating func perform(_ action: Action, at time: HostTime, _ loop: inout CommandLoop)
  /// Updates what is shown.
  mutating func update(_ loop: inout CommandLoop, at now: HostTime)
  /// Falls silent before the process is suspended, and goes on after it is resumed.
  mutating func pause(_ loop: inout CommandLoop)
  mutating func resume(_ loop: inout CommandLoop)
  /// Starts to end; `isFinished` follows.
  mutating func end(_ loop: inout CommandLoop)
  /// Waits until everything has ended; returns the last lines.
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
