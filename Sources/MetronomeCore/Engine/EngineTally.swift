public import MIDIClock

/// Counts of an engine's work, for the summary at the end.
public struct EngineTally: Sendable {
  /// Clock pulses since the last Start; those of slower or faster routes are not counted.
  public var pulses: Int64 = 0
  /// Beats since the last Start.
  public var beats: Int64 = 0
  /// How late pulses were sent, by our own clock.
  ///
  /// With a queue: how late they were scheduled.
  public var lateness = LatenessHistogram()
  /// The number of messages the kernel refused.
  public var refused: Int64 = 0
  /// How often the plan was postponed after a long stall.
  public var postponements: Int64 = 0
}
