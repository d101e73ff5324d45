/// What happened to a destination while we play.
public enum ConnectionNotice: Hashable, Sendable {
  /// It has gone; the rest play on, and it is connected again when it comes back.
  case lost(name: String)
  /// It is back, under whatever number, and connected again.
  case found(name: String, address: PortAddress)
  /// Another program disconnected it; it stays so until someone connects it again.
  case released(name: String)
  /// It came back but could not be connected.
  case failed(name: String, ALSAError)
}

/// The destinations we were told to send to, kept connected by name.
///
/// Decides from the sequencer's announcements alone; the caller makes the connections it asks for.
/// A port is known again by its client's and its own name, whatever its numbers are by then.
public struct Connections: Sendable {
  /// One destination.
  struct Destination: Sendable {
    let ownPort: PortNumber
    let clientName: SequencerName
    let portName: SequencerName
    var address: PortAddress
    var state = State.connected

    enum State { case connected, lost, released }

    var name: String { "\(clientName.text):\(portName.text)" }
  }

  /// What the caller is to do: connect our port to the address, and tell how it went.
  struct Request: Hashable, Sendable {
    let index: Int
    let ownPort: PortNumber
    let address: PortAddress
  }

  private(set) var destinations: [Destination] = []

  /// No destinations yet.
  public init() {}

  /// Adds a destination that has just been connected.
  mutating func add(_ info: PortInfo, from ownPort: PortNumber) {
    destinations.append(
      Destination(
        ownPort: ownPort, clientName: info.clientName, portName: info.name, address: info.address))
  }

  /// Whether `event` may concern a destination, so that the caller looks up the ports there are.
  func concerns(_ event: IncomingEvent) -> Bool {
    switch event {
    case .portStarted, .portExited, .clientExited, .subscribed, .unsubscribed: true
    case .message, .overrun, .clientStarted, .other: false
    }
  }

  /// Takes in one announcement; `ports` are all that exist now.
  mutating func observe(_ event: IncomingEvent, ownClient: UInt8, ports: [PortInfo])
    -> (notices: [ConnectionNotice], requests: [Request])
  {
    var notices: [ConnectionNotice] = []
    var requests: [Request] = []
    for index in destinations.indices {
      let destination = destinations[index]
      switch (event, destination.state) {
      case (.portExited(let address), .connected), (.portExited(let address), .released):
        if address == destination.address { lose(index, &notices) }
      case (.clientExited(let client), .connected), (.clientExited(let client), .released):
        if client == destination.address.client { lose(index, &notices) }
      case (.unsubscribed(let sender, let receiver), .connected):
        guard sender == PortAddress(client: ownClient, port: destination.ownPort.value),
          receiver == destination.address
        else { continue }
        // A port that goes is unsubscribed first; one that stays was disconnected by someone.
        if ports.contains(where: { $0.address == receiver }) {
          destinations[index].state = .released
          notices.append(.released(name: destination.name))
        } else {
          lose(index, &notices)
        }
      case (.subscribed(let sender, let receiver), .released):
        guard sender == PortAddress(client: ownClient, port: destination.ownPort.value),
          receiver == destination.address
        else { continue }
        destinations[index].state = .connected
        notices.append(.found(name: destination.name, address: receiver))
      case (.portStarted(let address), .lost):
        guard let info = ports.first(where: { $0.address == address }),
          info.clientName == destination.clientName, info.name == destination.portName,
          // Two alike that come back together each get one.
          !requests.contains(where: { $0.address == address }),
          !destinations.contains(where: { $0.state == .connected && $0.address == address })
        else { continue }
        requests.append(Request(index: index, ownPort: destination.ownPort, address: address))
      default: continue
      }
    }
    return (notices, requests)
  }

  private mutating func lose(_ index: Int, _ notices: inout [ConnectionNotice]) {
    destinations[index].state = .lost
    notices.append(.lost(name: destinations[index].name))
  }

  /// Notes how a requested connection went.
  mutating func settle(_ request: Request, error: ALSAError?) -> ConnectionNotice {
    let name = destinations[request.index].name
    if let error { return .failed(name: name, error) }
    destinations[request.index].address = request.address
    destinations[request.index].state = .connected
    return .found(name: name, address: request.address)
  }
}
