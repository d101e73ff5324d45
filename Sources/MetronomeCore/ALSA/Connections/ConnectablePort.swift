/// A port we can send to, as listed for the user to choose from.
public struct ConnectablePort: Hashable, Sendable {
  /// The state of our connection to it.
  public enum Link: Hashable, Sendable {
    /// Not connected.
    case free
    /// Connected: it receives what we send.
    case connected
    /// It was connected and has disappeared; it will be reconnected when it returns.
    case gone
  }

  /// The names of its client and port, such as `TR-8S:MIDI 1`.
  public let name: String
  /// Its address, or its last one.
  public let address: PortAddress
  /// The state of our connection to it.
  public var link: Link
  /// Whether it was named as a destination, and so has its own route.
  public let hasOwnRoute: Bool

  /// A port with these values.
  public init(name: String, address: PortAddress, link: Link = .free, hasOwnRoute: Bool = false) {
    self.name = name
    self.address = address
    self.link = link
    self.hasOwnRoute = hasOwnRoute
  }

  /// Whether `other` is the same port at the same address.
  public func isSame(as other: ConnectablePort) -> Bool {
    name == other.name && address == other.address
  }
}
