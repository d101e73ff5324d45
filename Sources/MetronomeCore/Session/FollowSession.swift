public import MIDIClock

/// A running session that follows a clock and passes it on.
///
/// Used by one thread at a time, the one that created it.
public struct FollowSession: ~Copyable {
  /// Our sequencer clients and their connections.
  public let sequencer: SequencerSession
  /// The routes sent, and their names.
  public let table: RouteTable
  /// The instant the session began.
  public let origin: HostTime
  /// The source's name, once there is one.
  public private(set) var sourceName: String?
  /// Problems found at the start.
  public let warnings: [StartWarning]
  private let wires: FollowWires
  private let thread: RealtimeThread<FollowTally>
  private var feedback = FeedbackGuard()
  /// A notice to return with the next ones.
  private var looped: ConnectionNotice?

  private init(
    sequencer: SequencerSession, table: RouteTable, source: PortInfo?, wires: FollowWires,
    thread: consuming RealtimeThread<FollowTally>, warnings: [StartWarning]
  ) {
    self.sequencer = sequencer
    self.table = table
    self.wires = wires
    self.thread = thread
    self.warnings = warnings
    sourceName = source?.fullName
    origin = SystemClock.now
    sequencer.takeLeave = { leave in
      _ = wires.commands.push(.unplanned(.leave(leave)))
      wires.doorbell.notify()
    }
  }

  /// Opens the sequencer, finds source and destinations, connects them and starts to follow.
  ///
  /// - Throws: `SessionError`.
  public static func start(_ settings: FollowSettings) throws(SessionError) -> FollowSession {
    let sequencer = try SequencerSession.open(
      for: .follow, name: settings.clientName, routes: settings.table,
      stamping: SequencerQueue.maximumResolution)
    let source = try connect(settings, sequencer)
    let table = sequencer.table ?? settings.table
    do throws(SystemError) {
      let wires = FollowWires(
        commands: HandoverQueue(capacity: 64), reports: HandoverQueue(capacity: 1_024),
        doorbell: try .open(), notifier: try .open())
      var warnings = [StartWarning.lockingMemory()].compactMap { $0 }
      let reader = FollowThread(
        sequencer: sequencer.clients.clock, input: sequencer.input,
        sender: RouteSender(
          table, output: sequencer.clients.clock.output, player: settings.sound),
        wires: wires, source: source?.address, isHeard: sequencer.isHeard,
        follower: ClockFollower(
          meters: settings.meters, repairs: settings.repairs, lostAfter: settings.lostAfter,
          divisor: settings.sourceResolution / 24),
        regenerator: Regenerator(
          routes: table.routes, policy: settings.policy, meters: settings.meters))
      let thread = try RealtimeThread.start(name: "midimetro-clock", state: reader) { $0.run() }
      if !settings.destinations.isEmpty, let refused = StartWarning.of(thread.scheduling) {
        warnings.append(refused)
      }
      return FollowSession(
        sequencer: sequencer, table: table, source: source, wires: wires, thread: thread,
        warnings: warnings)
    } catch { throw .system(error) }
  }

  /// Connects destinations and source, or every candidate; returns the source if it was named.
  private static func connect(
    _ settings: FollowSettings, _ sequencer: SequencerSession
  ) throws(SessionError) -> PortInfo? {
    let ports = try sequencer.ports()
    var source: PortInfo?
    if let text = settings.source {
      source = try sequencer.find(text, as: .source, among: ports)
    }
    let destinations = try sequencer.find(
      settings.destinations, among: ports, apartFrom: source)
    try sequencer.connect(destinations: destinations)
    if let source {
      sequencer.clients.clock.dropInput()
      try sequencer.connect(source: source)
    } else {
      // Our output to a destination could come back from it.
      sequencer.listenToCandidates(among: ports, avoiding: destinations.map(\.address))
    }
    return source
  }

  /// The source's address, once there is one.
  public var sourceAddress: PortAddress? { sequencer.keeper.source }

  /// Our client number.
  public var clientNumber: UInt8 { sequencer.clientNumber }

  /// The destinations' full names, in order.
  public var destinationNames: [String] { table.destinationNames }

  /// The descriptors to poll for reading: reports and announcements.
  public var descriptors: [Int32] {
    [wires.notifier.descriptor, sequencer.announcementDescriptor]
  }

  /// The reports since the last call, oldest first.
  ///
  /// Call `keepConnections` first, so that a source that returned under another number is
  /// recognized.
  public mutating func takeReports() -> [FollowReport] {
    wires.notifier.drain()
    var reports: [FollowReport] = []
    while let report = wires.reports.pop() {
      switch report {
      case .taken(let address): adopt(address)
      case .other(let address):
        if address == sequencer.keeper.source { continue }
        // What it sends is of no use to us, and there may be much of it.
        sequencer.candidates?.drop(address, on: sequencer.clients)
      default: break
      }
      reports.append(report)
    }
    return reports
  }

  /// Keeps the adopted source connected by name.
  private mutating func adopt(_ address: PortAddress) {
    guard let info = try? sequencer.clients.port(at: address) else { return }
    sequencer.keeper.add(info, sequencer.input, as: .source)
    sourceName = info.fullName
    breakLoop()
  }

  /// Keeps source and destinations connected, and listens to new ports.
  ///
  /// - Throws: `ALSAError` if the sequencer itself fails.
  public mutating func keepConnections() throws(ALSAError) -> [ConnectionNotice] {
    var notices: [ConnectionNotice] = []
    var before = sequencer.keeper.source
    while let (event, found) = try sequencer.nextAnnouncement() {
      notices += found
      if let now = sequencer.keeper.source, now != before { send(.follow(now)) }
      before = sequencer.keeper.source
      if feedback.note(event, ownClient: sequencer.clientNumber) {
        breakLoop()
        send(.heard(sequencer.isHeard))
      }
    }
    if let looped { notices.append(looped) }
    looped = nil
    return notices
  }

  private mutating func breakLoop() {
    guard let source = sequencer.keeper.source,
      feedback.breakLoop(with: source, on: sequencer.clients)
    else { return }
    looped = .feedbackLoop(name: name(of: source))
  }

  /// The name of the port at `address`, as `client:port`.
  public func name(of address: PortAddress) -> String { sequencer.name(of: address) }

  /// Ends sounding notes, stops the devices that were started, and ends; `.finished` follows.
  public func halt() { send(.halt) }

  /// Ends sounding notes, for example before a suspend.
  public func silence() { send(.silence) }

  /// Ends every note on every channel of every destination; see `PlaySession.panic`.
  public func panic() { send(.unplanned(.panic)) }

  private func send(_ command: FollowCommand) {
    _ = wires.commands.push(command)
    wires.doorbell.notify()
  }

  /// Waits until the thread has ended, and closes the clients.
  public consuming func finish() -> FollowTally {
    let sequencer = sequencer
    defer { withExtendedLifetime(sequencer) {} }
    return thread.join()
  }
}
