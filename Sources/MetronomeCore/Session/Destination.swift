public import MIDIClock

/// A destination by its address, and its route.
public struct Destination: Sendable {
  /// `128:0`, a client's name, `client:port`.
  public var address: String
  /// What reaches it.
  public var route: Route

  /// The destination at `address`.
  public init(address: String, route: Route) {
    self.address = address
    self.route = route
  }
}
