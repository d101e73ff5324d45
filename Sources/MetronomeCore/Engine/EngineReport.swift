public import MIDIClock

/// What the engine tells the main thread.
public struct EngineReport: Hashable, Sendable {
  /// When it was, or will be, true.
  public var time: HostTime
  /// What.
  public var kind: Kind

  /// What the engine tells.
  public enum Kind: Hashable, Sendable {
    /// Beat, transport, tempo: the plan's own report.
    case plan(PlanReport)
    /// We were held up for so long that the plan was put off instead of caught up.
    case postpone(HostTime.Span)
    /// The kernel refused a message of a route; told once until one goes through again.
    case refused(route: Int, code: Int32)
    /// How late pulses have left so far; told once a second, with a beat.
    case lateness(LatenessHistogram.Summary)
    /// The plan has come to its end; nothing will be sent any more.
    case finished
  }
}
