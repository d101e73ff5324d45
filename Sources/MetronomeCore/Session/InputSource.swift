/// A pad or pedal, or a device with several.
public struct InputSource: Hashable, Sendable {
  /// The address as typed: `128:0`, a client's name, or `client:port`.
  public var address: String
  /// Whether its hits may also be taps rather than controls only.
  public var canTap: Bool

  /// The source at `address`.
  public init(address: String, canTap: Bool) {
    self.address = address
    self.canTap = canTap
  }
}
