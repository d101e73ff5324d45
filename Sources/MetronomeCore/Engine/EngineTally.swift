public import MIDIClock

/// What an engine did, for the summary at the end.
public struct EngineTally: Sendable {
  /// Pulses of the song since the last Start, those of slower or faster routes not counted.
  public var pulses: Int64 = 0
  /// Beats of the song since the last Start.
  public var beats: Int64 = 0
  /// How late pulses left by our own clock.
  ///
  /// With a queue: how late they were given to it.
  public var lateness = LatenessHistogram()
  /// Messages the kernel refused.
  public var refused: Int64 = 0
  /// How often the plan was put off after a long stall.
  public var postponements: Int64 = 0
}
