public import MIDIClock

/// The properties of an open sound.
public struct SoundOpened: Hashable, Sendable {
  /// The driver, with its device if one was named.
  public let driver: String
  /// Why this driver was chosen.
  public let reason: String
  /// The set's name, or the font's path.
  public let sound: String
  /// Frames per second.
  public let rate: Int
  /// Frames per callback of the driver.
  public let block: Int
  /// Frames in the driver's buffer, as requested.
  public let buffer: Int
  /// The estimated latency of the driver, which is compensated.
  public let latency: HostTime.Span
  /// How much later than their beats clicks are still heard, not counting the offset.
  public let delay: HostTime.Span
}
