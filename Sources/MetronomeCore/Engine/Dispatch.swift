public import MIDIClock

/// How planned events are brought to leave at their time.
///
/// A dispatch decides what the engine does next and when; it does none of it and never asks what
/// time it is, so a test can lead it through an hour by hand. Both ways play the same plan:
/// `PreciseDispatch` sends each event when its time has come, `QueuedDispatch` gives events to a
/// queue of the kernel a little ahead.
public protocol Dispatch: ~Copyable, Sendable {
  /// What is to be done at `now`; ask again after having done it.
  mutating func step(now: HostTime) -> DispatchStep
  /// Changes the plan as early as can be.
  mutating func apply(_ change: PlanChange, now: HostTime) -> Planner.Outcome
  /// Ends everything at once: note-offs, Stop, nothing.
  mutating func halt(now: HostTime)
  /// What is planned, and what has been performed as of the last step taken.
  ///
  /// Real-time safe: yes.
  var snapshot: PlanSnapshot { mutating get }
  /// The same dispatch again, to be led through without doing anything.
  borrowing func rehearsal() -> Self
}
