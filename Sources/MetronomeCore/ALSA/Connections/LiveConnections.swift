internal import Glibc
internal import MIDIClock

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
  private func addresses(on sequencer: Sequencer) -> [PortAddress] {
    Set(ports.flatMap { sequencer.subscribers(of: $0) })
      .filter { $0.client != sequencer.clientNumber }.sorted()
  }

  /// Who is connected to them now, by address, then who was connected here and has gone.
  func listeners(on sequencer: Sequencer, _ connections: ConnectionKeeper) throws(ALSAError)
    -> [ConnectablePort]
  {
    var connectablePorts: [ConnectablePort] = []
    for address in addresses(on: sequencer) {
      guard let info = try sequencer.port(at: address) else { continue }
      connectablePorts.append(
        ConnectablePort(name: info.fullName, address: address, link: .connected))
    }
    return connectablePorts + connections.missingGuests
  }

  /// Every port that can be sent to, with how we are connected to it.
  func connectablePorts(on sequencer: Sequencer, _ connections: ConnectionKeeper) throws(ALSAError)
    -> [ConnectablePort]
  {
    connections.connectablePorts(
      among: try sequencer.ports(), listeners: addresses(on: sequencer),
      ownClient: sequencer.clientNumber)
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
    _ outlet: ConnectablePort, on sequencer: Sequencer, _ connections: inout ConnectionKeeper
  )
    throws(ALSAError)
  {
    let own = connections.turn(outlet.address, from: [.released, .dismissed], to: .connected)
    if !own.isEmpty {
      do throws(ALSAError) {
        for port in own { try connect(port, to: outlet.address, on: sequencer, &connections) }
      } catch {
        _ = connections.turn(outlet.address, from: [.connected], to: .dismissed)
        throw error
      }
      return
    }
    guard let info = try sequencer.port(at: outlet.address), info.fullName == outlet.name else {
      // As alsa-lib says it of a number that is nobody's.
      throw ALSAError(operation: "snd_seq_get_any_port_info", code: -ENOENT)
    }
    var done: [PortNumber] = []
    do throws(ALSAError) {
      for port in ports {
        try connect(port, to: info.address, on: sequencer, &connections)
        done.append(port)
      }
    } catch {
      for port in done {
        try? disconnect(port, to: info.address, on: sequencer, &connections)
      }
      throw error
    }
    connections.forgetGuest(outlet.name, at: outlet.address)
    connections.addGuest(info, ports)
  }

  /// Disconnects `outlet`, whoever connected it; one that has gone is no longer waited for.
  ///
  /// What sounds there is ended and, when the song `isRolling`, what was started is stopped:
  /// `routes` are what the first of `routePorts` carry.
  /// - Throws: `ALSAError` of the last connection that could not be undone.
  func disconnect(
    _ outlet: ConnectablePort, on sequencer: Sequencer, _ connections: inout ConnectionKeeper,
    _ routes: [Route], _ routePorts: RoutePorts, isRolling: Bool
  ) throws(ALSAError) {
    connections.forgetGuest(outlet.name, at: outlet.address)
    if outlet.link == .gone {
      _ = connections.turn(outlet.address, from: [.lost], to: .dismissed)
      return
    }
    var led = connections.turn(outlet.address, from: [.connected], to: .dismissed)
    for port in ports where sequencer.subscribers(of: port).contains(outlet.address) {
      led.append(port)
    }
    var failure: ALSAError?
    for port in led {
      do throws(ALSAError) {
        try disconnect(port, to: outlet.address, on: sequencer, &connections)
      } catch { failure = error }
    }
    if let failure { throw failure }
    for (index, route) in routes.enumerated() {
      guard let port = routePorts.both(on: index).first(where: led.contains) else { continue }
      sequencer.output.takeLeave(route, from: port, of: outlet.address, isRolling: isRolling)
    }
  }
}

extension LiveConnections {
  private func connect(
    _ port: PortNumber, to address: PortAddress, on sequencer: Sequencer,
    _ connections: inout ConnectionKeeper
  ) throws(ALSAError) {
    // It is not announced when it is so already.
    let isNew = !sequencer.subscribers(of: port).contains(address)
    try sequencer.connect(port, to: address)
    let own = PortAddress(client: sequencer.clientNumber, port: port.value)
    if isNew { connections.expect(.subscribed(sender: own, destination: address)) }
  }

  private func disconnect(
    _ port: PortNumber, to address: PortAddress, on sequencer: Sequencer,
    _ connections: inout ConnectionKeeper
  ) throws(ALSAError) {
    try sequencer.disconnect(port, to: address)
    let own = PortAddress(client: sequencer.clientNumber, port: port.value)
    connections.expect(.unsubscribed(sender: own, destination: address))
  }
}
