public import MIDIClock

/// Decides when planned events are sent.
///
/// A dispatch decides what the engine does next and when; it does none of it itself and never reads
/// a clock, so a test can step it through an hour by hand. Both implementations play the same plan:
/// `PreciseDispatch` sends each event when it is due, `QueuedDispatch` schedules events on a kernel
/// queue a little ahead.
public protocol Dispatch: ~Copyable, Sendable {
  /// The step to take at `now`; call again after taking it.
  mutating func step(now: HostTime) -> DispatchStep
  /// Changes the plan as early as possible.
  ///
  /// Returns `.ignored` if the change has no meaning in the present state, and `.busy` if it has to
  /// be tried again.
  mutating func apply(_ change: PlanChange, now: HostTime) -> Planner.Outcome
  /// Ends everything at once: note-offs, then Stop, then nothing.
  mutating func halt(now: HostTime)
  /// The planned state, and the state performed up to the last step.
  ///
  /// Real-time safe: yes.
  var snapshot: PlanSnapshot { mutating get }
  /// An independent copy to step through without performing anything.
  borrowing func rehearsal() -> Self
}
