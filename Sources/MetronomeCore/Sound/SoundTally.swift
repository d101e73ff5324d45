/// Statistics of the sound so far.
public struct SoundTally: Hashable, Sendable {
  /// Clicks started.
  public var clicks = 0
  /// Clicks started late, included in `clicks`.
  public var late = 0
  /// Clicks skipped because they came too late.
  public var missed = 0
  /// Dropouts of the stream.
  public var interruptions = 0
  /// Frames per second measured against the system clock; `nil` before the driver runs.
  public var rate: Double?
}
