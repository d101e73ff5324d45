public import MIDIClock

/// A running reader: a sequencer client that follows a clock and passes it on.
///
/// One thread at a time uses it, the one that made it.
public struct FollowSession: ~Copyable {
  private let sequencer: Sequencer
  private let input: PortNumber
  private let wires: FollowWires
  private let ports: RoutePorts
  private let thread: RealtimeThread<FollowTally>
  private var connections: ConnectionKeeper
  private let listensToAll: Bool
  /// Connected to find the one that clocks.
  private var candidates: Set<PortAddress>
  /// Not listened to unless named: what goes out there could come back.
  private var avoided: [PortAddress]
  /// What our ports have been connected to while it runs, by the numbers of our ports.
  private var leading: [PortAddress: Set<UInt8>] = [:]
  private let patch: LiveConnections
  /// The routes of the destinations, then that of the ports that anybody may connect to.
  private let routes: [Route]
  /// Whether ports or connections have come or gone since `takePatchChange`.
  private var patchHasChanged = true
  /// To be told with the next notices.
  private var looped: ConnectionNotice?
  // Kept so that the stamps go on.
  private let stamping: SequencerQueue?
  /// The instant the reader began.
  public let origin: HostTime
  /// The source's name, once there is one.
  public private(set) var sourceName: String?
  /// Where the source is, once there is one.
  public var sourceAddress: PortAddress? { connections.source }
  /// The number of our client.
  public var clientNumber: UInt8 { sequencer.clientNumber }
  /// The destinations' full names, in the order given.
  public let destinationNames: [String]
  /// What is not as it should be; one line each, with a remedy.
  public let warnings: [String]

  private init(
    sequencer: Sequencer, input: PortNumber, wires: FollowWires, ports: RoutePorts,
    thread: consuming RealtimeThread<FollowTally>, connections: ConnectionKeeper,
    listensToAll: Bool,
    candidates: Set<PortAddress>, avoided: [PortAddress],
    stamping: consuming SequencerQueue?, patch: LiveConnections, routes: [Route],
    sourceName: String?,
    destinationNames: [String], warnings: [String]
  ) {
    self.sequencer = sequencer
    self.input = input
    self.wires = wires
    self.ports = ports
    self.thread = thread
    self.connections = connections
    self.listensToAll = listensToAll
    self.candidates = candidates
    self.avoided = avoided
    self.stamping = stamping
    self.patch = patch
    self.routes = routes
    self.sourceName = sourceName
    self.destinationNames = destinationNames
    self.warnings = warnings
    origin = SystemClock.now
  }

  /// Opens the sequencer, finds source and destinations, connects them and starts to follow.
  ///
  /// - Throws: `SessionError`.
  public static func start(_ settings: FollowSettings) throws(SessionError) -> FollowSession {
    let sequencer: Sequencer
    let input: PortNumber
    var queue: SequencerQueue?
    let available: [PortInfo]
    var ports = RoutePorts()
    let patch: LiveConnections
    do throws(ALSAError) {
      sequencer = try Sequencer.open(clientName: settings.clientName)
      let stamping = try SequencerQueue.open(on: sequencer, name: settings.clientName)
      let clock = try sequencer.createPort(name: "clock", direction: .output)
      let click = try sequencer.createPort(name: "click", direction: .output)
      patch = LiveConnections(ports: [clock, click])
      input = try sequencer.createPort(
        name: "in", direction: .input, stampedBy: stamping.number)
      queue = consume stamping
      ports.set(settings.destinations.count, clock: clock, click: click)
      try sequencer.subscribeToAnnouncements()
      available = try sequencer.ports()
    } catch { throw .sequencer(error) }

    var source: PortInfo?
    var found: [PortInfo] = []
    do throws(AddressError) {
      if let address = settings.source {
        source = try AddressResolver(
          among: available, wanting: .source, excluding: sequencer.clientNumber
        ).resolve(address)
      }
      let resolver = AddressResolver(
        among: available, wanting: .destination, excluding: sequencer.clientNumber)
      for destination in settings.destinations {
        let info = try resolver.resolve(destination.address)
        // What goes out there would come back in here.
        guard info.address != source?.address else { throw .ourselves(text: destination.address) }
        found.append(info)
      }
      try settings.destinations.refuseRepeated(found)
    } catch { throw .address(error) }

    var connections = ConnectionKeeper()
    var candidates: Set<PortAddress> = []
    do throws(ALSAError) {
      for (index, info) in found.enumerated() {
        let port = try sequencer.createPort(
          name: "to \(info.clientName.text)", direction: .output)
        try sequencer.connect(port, to: info.address)
        ports.set(index, clock: port, click: port)
        connections.add(info, port)
      }
      if let source {
        sequencer.dropInput()
        try sequencer.connect(input, from: source.address)
        connections.add(source, input, as: .source)
      } else {
        for info in available
        where info.isClockCandidate(ownClient: sequencer.clientNumber)
          && !found.contains(where: { $0.address == info.address })
        {
          try? sequencer.connect(input, from: info.address)
          candidates.insert(info.address)
        }
      }
    } catch { throw .sequencer(error) }

    do throws(SystemError) {
      let wires = FollowWires(
        commands: HandoverQueue(capacity: 16), reports: HandoverQueue(capacity: 1_024),
        announcements: HandoverQueue(capacity: 256), doorbell: try .open(), notifier: try .open())
      var warnings: [String] = []
      if let code = MemoryLock.lockAll() {
        warnings.append(
          "memory cannot be locked (\(SystemError(operation: "mlockall", code: code)));"
            + " raise the memlock limit, see midimetro doctor")
      }
      let reader = FollowThread(
        sequencer: sequencer, input: input, ports: ports, wires: wires, source: source?.address,
        follower: ClockFollower(
          meters: settings.meters, repairs: settings.repairs, lostAfter: settings.lostAfter),
        regenerator: Regenerator(
          routes: settings.routes, policy: settings.policy, meters: settings.meters),
        sound: settings.sound, soundRoute: settings.soundRoute)
      let thread = try RealtimeThread.start(name: "midimetro-clock", state: reader) { $0.run() }
      if case .refused(let code) = thread.scheduling, !found.isEmpty {
        warnings.append(
          "real-time priority is refused"
            + " (\(SystemError(operation: "pthread_setschedparam", code: code))), so a busy machine"
            + " may delay a pulse; raise the rtprio limit, see midimetro doctor")
      }
      return FollowSession(
        sequencer: sequencer, input: input, wires: wires, ports: ports, thread: thread,
        connections: connections, listensToAll: source == nil, candidates: candidates,
        avoided: found.map(\.address), stamping: queue, patch: patch,
        routes: settings.destinations.map(\.route) + [settings.general],
        sourceName: source.map { "\($0.clientName.text):\($0.name.text)" },
        destinationNames: found.map { "\($0.clientName.text):\($0.name.text)" },
        warnings: warnings)
    } catch { throw .system(error) }
  }

  /// Readable when there are reports or announcements to take.
  public var descriptor: Int32 { wires.notifier.descriptor }

  /// The reports since the last call, oldest first.
  ///
  /// Call `keepConnections` first: a source that is back under another number is then no stranger.
  public mutating func takeReports() -> [FollowReport] {
    wires.notifier.drain()
    var reports: [FollowReport] = []
    while let report = wires.reports.pop() {
      switch report {
      case .taken(let address):
        adopt(address)
        reports.append(report)
      case .other(let address) where address == connections.source: break
      case .other(let address):
        // What it sends is of no use to us, and there may be much of it.
        if candidates.remove(address) != nil { try? sequencer.disconnect(input, from: address) }
        reports.append(report)
      default: reports.append(report)
      }
    }
    return reports
  }

  /// Keeps the source that has been taken connected by its name.
  private mutating func adopt(_ address: PortAddress) {
    guard let info = try? sequencer.port(at: address) else { return }
    connections.add(info, input, as: .source)
    sourceName = "\(info.clientName.text):\(info.name.text)"
    breakLoop()
  }

  /// Keeps source and destinations connected, and listens to ports that come.
  ///
  /// - Throws: `ALSAError` when the ports cannot be listed.
  public mutating func keepConnections() throws(ALSAError) -> [ConnectionNotice] {
    var notices: [ConnectionNotice] = []
    while let event = wires.announcements.pop() {
      let before = connections.source
      notices += try connections.keep(event, on: sequencer)
      if let now = connections.source, now != before { send(.follow(now)) }
      noteListeners(event)
      if patch.concerns(event, ownClient: sequencer.clientNumber) { patchHasChanged = true }
      if listensToAll, case .portStarted(let address) = event,
        let info = try sequencer.port(at: address),
        info.isClockCandidate(ownClient: sequencer.clientNumber), !avoided.contains(address)
      {
        try? sequencer.connect(input, from: address)
        candidates.insert(address)
      }
    }
    if let looped { notices.append(looped) }
    looped = nil
    return notices
  }

  /// Notes what our ports are connected to.
  private mutating func noteListeners(_ event: IncomingEvent) {
    switch event {
    case .subscribed(let sender, let receiver) where sender.client == sequencer.clientNumber:
      leading[receiver, default: []].insert(sender.port)
    case .unsubscribed(let sender, let receiver) where sender.client == sequencer.clientNumber:
      leading[receiver]?.remove(sender.port)
    default: return
    }
    breakLoop()
  }

  /// Disconnects our ports from the source, whoever connected them: what goes out there would come
  /// back in.
  private mutating func breakLoop() {
    guard let source = connections.source, let ports = leading.removeValue(forKey: source)
    else { return }
    for port in ports {
      do throws(ALSAError) {
        try sequencer.disconnect(PortNumber(port), to: source)
        looped = .feedbackLoop(name: name(of: source))
      } catch { continue }
    }
  }

  /// The name of the port at `address`, as `client:port`.
  public func name(of address: PortAddress) -> String {
    let info = try? sequencer.port(at: address)
    return info.map { "\($0.clientName.text):\($0.name.text)" } ?? address.description
  }

  /// Ends what sounds, stops what was started and ends; `.finished` follows.
  public func halt() { send(.halt) }

  /// Ends the notes that sound, as before a suspend.
  public func silence() { send(.silence) }

  /// Ends every note on every channel of every destination, whoever struck it; see `PlaySession.panic`.
  public func panic() { sequencer.output.panic(on: ports, routes: destinationNames.count + 1) }

  private func send(_ command: FollowCommand) {
    _ = wires.commands.push(command)
    wires.doorbell.notify()
  }

  /// Waits until the reader has ended, and closes the client.
  public consuming func finish() -> FollowTally { thread.join() }
}

// MARK: - Connecting while it follows

extension FollowSession {
  /// Whether ports or connections may have changed since the last call; see `PlaySession`.
  public mutating func takePatchChange() -> Bool {
    defer { patchHasChanged = false }
    return patchHasChanged
  }

  /// Who is connected to the ports that anybody may connect to; see `PlaySession`.
  public func listeners() throws(ALSAError) -> [ConnectablePort] {
    try patch.listeners(on: sequencer, connections)
  }

  /// Every port that can be sent to but the source, with how we are connected to it; see `PlaySession`.
  public func connectablePorts() throws(ALSAError) -> [ConnectablePort] {
    try patch.connectablePorts(on: sequencer, connections).filter {
      $0.address != connections.source
    }
  }

  /// Connects `outlet`, which from then on is not listened to: it gets the next pulse, and no Start.
  ///
  /// - Throws: `ALSAError` when it has gone or refuses.
  public mutating func connect(_ outlet: ConnectablePort) throws(ALSAError) {
    patchHasChanged = true
    // What goes out there could come back.
    avoided.append(outlet.address)
    if candidates.remove(outlet.address) != nil {
      try? sequencer.disconnect(input, from: outlet.address)
    }
    try patch.connect(outlet, on: sequencer, &connections)
  }

  /// Disconnects `outlet`; see `PlaySession`.
  ///
  /// - Throws: `ALSAError` when it refuses.
  public mutating func disconnect(_ outlet: ConnectablePort, isRolling: Bool) throws(ALSAError) {
    patchHasChanged = true
    try patch.disconnect(
      outlet, on: sequencer, &connections, routes, ports, isRolling: isRolling)
  }
}
