extension ConnectionKeeper {
  /// Every port we can send to, in the order of `midimetro ports`, followed by those that have
  /// gone.
  ///
  /// - Parameters:
  ///   - ports: All existing ports.
  ///   - listeners: The ports that our public ports are connected to.
  ///   - ownClient: The client to leave out.
  /// - Returns: One entry per port, those that have gone last.
  func connectablePorts(among ports: [PortInfo], listeners: [PortAddress], ownClient: UInt8)
    -> [ConnectablePort]
  {
    var connectablePorts: [ConnectablePort] = []
    for port in PortListing.shown(ports, excluding: ownClient) where port.suits(.destination) {
      let own = destinations.filter {
        $0.use == .destination && !$0.isGuest && $0.address == port.address && $0.state != .lost
      }
      let isConnected =
        listeners.contains(port.address) || own.contains { $0.state == .connected }
      connectablePorts.append(
        ConnectablePort(
          name: port.fullName, address: port.address, link: isConnected ? .connected : .free,
          hasOwnRoute: !own.isEmpty))
    }
    for lost in destinations where lost.use == .destination && lost.state == .lost {
      let outlet = ConnectablePort(
        name: lost.name, address: lost.address, link: .gone, hasOwnRoute: !lost.isGuest)
      if !connectablePorts.contains(outlet) { connectablePorts.append(outlet) }
    }
    return connectablePorts
  }

  /// The guests that have gone and will be reconnected when they return.
  var missingGuests: [ConnectablePort] {
    destinations.filter { $0.isGuest && $0.state == .lost }
      .map { ConnectablePort(name: $0.name, address: $0.address, link: .gone) }
  }
}
