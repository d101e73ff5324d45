/// A port that can be sent to, as it stands in a list to choose from.
public struct ConnectablePort: Hashable, Sendable {
  /// How we are connected to it.
  public enum Link: Hashable, Sendable {
    /// Not at all.
    case free
    /// It gets what we send.
    case connected
    /// It was connected and has gone; it is connected again when it comes back.
    case gone
  }

  /// The client's name and its own, `TR-8S:MIDI 1`.
  public let name: String
  /// Where it is, or was.
  public let address: PortAddress
  /// How we are connected to it.
  public var link: Link
  /// Whether it was named as a destination, and so has a route to itself.
  public let hasOwnRoute: Bool

  /// A port of its parts.
  public init(name: String, address: PortAddress, link: Link = .free, hasOwnRoute: Bool = false) {
    self.name = name
    self.address = address
    self.link = link
    self.hasOwnRoute = hasOwnRoute
  }

  /// Whether `other` is the same port at the same place.
  public func isSame(as other: ConnectablePort) -> Bool {
    name == other.name && address == other.address
  }
}
