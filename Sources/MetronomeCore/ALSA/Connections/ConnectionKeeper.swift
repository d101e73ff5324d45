/// Keeps named destinations and sources connected.
///
/// Decides from the sequencer's announcements alone; the caller makes the connections it requests.
/// A port is recognized by the names of its client and port, whatever its numbers.
public struct ConnectionKeeper: Sendable {
  /// A destination or source.
  struct KeptPort: Sendable {
    /// Our ports that it is to be connected to.
    let ownPorts: [PortNumber]
    /// The direction: `destination` from our port to it, `source` from it to our port.
    let use: PortUse
    let clientName: SequencerName
    let portName: SequencerName
    /// Whether it is connected to our public ports rather than to a port of its own.
    let isGuest: Bool
    var address: PortAddress
    var state = State.connected
    /// Our ports that it is connected to now.
    var linked: [PortNumber]

    enum State {
      case connected, lost, released
      /// Disconnected by our user, so it stays disconnected when it disappears and returns.
      case dismissed
    }

    var name: String { "\(clientName.text):\(portName.text)" }

    /// The port of ours in a connection from `sender` to `receiver`, if it is a connection of this
    /// entry.
    func ownPort(_ sender: PortAddress, _ receiver: PortAddress, ownClient: UInt8) -> PortNumber? {
      let (own, other) = use == .destination ? (sender, receiver) : (receiver, sender)
      guard other == address, own.client == ownClient else { return nil }
      return ownPorts.first { $0.value == own.port }
    }
  }

  /// A connection for the caller to make, and to report back with `settle`.
  struct Request: Hashable, Sendable {
    let index: Int
    let use: PortUse
    let ownPorts: [PortNumber]
    let address: PortAddress
  }

  private(set) var destinations: [KeptPort] = []
  /// Announcements of our own actions that are still to come.
  private var echoes: [IncomingEvent] = []

  /// Creates a keeper without destinations.
  public init() {}

  /// Adds a destination or source that has just been connected.
  mutating func add(_ info: PortInfo, _ ownPort: PortNumber, as use: PortUse = .destination) {
    add(info, [ownPort], as: use, isGuest: false)
  }

  /// Adds a destination that has just been connected to our public ports.
  mutating func addGuest(_ info: PortInfo, _ ownPorts: [PortNumber]) {
    add(info, ownPorts, as: .destination, isGuest: true)
  }

  private mutating func add(
    _ info: PortInfo, _ ownPorts: [PortNumber], as use: PortUse, isGuest: Bool
  ) {
    destinations.append(
      KeptPort(
        ownPorts: ownPorts, use: use, clientName: info.clientName, portName: info.name,
        isGuest: isGuest, address: info.address, linked: ownPorts))
  }

  /// Records that `event` will be announced because of our own action.
  mutating func expect(_ event: IncomingEvent) { echoes.append(event) }

  /// Whether `event` was expected, once; a client that has exited causes no more announcements.
  private mutating func isEcho(_ event: IncomingEvent) -> Bool {
    if case .clientExited(let client) = event {
      echoes.removeAll {
        switch $0 {
        case .subscribed(_, let receiver), .unsubscribed(_, let receiver):
          receiver.client == client
        default: false
        }
      }
    }
    guard let place = echoes.firstIndex(of: event) else { return false }
    echoes.remove(at: place)
    return true
  }

  /// Whether `event` may concern a destination, so that its port must be looked up.
  func concerns(_ event: IncomingEvent) -> Bool {
    switch event {
    case .portStarted, .portExited, .clientExited, .subscribed, .unsubscribed: true
    case .message, .overrun, .clientStarted, .other: false
    }
  }

  /// Takes in one announcement; `ports` are the existing ports among those it is about.
  mutating func observe(_ event: IncomingEvent, ownClient: UInt8, ports: [PortInfo])
    -> (notices: [ConnectionNotice], requests: [Request])
  {
    var notices: [ConnectionNotice] = []
    var requests: [Request] = []
    if isEcho(event) { return ([], []) }
    for index in destinations.indices {
      let destination = destinations[index]
      switch (event, destination.state) {
      case (.portExited(let address), .connected), (.portExited(let address), .released):
        if address == destination.address { lose(index, &notices) }
      case (.clientExited(let client), .connected), (.clientExited(let client), .released):
        if client == destination.address.client { lose(index, &notices) }
      case (.unsubscribed(let sender, let receiver), .connected):
        guard let port = destination.ownPort(sender, receiver, ownClient: ownClient) else {
          continue
        }
        destinations[index].linked.removeAll { $0 == port }
        guard destinations[index].linked.isEmpty else { continue }
        // A port that exits is unsubscribed first; if it still exists, someone disconnected it.
        if ports.contains(where: { $0.address == destination.address }) {
          destinations[index].state = .released
          notices.append(.released(name: destination.name))
        } else {
          lose(index, &notices)
        }
      case (.subscribed(let sender, let receiver), .connected):
        guard let port = destination.ownPort(sender, receiver, ownClient: ownClient),
          !destination.linked.contains(port)
        else { continue }
        destinations[index].linked.append(port)
      case (.subscribed(let sender, let receiver), .released),
        (.subscribed(let sender, let receiver), .dismissed):
        guard let port = destination.ownPort(sender, receiver, ownClient: ownClient) else {
          continue
        }
        destinations[index].state = .connected
        destinations[index].linked = [port]
        notices.append(.found(name: destination.name, address: destination.address))
      case (.portStarted(let address), .lost):
        guard isBack(destination, at: address, ports),
          // Two devices of the same name that return together get one port each; entries for the
          // same device share its port.
          !requests.contains(where: {
            $0.address == address && destinations[$0.index].address != destination.address
          }),
          !destinations.contains(where: { $0.state == .connected && $0.address == address })
        else { continue }
        requests.append(
          Request(
            index: index, use: destination.use, ownPorts: destination.ownPorts, address: address))
      case (.portStarted(let address), .dismissed):
        if isBack(destination, at: address, ports) { destinations[index].address = address }
      default: continue
      }
    }
    return (notices, requests)
  }

  /// Whether the new port at `address` has the names of `destination`.
  private func isBack(
    _ destination: KeptPort, at address: PortAddress, _ ports: [PortInfo]
  ) -> Bool {
    guard let info = ports.first(where: { $0.address == address }) else { return false }
    return info.clientName == destination.clientName && info.name == destination.portName
  }

  private mutating func lose(_ index: Int, _ notices: inout [ConnectionNotice]) {
    destinations[index].state = .lost
    destinations[index].linked = []
    notices.append(.lost(name: destinations[index].name))
  }

  /// Records the result of a requested connection.
  mutating func settle(_ request: Request, error: ALSAError?) -> ConnectionNotice {
    let name = destinations[request.index].name
    if let error { return .failed(name: name, error) }
    destinations[request.index].address = request.address
    destinations[request.index].state = .connected
    destinations[request.index].linked = request.ownPorts
    return .found(name: name, address: request.address)
  }
}

extension ConnectionKeeper {
  /// Takes in one announcement and makes the connections that follow from it.
  ///
  /// - Throws: `ALSAError` if the ports cannot be listed.
  mutating func keep(_ event: IncomingEvent, on clients: SequencerClients) throws(ALSAError)
    -> [ConnectionNotice]
  {
    // Announcements were lost, perhaps expected ones.
    if case .overrun = event { echoes = [] }
    guard concerns(event), !destinations.isEmpty || !echoes.isEmpty else { return [] }
    var ports: [PortInfo] = []
    if let address = inQuestion(event, ownClient: clients.number) {
      ports = try clients.port(at: address).map { [$0] } ?? []
    }
    let (found, requests) = observe(event, ownClient: clients.number, ports: ports)
    var notices = found
    for request in requests {
      var failure: ALSAError?
      do throws(ALSAError) {
        for port in request.ownPorts {
          switch request.use {
          case .destination: try clients.connect(port, to: request.address)
          case .source: try clients.connect(port, from: request.address)
          }
        }
      } catch { failure = error }
      notices.append(settle(request, error: failure))
    }
    return notices
  }

  /// The one port to look up in order to understand `event`, if any.
  private func inQuestion(_ event: IncomingEvent, ownClient: UInt8) -> PortAddress? {
    switch event {
    case .portStarted(let address):
      destinations.contains { $0.state == .lost || $0.state == .dismissed } ? address : nil
    case .unsubscribed(let sender, let receiver):
      destinations.first { $0.ownPort(sender, receiver, ownClient: ownClient) != nil }?.address
    default: nil
    }
  }

  /// Moves every destination at `address` that has its own ports and is in one of the states `from`
  /// to `state`, and returns those ports.
  mutating func turn(
    _ address: PortAddress, from: [KeptPort.State], to state: KeptPort.State
  ) -> [PortNumber] {
    var ports: [PortNumber] = []
    for index in destinations.indices
    where !destinations[index].isGuest && destinations[index].use == .destination
      && destinations[index].address == address && from.contains(destinations[index].state)
    {
      destinations[index].state = state
      destinations[index].linked = state == .connected ? destinations[index].ownPorts : []
      ports += destinations[index].ownPorts
    }
    return ports
  }

  /// Removes the guests called `name` at `address`.
  mutating func forgetGuest(_ name: String, at address: PortAddress) {
    destinations.removeAll { $0.isGuest && $0.address == address && $0.name == name }
  }

  /// The full names of the destinations or sources, in the order added.
  func names(of use: PortUse) -> [String] {
    destinations.filter { $0.use == use }.map(\.name)
  }

  /// The index of the source connected from `address`, in the order added.
  func sourceNumber(at address: PortAddress) -> Int? {
    destinations.filter { $0.use == .source }
      .firstIndex { $0.address == address && $0.state == .connected }
  }

  /// The current addresses of the sources.
  var sources: [PortAddress] {
    destinations.filter { $0.use == .source && $0.state != .lost }.map(\.address)
  }

  /// The current address of the first source, if any.
  var source: PortAddress? { destinations.first { $0.use == .source }?.address }
}
