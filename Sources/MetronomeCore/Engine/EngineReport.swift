public import MIDIClock

/// A report from the engine to the main thread.
public struct EngineReport: Hashable, Sendable {
  /// The instant it refers to.
  public var time: HostTime
  /// What happened.
  public var kind: Kind

  /// The kinds of report.
  public enum Kind: Hashable, Sendable {
    /// A report of the plan: beat, transport, tempo.
    case plan(PlanReport)
    /// The plan was postponed by this much, because the delay was too long to catch up with.
    case postpone(HostTime.Span)
    /// The kernel refused a message of a route; reported once until one succeeds again.
    case refused(route: Int, code: Int32)
    /// The lateness of pulses so far; reported once a second, with a beat.
    case lateness(LatenessHistogram.Summary)
    /// The plan has ended; nothing more will be sent.
    case finished
  }
}
