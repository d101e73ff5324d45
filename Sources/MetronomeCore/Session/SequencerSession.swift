/// A session's part in the sequencer: our two clients, our ports, and their connections.
///
/// Used by one thread at a time, the one that created it; the sending thread has the clock's client
/// to itself (`SequencerClients`). A class, because it stands for our clients, which cannot be
/// copied.
public final class SequencerSession {
  /// The purpose of the session.
  enum Purpose: Hashable, Sendable {
    /// To lead.
    case play
    /// To pass on what a source sends.
    case follow
    /// Only to listen.
    case listen
  }

  let clients: SequencerClients
  /// Where sources are connected to; input is stamped if the session was opened that way.
  let input: PortNumber
  private let purpose: Purpose
  private let live: LiveConnections
  var keeper = ConnectionKeeper()
  /// The candidates we listen to until the source is known; `nil` for named sources only.
  var candidates: ClockCandidates?
  /// The routes and the ports they are sent from.
  private(set) var table: RouteTable?
  /// Makes the engine leave a disconnected device silent.
  var takeLeave: (LeaveTaking) -> Void = { _ in }
  /// Kept alive for its stamps, unless the engine has taken it for sending.
  private var queue: SequencerQueue?
  /// The queue's number.
  private let stamping: QueueNumber?
  private var hasChanged = true

  private init(
    clients: SequencerClients, input: PortNumber, purpose: Purpose, general: [PortNumber],
    table: RouteTable?, queue: consuming SequencerQueue?, stamping: QueueNumber?
  ) {
    self.table = table
    self.stamping = stamping
    self.clients = clients
    self.input = input
    self.purpose = purpose
    self.queue = queue
    live = LiveConnections(ports: general)
  }

  /// Opens both clients and creates our public ports.
  ///
  /// `routes` are the routes to send, `nil` if the session only listens; `stamping` is the tick
  /// rate per second of the queue that stamps input, `nil` for no stamps.
  static func open(
    for purpose: Purpose, name: String, routes: RouteTable? = nil, stamping: UInt32?
  ) throws(SessionError) -> SequencerSession {
    do throws(ALSAError) {
      let clients = try SequencerClients.open(name: name)
      var table = routes
      var general: [PortNumber] = []
      if let routes {
        let clock = try clients.clock.createPort(name: "clock", direction: .output)
        let click = try clients.clock.createPort(name: "click", direction: .output)
        table?.send(routes.general, clock: clock, click: click)
        general = [clock, click]
      }
      var queue: SequencerQueue?
      var number: QueueNumber?
      if let stamping {
        let opened = try SequencerQueue.open(on: clients.clock, name: name, resolution: stamping)
        number = opened.number
        queue = consume opened
      }
      let input = try clients.clock.createPort(name: "in", direction: .input, stampedBy: number)
      return SequencerSession(
        clients: clients, input: input, purpose: purpose, general: general, table: table,
        queue: queue, stamping: number)
    } catch { throw .sequencer(error) }
  }

  /// The number of the client that owns our ports.
  public var clientNumber: UInt8 { clients.number }

  /// The stamping queue, or a new one, for the engine to send with.
  func takeQueue(orOpen name: String) throws(SessionError) -> SequencerQueue {
    if let queue = queue.take() { return queue }
    do throws(ALSAError) { return try SequencerQueue.open(on: clients.clock, name: name) } catch {
      throw .sequencer(error)
    }
  }

  /// A measurement of what our public clock port sends.
  func measurement() throws(ALSAError) -> LoopbackMeasurement? {
    guard let clock = live.ports.first else { return nil }
    return try LoopbackMeasurement(of: clock, on: clients, stampedBy: stamping)
  }

  /// Readable when input or an announcement has arrived.
  var descriptors: [Int32] { [clients.clock.pollDescriptor, clients.control.pollDescriptor] }

  /// Readable when an announcement has arrived.
  var announcementDescriptor: Int32 { clients.control.pollDescriptor }

  /// The name of the port at `address`, as `client:port`; the address if it does not exist.
  func name(of address: PortAddress) -> String {
    let port = try? clients.port(at: address)
    return port?.fullName ?? address.description
  }

  /// Whether anything is connected to one of our output ports.
  var isHeard: Bool {
    (table?.entries ?? []).contains { entry in
      guard case .sequencer(let clock, let click) = entry.sink else { return false }
      return !clients.subscribers(of: clock).isEmpty || !clients.subscribers(of: click).isEmpty
    }
  }

  /// Takes in the next announcement, and keeps destinations and sources connected accordingly.
  ///
  /// - Returns: The announcement, and the changes of our connections; `nil` if there is none.
  /// - Throws: `ALSAError` if the sequencer itself fails.
  func nextAnnouncement() throws(ALSAError) -> (
    event: IncomingEvent, notices: [ConnectionNotice]
  )? {
    guard let event = try clients.control.nextEvent() else { return nil }
    if live.concerns(event, ownClient: clients.number) { hasChanged = true }
    let notices = try keeper.keep(event, on: clients)
    if case .portStarted(let address) = event { try candidates?.listen(to: address, on: clients) }
    return (event, notices)
  }
}

// MARK: - Connecting at the start

extension SequencerSession {
  /// The port among `ports` that `text` refers to.
  func find(_ text: String, as use: PortUse, among ports: [PortInfo]) throws(SessionError)
    -> PortInfo
  {
    do throws(AddressError) {
      return try AddressResolver(among: ports, wanting: use, excluding: clients.number)
        .resolve(text)
    } catch { throw .address(error) }
  }

  /// The ports of `destinations`; throws if one of them is `source`, or two are the same.
  func find(
    _ destinations: [Destination], among ports: [PortInfo], apartFrom source: PortInfo? = nil
  ) throws(SessionError) -> [PortInfo] {
    var found: [PortInfo] = []
    for destination in destinations {
      let info = try find(destination.address, as: .destination, among: ports)
      // Our output would come back in here.
      guard info.address != source?.address else {
        throw .address(.ourselves(text: destination.address))
      }
      found.append(info)
    }
    do throws(AddressError) { try destinations.refuseRepeated(found) } catch {
      throw .address(error)
    }
    return found
  }

  /// Connects the destinations, each to its own port and route.
  func connect(destinations found: [PortInfo]) throws(SessionError) {
    do throws(ALSAError) {
      for (number, info) in found.enumerated() {
        let port = try clients.clock.createPort(
          name: "to \(info.clientName.text)", direction: .output)
        try clients.connectAtStart(port, to: info.address)
        table?.send(number, clock: port, click: port, to: info.fullName)
        keeper.add(info, port)
      }
    } catch { throw .sequencer(error) }
  }

  /// Connects a source, and keeps it connected by name.
  func connect(source info: PortInfo) throws(SessionError) {
    do throws(ALSAError) { try clients.connectAtStart(input, from: info.address) } catch {
      throw .sequencer(error)
    }
    keeper.add(info, input, as: .source)
  }

  /// Listens to every port among `ports` that may send a clock, and to new ones.
  func listenToCandidates(among ports: [PortInfo], avoiding avoided: [PortAddress] = []) {
    var candidates = ClockCandidates(input: input, avoiding: avoided)
    for port in ports { candidates.listen(to: port, on: clients) }
    self.candidates = candidates
  }

  /// Every port, except those of the control client.
  func ports() throws(SessionError) -> [PortInfo] {
    do throws(ALSAError) { return try clients.ports() } catch { throw .sequencer(error) }
  }
}

// MARK: - Connecting while it runs

extension SequencerSession {
  /// Whether ports or connections may have changed since the last call; true the first time.
  public func takePatchChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// The ports connected to our public ports, by address, followed by guests that have gone.
  ///
  /// Source: `snd_seq_query_port_subscribers`.
  /// - Throws: `ALSAError` if a port cannot be looked up.
  public func listeners() throws(ALSAError) -> [ConnectablePort] {
    try live.listeners(on: clients, keeper)
  }

  /// Every port we can send to except the followed source, with the state of our connection to it.
  ///
  /// Makes a system call per client and port: for a list on display, not for every pass of a loop.
  /// - Throws: `ALSAError` if the ports cannot be listed.
  public func connectablePorts() throws(ALSAError) -> [ConnectablePort] {
    let ports = try live.connectablePorts(on: clients, keeper)
    guard purpose == .follow else { return ports }
    return ports.filter { $0.address != keeper.source }
  }

  /// Connects `outlet`, without a gap for the others; it gets the next pulse, but no Start.
  ///
  /// From then on it is no longer a candidate for the source.
  /// - Throws: `ALSAError` if it has gone or refuses.
  public func connect(_ outlet: ConnectablePort) throws(ALSAError) {
    hasChanged = true
    candidates?.avoid(outlet.address, on: clients)
    try live.connect(outlet, on: clients, &keeper)
  }

  /// Disconnects `outlet`, and leaves it silent and, if the song `isRolling`, stopped.
  ///
  /// A port that has gone is no longer waited for.
  /// - Throws: `ALSAError` if the connection cannot be removed.
  public func disconnect(_ outlet: ConnectablePort, isRolling: Bool) throws(ALSAError) {
    hasChanged = true
    let ports = try live.disconnect(outlet, on: clients, &keeper)
    for entry in table?.entries ?? [] {
      guard case .sequencer(let clock, let click) = entry.sink,
        let port = [clock, click].first(where: ports.contains)
      else { continue }
      takeLeave(
        LeaveTaking(
          route: entry.route, port: port, address: outlet.address, isRolling: isRolling))
    }
  }

  /// The addresses, in the form of `--to`, of the destinations connected live, and for each of the
  /// original destinations whether it still is one.
  ///
  /// Uses the name if it resolves to that port alone and can be stored (`isKept`), otherwise the
  /// numeric address.
  /// - Throws: `ALSAError` if the ports cannot be listed.
  public func presentDestinations(
    isKept: (String) -> Bool = { _ in true }
  ) throws(ALSAError) -> (given: [Bool], added: [String]) {
    let own = keeper.destinations.filter { $0.use == .destination && !$0.isGuest }
    let guests = keeper.destinations.filter(\.isGuest)
    guard !guests.isEmpty else { return (own.map { $0.state != .dismissed }, []) }
    let resolver = AddressResolver(
      among: try clients.ports(), wanting: .destination, excluding: clients.number)
    let added = guests.map { guest in
      if guest.state == .lost { return guest.name }
      guard isKept(guest.name) else { return guest.address.description }
      let found = try? resolver.resolve(guest.name)
      return found?.address == guest.address ? guest.name : guest.address.description
    }
    return (own.map { $0.state != .dismissed }, added)
  }
}
