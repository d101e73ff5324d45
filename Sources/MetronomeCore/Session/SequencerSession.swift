/// What a session has of the sequencer: our two clients, our ports, and whom they are connected to.
///
/// One thread at a time uses it, the one that made it; the thread that sends has the clock's client
/// for itself (`SequencerClients`). A class, because our clients are one thing and not a value.
public final class SequencerSession {
  /// What the session is for.
  enum Purpose: Hashable, Sendable {
    /// We lead.
    case play
    /// We pass on what a source sends.
    case follow
    /// We only hear.
    case listen
  }

  let clients: SequencerClients
  /// Where sources are heard; what arrives is stamped if the session was opened so.
  let input: PortNumber
  private let purpose: Purpose
  private let live: LiveConnections
  var keeper = ConnectionKeeper()
  /// What is listened to until it is clear whose clock is followed; `nil` for named sources only.
  var candidates: ClockCandidates?
  /// The routes and the ports they leave from.
  private(set) var table: RouteTable?
  /// Has the engine leave a disconnected device silent.
  var takeLeave: (LeaveTaking) -> Void = { _ in }
  /// Kept so that the stamps go on, unless the engine has taken it to send by.
  private var queue: SequencerQueue?
  /// Its number.
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

  /// Opens both clients and makes the ports that anybody may connect to.
  ///
  /// `routes` are what is sent, `nil` when the session only hears; `stamping` is how often a second
  /// the queue ticks that stamps what arrives, `nil` for no stamps.
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

  /// The number of the client that our ports belong to.
  public var clientNumber: UInt8 { clients.number }

  /// The queue that stamps, or a new one, for the engine to send by.
  func takeQueue(orOpen name: String) throws(SessionError) -> SequencerQueue {
    if let queue = queue.take() { return queue }
    do throws(ALSAError) { return try SequencerQueue.open(on: clients.clock, name: name) } catch {
      throw .sequencer(error)
    }
  }

  /// A measurement of what leaves from the clock's port that anybody may connect to.
  func measurement() throws(ALSAError) -> LoopbackMeasurement? {
    guard let clock = live.ports.first else { return nil }
    return try LoopbackMeasurement(of: clock, on: clients, stampedBy: stamping)
  }

  /// Readable when something was announced, or our own input has something.
  var descriptors: [Int32] { [clients.clock.pollDescriptor, clients.control.pollDescriptor] }

  /// Readable when something was announced.
  var announcementDescriptor: Int32 { clients.control.pollDescriptor }

  /// The name of the port at `address`, as `client:port`.
  func name(of address: PortAddress) -> String {
    let port = try? clients.port(at: address)
    return port?.fullName ?? address.description
  }

  /// Whether anybody is connected to one of our output ports.
  var isHeard: Bool {
    (table?.entries ?? []).contains { entry in
      guard case .sequencer(let clock, let click) = entry.sink else { return false }
      return !clients.subscribers(of: clock).isEmpty || !clients.subscribers(of: click).isEmpty
    }
  }

  /// Takes in the next announcement and keeps destinations and sources connected by it.
  ///
  /// - Returns: What was announced, and what became of our connections; `nil` when there is no more.
  /// - Throws: `ALSAError` when the sequencer itself fails.
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
  /// The port among `ports` that `text` means.
  func find(_ text: String, as use: PortUse, among ports: [PortInfo]) throws(SessionError)
    -> PortInfo
  {
    do throws(AddressError) {
      return try AddressResolver(among: ports, wanting: use, excluding: clients.number)
        .resolve(text)
    } catch { throw .address(error) }
  }

  /// The ports of `destinations`; an error if one of them is `source`, or two are the same.
  func find(
    _ destinations: [Destination], among ports: [PortInfo], apartFrom source: PortInfo? = nil
  ) throws(SessionError) -> [PortInfo] {
    var found: [PortInfo] = []
    for destination in destinations {
      let info = try find(destination.address, as: .destination, among: ports)
      // What goes out there would come back in here.
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

  /// Connects the destinations found, each from a port and a route of its own.
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

  /// Connects a source, and keeps it connected by its name.
  func connect(source info: PortInfo) throws(SessionError) {
    do throws(ALSAError) { try clients.connectAtStart(input, from: info.address) } catch {
      throw .sequencer(error)
    }
    keeper.add(info, input, as: .source)
  }

  /// Listens to every port among `ports` that a clock may come from, and to those that come later.
  func listenToCandidates(among ports: [PortInfo], avoiding avoided: [PortAddress] = []) {
    var candidates = ClockCandidates(input: input, avoiding: avoided)
    for port in ports { candidates.listen(to: port, on: clients) }
    self.candidates = candidates
  }

  /// Every port there is but the control client's.
  func ports() throws(SessionError) -> [PortInfo] {
    do throws(ALSAError) { return try clients.ports() } catch { throw .sequencer(error) }
  }
}

// MARK: - Connecting while it runs

extension SequencerSession {
  /// Whether ports or connections may have changed since the last call; true at first.
  public func takePatchChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// Who is connected to the ports that anybody may connect to, by address, then who was connected
  /// here and has gone.
  ///
  /// Source: `snd_seq_query_port_subscribers`.
  /// - Throws: `ALSAError` when a port cannot be looked up.
  public func listeners() throws(ALSAError) -> [ConnectablePort] {
    try live.listeners(on: clients, keeper)
  }

  /// Every port that can be sent to, with how we are connected to it; without a source that is
  /// followed.
  ///
  /// A system call for each client and port there is: for a list that somebody looks at, not for
  /// every turn of a loop.
  /// - Throws: `ALSAError` when the ports cannot be listed.
  public func connectablePorts() throws(ALSAError) -> [ConnectablePort] {
    let ports = try live.connectablePorts(on: clients, keeper)
    guard purpose == .follow else { return ports }
    return ports.filter { $0.address != keeper.source }
  }

  /// Connects `outlet`, without a gap for the others: it gets the next pulse, and no Start.
  ///
  /// From then on it is not listened to as a clock that could be followed.
  /// - Throws: `ALSAError` when it has gone or refuses.
  public func connect(_ outlet: ConnectablePort) throws(ALSAError) {
    hasChanged = true
    candidates?.avoid(outlet.address, on: clients)
    try live.connect(outlet, on: clients, &keeper)
  }

  /// Disconnects `outlet`, and leaves it silent and, when the song `isRolling`, stopped.
  ///
  /// One that has gone is no longer waited for.
  /// - Throws: `ALSAError` when it refuses.
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

  /// The addresses, as `--to` takes them, of the destinations that were connected here, and for
  /// each of those given whether it still is one.
  ///
  /// Uses the name where it resolves to that port alone and `isKept`, where the address goes, keeps
  /// it; else the number.
  /// - Throws: `ALSAError` when the ports cannot be listed.
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
