/// One press or release of a pad, key, button or pedal.
public struct PadHit: Hashable, Sendable {
  /// The kind of control.
  public enum Kind: Hashable, Sendable {
    /// A pad or key, by MIDI key number, 0 to 127.
    case note(UInt8)
    /// A pedal or button, by controller number, 0 to 127.
    case controller(UInt8)
  }

  /// The key or controller.
  public var kind: Kind
  /// The channel, 0 to 15.
  public var channel: UInt8
  /// True for a press, false for the release.
  public var isPress: Bool
  /// The velocity, or the controller's value.
  public var strength: UInt8

  /// Creates a hit.
  public init(kind: Kind, channel: UInt8, isPress: Bool, strength: UInt8) {
    self.kind = kind
    self.channel = channel
    self.isPress = isPress
    self.strength = strength
  }
}
