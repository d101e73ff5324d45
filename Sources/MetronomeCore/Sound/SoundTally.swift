/// What has been heard so far.
public struct SoundTally: Hashable, Sendable {
  /// Clicks begun.
  public var clicks = 0
  /// Of these, begun late.
  public var late = 0
  /// Clicks left out because they came too late.
  public var missed = 0
  /// Interruptions of the stream.
  public var interruptions = 0
  /// Frames per second as measured against our clock; `nil` before the driver runs.
  public var rate: Double?
}
