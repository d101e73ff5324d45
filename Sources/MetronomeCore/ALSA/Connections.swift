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
  /// It is the source, and somebody connected one of our ports to it: that has been undone.
  case looped(name: String)
}

/// The destinations we were told to send to, kept connected by name.
///
/// Decides from the sequencer's announcements alone; the caller makes the connections it asks for.
/// A port is known again by its client's and its own name, whatever its numbers are by then.
public struct Connections: Sendable {
  /// One destination, or the source.
  struct Destination: Sendable {
    let ownPort: PortNumber
    /// Which way it is connected: `destination` from our port to it, `source` from it to our port.
    let use: PortUse
    let clientName: SequencerName
    let portName: SequencerName
    var address: PortAddress
    var state = State.connected

    enum State { case connected, lost, released }

    var name: String { "\(clientName.text):\(portName.text)" }

    /// Whether a connection from `sender` to `receiver` is this one.
    func isBetween(_ sender: PortAddress, _ receiver: PortAddress, ownClient: UInt8) -> Bool {
      let own = PortAddress(client: ownClient, port: ownPort.value)
      return use == .destination
        ? sender == own && receiver == address : sender == address && receiver == own
    }
  }

  /// What the caller is to do: connect our port to the address, and tell how it went.
  struct Request: Hashable, Sendable {
    let index: Int
    let use: PortUse
    let ownPort: PortNumber
    let address: PortAddress
  }

  private(set) var destinations: [Destination] = []

  /// No destinations yet.
  public init() {}

  /// Adds a destination, or a source, that has just been connected.
  mutating func add(_ info: PortInfo, _ ownPort: PortNumber, as use: PortUse = .destination) {
    destinations.append(
      Destination(
        ownPort: ownPort, use: use, clientName: info.clientName, portName: info.name,
        address: info.address))
  }

  /// Whether `event` may concern a destination, so that the caller looks up the ports there are.
  func concerns(_ event: IncomingEvent) -> Bool {
    switch event {
    case .portStarted, .portExited, .clientExited, .subscribed, .unsubscribed: true
    case .message, .overrun, .clientStarted, .other: false
    }
  }

  /// Takes in one announcement; `ports` are those that exist of the ones it is about.
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
        guard destination.isBetween(sender, receiver, ownClient: ownClient) else { continue }
        // A port that goes is unsubscribed first; one that stays was disconnected by someone.
        if ports.contains(where: { $0.address == destination.address }) {
          destinations[index].state = .released
          notices.append(.released(name: destination.name))
        } else {
          lose(index, &notices)
        }
      case (.subscribed(let sender, let receiver), .released):
        guard destination.isBetween(sender, receiver, ownClient: ownClient) else { continue }
        destinations[index].state = .connected
        notices.append(.found(name: destination.name, address: destination.address))
      case (.portStarted(let address), .lost):
        guard let info = ports.first(where: { $0.address == address }),
          info.clientName == destination.clientName, info.name == destination.portName,
          // Two alike that come back together each get one.
          !requests.contains(where: { $0.address == address }),
          !destinations.contains(where: { $0.state == .connected && $0.address == address })
        else { continue }
        requests.append(
          Request(
            index: index, use: destination.use, ownPort: destination.ownPort, address: address))
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

extension Connections {
  /// Takes in one announcement and makes the connections it asks for.
  ///
  /// - Throws: `ALSAError` when the ports cannot be listed.
  mutating func keep(_ event: IncomingEvent, on sequencer: Sequencer) throws(ALSAError)
    -> [ConnectionNotice]
  {
    guard concerns(event), !destinations.isEmpty else { return [] }
    var ports: [PortInfo] = []
    if let address = inQuestion(event, ownClient: sequencer.clientNumber) {
      ports = try sequencer.port(at: address).map { [$0] } ?? []
    }
    let (found, requests) = observe(event, ownClient: sequencer.clientNumber, ports: ports)
    var notices = found
    for request in requests {
      var failure: ALSAError?
      do throws(ALSAError) {
        switch request.use {
        case .destination: try sequencer.connect(request.ownPort, to: request.address)
        case .source: try sequencer.connect(request.ownPort, from: request.address)
        }
      } catch { failure = error }
      notices.append(settle(request, error: failure))
    }
    return notices
  }

  /// The one port that must be looked up to understand `event`; `nil` when none must.
  private func inQuestion(_ event: IncomingEvent, ownClient: UInt8) -> PortAddress? {
    switch event {
    case .portStarted(let address):
      destinations.contains { $0.state == .lost } ? address : nil
    case .unsubscribed(let sender, let receiver):
      destinations.first { $0.isBetween(sender, receiver, ownClient: ownClient) }?.address
    default: nil
    }
  }

  /// The full names of the destinations or of the sources, in the order added.
  func names(of use: PortUse) -> [String] {
    destinations.filter { $0.use == use }.map(\.name)
  }

  /// Which source is connected from `address`, counted from 0 in the order added.
  func sourceNumber(at address: PortAddress) -> Int? {
    destinations.filter { $0.use == .source }
      .firstIndex { $0.address == address && $0.state == .connected }
  }

  /// Where the sources are now.
  var sources: [PortAddress] {
    destinations.filter { $0.use == .source && $0.state != .lost }.map(\.address)
  }

  /// Where the source is now; `nil` when there is none.
  var source: PortAddress? { destinations.first { $0.use == .source }?.address }
}
