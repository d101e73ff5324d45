/// A pad or pedal, or a device that has several.
public struct InputSource: Hashable, Sendable {
  /// `128:0`, a client's name, `client:port`.
  public var address: String
  /// Whether its hits may be taps, and not only controls.
  public var canTap: Bool

  /// The source at `address`.
  public init(address: String, canTap: Bool) {
    self.address = address
    self.canTap = canTap
  }
}
