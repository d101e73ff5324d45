internal import Glibc

/// Connects and disconnects destinations while running.
///
/// A named destination keeps its own port and route. Any other port is connected to our two public
/// ports, as a patchbay would do it, and is from then on kept connected by name. The kernel copies
/// an event to the connections that exist on delivery, so the clock has no gap, and a new
/// connection gets the next pulse.
struct LiveConnections: Sendable {
  /// Our public ports, which anyone may connect to: clock, click.
  let ports: [PortNumber]

  /// The addresses they are connected to now, each once, in order.
  private func addresses(on clients: SequencerClients) -> [PortAddress] {
    Set(ports.flatMap { clients.subscribers(of: $0) })
      .filter { $0.client != clients.number }.sorted()
  }

  /// The ports connected to them now, by address, followed by guests that have gone.
  func listeners(on clients: SequencerClients, _ connections: ConnectionKeeper) throws(ALSAError)
    -> [ConnectablePort]
  {
    var connectablePorts: [ConnectablePort] = []
    for address in addresses(on: clients) {
      guard let info = try clients.port(at: address) else { continue }
      connectablePorts.append(
        ConnectablePort(name: info.fullName, address: address, link: .connected))
    }
    return connectablePorts + connections.missingGuests
  }

  /// Every port we can send to, with the state of our connection to it.
  func connectablePorts(on clients: SequencerClients, _ connections: ConnectionKeeper)
    throws(ALSAError)
    -> [ConnectablePort]
  {
    connections.connectablePorts(
      among: try clients.ports(), listeners: addresses(on: clients),
      ownClient: clients.number)
  }

  /// Whether `event` may change the set of listeners.
  func concerns(_ event: IncomingEvent, ownClient: UInt8) -> Bool {
    switch event {
    case .subscribed(let sender, _), .unsubscribed(let sender, _): sender.client == ownClient
    case .portStarted, .portExited, .clientExited, .overrun: true
    case .message, .clientStarted, .other: false
    }
  }

  /// Connects `outlet`, through its own port if it has one.
  ///
  /// - Throws: `ALSAError` if it has gone or refuses; then nothing is connected.
  func connect(
    _ outlet: ConnectablePort, on clients: SequencerClients, _ connections: inout ConnectionKeeper
  )
    throws(ALSAError)
  {
    let own = connections.turn(outlet.address, from: [.released, .dismissed], to: .connected)
    if !own.isEmpty {
      do throws(ALSAError) {
        for port in own { try connect(port, to: outlet.address, on: clients, &connections) }
      } catch {
        _ = connections.turn(outlet.address, from: [.connected], to: .dismissed)
        throw error
      }
      return
    }
    guard let info = try clients.port(at: outlet.address), info.fullName == outlet.name else {
      // The error of alsa-lib for an address that does not exist.
      throw ALSAError(operation: "snd_seq_get_any_port_info", code: -ENOENT)
    }
    var done: [PortNumber] = []
    do throws(ALSAError) {
      for port in ports {
        try connect(port, to: info.address, on: clients, &connections)
        done.append(port)
      }
    } catch {
      for port in done {
        try? disconnect(port, to: info.address, on: clients, &connections)
      }
      throw error
    }
    connections.forgetGuest(outlet.name, at: outlet.address)
    connections.addGuest(info, ports)
  }

  /// Disconnects `outlet`, whoever connected it; a port that has gone is no longer waited for.
  ///
  /// - Returns: Our ports that were connected to it.
  /// - Throws: `ALSAError` of the last connection that could not be removed.
  func disconnect(
    _ outlet: ConnectablePort, on clients: SequencerClients, _ connections: inout ConnectionKeeper
  ) throws(ALSAError) -> [PortNumber] {
    connections.forgetGuest(outlet.name, at: outlet.address)
    if outlet.link == .gone {
      _ = connections.turn(outlet.address, from: [.lost], to: .dismissed)
      return []
    }
    var led = connections.turn(outlet.address, from: [.connected], to: .dismissed)
    for port in ports where clients.subscribers(of: port).contains(outlet.address) {
      led.append(port)
    }
    var failure: ALSAError?
    for port in led {
      do throws(ALSAError) {
        try disconnect(port, to: outlet.address, on: clients, &connections)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return led
  }
}

extension LiveConnections {
  private func connect(
    _ port: PortNumber, to address: PortAddress, on clients: SequencerClients,
    _ connections: inout ConnectionKeeper
  ) throws(ALSAError) {
    // An existing connection is not announced again.
    let isNew = !clients.subscribers(of: port).contains(address)
    try clients.connect(port, to: address)
    guard isNew else { return }
    connections.expect(.subscribed(sender: clients.address(of: port), destination: address))
  }

  private func disconnect(
    _ port: PortNumber, to address: PortAddress, on clients: SequencerClients,
    _ connections: inout ConnectionKeeper
  ) throws(ALSAError) {
    try clients.disconnect(port, to: address)
    connections.expect(.unsubscribed(sender: clients.address(of: port), destination: address))
  }
}
