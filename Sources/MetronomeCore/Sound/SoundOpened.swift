public import MIDIClock

/// A sound that can be heard.
public struct SoundOpened: Hashable, Sendable {
  /// The driver, with its device if one was named.
  public let driver: String
  /// Why this driver.
  public let reason: String
  /// The set's name, or the font's path.
  public let sound: String
  /// Frames per second.
  public let rate: Int
  /// Frames that the driver asks for at once.
  public let block: Int
  /// Frames in the driver's buffer, as asked for.
  public let buffer: Int
  /// The estimate of the driver's latency, which is compensated.
  public let latency: HostTime.Span
  /// How much later than their beats clicks are heard all the same, the offset not counted.
  public let delay: HostTime.Span
}
