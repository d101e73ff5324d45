public import MIDIClock

/// A destination's address and route.
public struct Destination: Sendable {
  /// The address as typed: `128:0`, a client's name, or `client:port`.
  public var address: String
  /// What is sent to it.
  public var route: Route

  /// The destination at `address`.
  public init(address: String, route: Route) {
    self.address = address
    self.route = route
  }
}
