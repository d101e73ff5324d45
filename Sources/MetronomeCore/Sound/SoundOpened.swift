public import MIDIClock

/// The properties of an open sound.
public struct SoundOpened: Hashable, Sendable {
  /// Why a driver was chosen.
  public enum Reason: Hashable, Sendable {
    /// The user named it.
    case askedFor
    /// It is the first that works; those before it do not.
    case firstWorking(after: [Failed])
  }

  /// A driver that was tried before.
  public struct Failed: Hashable, Sendable {
    /// The driver.
    public let driver: String
    /// Whether it could be opened, but never asked for a frame.
    public let isSilent: Bool
  }

  /// The driver, with its device if one was named.
  public let driver: String
  /// Why this driver was chosen.
  public let reason: Reason
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
