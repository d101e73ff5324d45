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
  mutating func apply(_ change: Change, now: HostTime) -> Planner.Outcome
  /// Ends everything at once: note-offs, Stop, nothing.
  mutating func halt(now: HostTime)
  /// The same dispatch again, to be led through without doing anything.
  borrowing func rehearsal() -> Self
}

/// One thing the engine does.
public enum DispatchStep: Hashable, Sendable {
  /// Send or tell it now.
  case perform(PlannedEvent)
  /// Give it to the kernel's queue, to leave at the given instant.
  case schedule(PlannedEvent, at: HostTime)
  /// Take back what waits on the queue for later than the given instant.
  case cancel(after: HostTime)
  /// Nothing to do before the given instant, unless a change comes.
  case wait(until: HostTime)
  /// We were held up for so long that the plan was put off by this much instead of caught up.
  case putOff(HostTime.Span)
  /// The plan has come to its end.
  case finished
}

/// When a delay is too long to catch up with.
enum StallLimit {
  /// The longest delay after which late pulses still leave, spaced: 24 pulses, at most a second.
  @_noLocks
  static func longest(at tempo: Tempo) -> HostTime.Span {
    let beat = HostTime.Span(nanoseconds: tempo.pulsePeriod.nanoseconds &* 24)
    let second = HostTime.Span.seconds(1)
    return second < beat ? second : beat
  }

  /// Puts `planner` off when it is too late at `now` to be caught up with.
  ///
  /// By so many whole pulses that it goes on within one, on the pulse grid it had. The end of a
  /// note is never put off. Returns how late it was.
  static func putOff(_ planner: inout Planner, now: HostTime) -> HostTime.Span? {
    guard let event = planner.next, !event.isNoteOff else { return nil }
    let late = now - event.time
    let tempo = planner.tempo
    guard longest(at: tempo) < late else { return nil }
    planner.shift(by: wholePulses(covering: late, at: tempo))
    return late
  }

  /// The length of the fewest whole pulses that are longer than `late`, to the nanosecond.
  @_noLocks
  static func wholePulses(covering late: HostTime.Span, at tempo: Tempo) -> HostTime.Span {
    // A pulse is 2.5e12 / milliBPM nanoseconds.
    let pulses = Int128(late.nanoseconds) * Int128(tempo.milliBPM) / 2_500_000_000_000 + 1
    return HostTime.Span(
      nanoseconds: Int64(
        truncatingIfNeeded: (pulses * 2_500_000_000_000 + Int128(tempo.milliBPM / 2))
          / Int128(tempo.milliBPM)))
  }
}
