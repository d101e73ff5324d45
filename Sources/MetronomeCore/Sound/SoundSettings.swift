public import ClickSound
public import MIDIClock

/// The sound of the clicks and the driver that plays it.
public struct SoundSettings: Hashable, Sendable {
  /// The built-in set.
  public var set = ClickSet.wood
  /// The path of a sound font to use instead of the set.
  public var font: String?
  /// The audio driver; `nil` for the first that works.
  public var driver: AudioDriver?
  /// The buffer to request.
  public var plan = AudioPlan()
  /// The volumes there are, in percent.
  public static let volumes: ClosedRange<Int64> = 0...200
  /// The volume in percent, within `volumes`.
  public var volume: Int64 = 100
  /// The shift of the clicks against their beats; negative is earlier.
  public var offset = HostTime.Span.zero
  /// The notes of the accents.
  public var notes = ClickVoice.standard

  /// Creates the defaults: the wood block on the first driver that works.
  public init() {}
}
