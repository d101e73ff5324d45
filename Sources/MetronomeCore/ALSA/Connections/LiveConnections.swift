internal import Glibc

/// Connecting and disconnecting destinations while we play.
///
/// What is named as a destination keeps its own port and route. Whatever else is connected here is
/// connected to the two ports that anybody may connect to, as a patchbay would do it, and kept
/// connected by its name from then on. The kernel copies an event to the connections there are when
/// it is delivered, so the clock has no gap, and who comes in later gets the next pulse.
struct LiveConnections: Sendable {
  /// The ports that anybody may connect to: clock, click.
  let ports: [PortNumber]

  /// Where they are connected to now, each once, by address.
  private func addresses(on clients: SequencerClients) -> [PortAddress] {
    Set(ports.flatMap { clients.subscribers(of: $0) })
      .filter { $0.client != clients.number }.sorted()
  }

  /// Who is connected to them now, by address, then who was connected here and has gone.
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

  /// Every port that can be sent to, with how we are connected to it.
  func connectablePorts(on clients: SequencerClients, _ connections: ConnectionKeeper)
    throws(ALSAError)
    -> [ConnectablePort]
  {
    connections.connectablePorts(
      among: try clients.ports(), listeners: addresses(on: clients),
      ownClient: clients.number)
  }

  /// Whether `event` may change who listens.
  func concerns(_ event: IncomingEvent, ownClient: UInt8) -> Bool {
    switch event {
    case .subscribed(let sender, _), .unsubscribed(let sender, _): sender.client == ownClient
    case .portStarted, .portExited, .clientExited, .overrun: true
    case .message, .clientStarted, .other: false
    }
  }

  /// Connects `outlet`: by its own port if it has one.
  ///
  /// - Throws: `ALSAError` when it has gone or refuses; nothing is connected then.
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
      // As alsa-lib says it of a number that is nobody's.
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

  /// Disconnects `outlet`, whoever connected it; one that has gone is no longer waited for.
  ///
  /// - Returns: Our ports that led there.
  /// - Throws: `ALSAError` of the last connection that could not be undone.
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
    // It is not announced when it is so already.
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
