public import ClickSound
public import MIDIClock

/// What is to be heard, and through what.
public struct SoundSettings: Hashable, Sendable {
  /// The built-in set.
  public var set = ClickSet.wood
  /// A sound font instead; its path.
  public var font: String?
  /// The audio driver; `nil` for the first that works.
  public var driver: AudioDriver?
  /// The buffer it is asked for.
  public var plan = AudioPlan()
  /// Percent, 0 to 200.
  public var volume: Int64 = 100
  /// How much later (or, below zero, earlier) than their beats clicks are heard.
  public var offset = HostTime.Span.zero
  /// The notes of the accents.
  public var notes = ClickVoice.standard

  /// The built-in wood block on the first driver that works.
  public init() {}
}
