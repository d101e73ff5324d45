public import MIDIClock

/// A running leader: a sequencer client, its connections and the engine that plays the plan.
///
/// One thread at a time uses it, the one that made it. Dropping it without `finish` leaves the
/// engine to play on until its plan ends.
public struct PlaySession: ~Copyable {
  private let sequencer: Sequencer
  private let wires: EngineWires
  private let ports: RoutePorts
  private let thread: RealtimeThread<EngineTally>
  /// The number of the last change asked for; 0 before any.
  public private(set) var lastChange: UInt64 = 0
  private var connections: ConnectionKeeper
  private let names: [String]
  /// Our own messages as they came back, oldest first; empty unless the leader measures itself.
  public private(set) var arrivals: [Arrival] = []
  /// How often arrivals were lost because they were not read in time.
  public private(set) var overruns = 0
  private let isMeasuring: Bool
  private let patch: LiveConnections
  /// The routes of the destinations, then that of the ports that anybody may connect to.
  private let routes: [Route]
  /// Whether ports or connections have come or gone since `takePatchChange`.
  private var patchHasChanged = true
  private let input: PortNumber
  /// The sources' full names, in the order given.
  public let sourceNames: [String]
  /// For each source whether its hits may be taps.
  private let canTap: [Bool]
  private var heard: [Hearing] = []
  /// Kept so that the stamps go on; with the queued way the engine has it.
  private let stamping: SequencerQueue?

  /// One of our own messages as the kernel delivered it.
  public struct Arrival: Hashable, Sendable {
    /// When, by the kernel's stamp.
    public let time: HostTime
    /// What.
    public let message: MIDIMessage
  }

  /// One message of a source.
  public struct Hearing: Hashable, Sendable {
    /// When the kernel delivered it.
    public let time: HostTime
    /// What.
    public let message: MIDIMessage
    /// Whose.
    public let source: PortAddress
    /// Whether the source was named for its taps.
    public let canTap: Bool

    /// A message of its parts.
    public init(time: HostTime, message: MIDIMessage, source: PortAddress, canTap: Bool) {
      self.time = time
      self.message = message
      self.source = source
      self.canTap = canTap
    }
  }
  /// The instant of pulse 0.
  public let origin: HostTime
  /// How it is dispatched, and why.
  public let dispatch: DispatchSelection
  /// Our client's number.
  public let clientNumber: UInt8

  private init(
    _ start: Start, thread: consuming RealtimeThread<EngineTally>, origin: HostTime,
    dispatch: DispatchSelection, stamping: consuming SequencerQueue? = nil
  ) {
    isMeasuring = start.settings.measuresItself
    patch = start.patch
    routes = start.settings.destinations.map(\.route) + [start.settings.general]
    self.stamping = stamping
    sequencer = start.sequencer
    wires = start.wires
    ports = start.ports
    self.thread = thread
    connections = start.connections
    input = start.input
    canTap = start.canTap
    names = start.connections.names(of: .destination)
    sourceNames = start.connections.names(of: .source)
    self.origin = origin
    self.dispatch = dispatch
    clientNumber = sequencer.clientNumber
  }

  /// From the thread's start to its first event: for the thread to warm up, and for devices that
  /// have just been opened.
  private static var startDelay: HostTime.Span { .milliseconds(60) }

  /// Ticks a second of a queue that only stamps.
  private static var stampingResolution: UInt32 { 250 }

  /// Opens the sequencer, connects the destinations and starts playing.
  ///
  /// Nothing is sent before every destination has been found and connected.
  /// - Throws: `SessionError`.
  public static func start(_ settings: PlaySettings) throws(SessionError) -> PlaySession {
    let limits = settings.dispatch == .queued ? nil : Limits.read()
    let isPrecise = limits.map { settings.dispatch == .precise || $0.grantsRealtime } ?? false
    let sequencer: Sequencer
    var queue: SequencerQueue?
    var connections = ConnectionKeeper()
    var ports = RoutePorts()
    let input: PortNumber
    let patch: LiveConnections
    do throws(ALSAError) {
      sequencer = try Sequencer.open(clientName: settings.clientName)
      let clock = try sequencer.createPort(name: "clock", direction: .output)
      let click = try sequencer.createPort(name: "click", direction: .output)
      patch = LiveConnections(ports: [clock, click])
      var stampedBy: QueueNumber?
      if settings.measuresItself || !settings.sources.isEmpty {
        // Between two ticks the kernel counts on by its own clock, so taps are stamped as finely by
        // slow ones, which disturb nobody; the queue that also sends needs fast ones.
        let stamping = try SequencerQueue.open(
          on: sequencer, name: settings.clientName,
          resolution: isPrecise && !settings.measuresItself
            ? Self.stampingResolution : SequencerQueue.maximumResolution)
        stampedBy = stamping.number
        queue = consume stamping
      }
      input = try sequencer.createPort(name: "in", direction: .input, stampedBy: stampedBy)
      ports.set(settings.destinations.count, clock: clock, click: click)
      try sequencer.subscribeToAnnouncements()
      if settings.measuresItself {
        let own = try sequencer.createPort(
          name: "measure", direction: .input, stampedBy: stampedBy)
        try sequencer.connect(
          clock, to: PortAddress(client: sequencer.clientNumber, port: own.value))
      }
    } catch { throw .sequencer(error) }
    let canTap = try connect(settings, sequencer, input, &ports, &connections)

    let notifier: Notifier
    do throws(SystemError) { notifier = try .open() } catch { throw .system(error) }
    var plan = settings.planner(origin: .zero)
    let planned = plan.planned
    let wires = EngineWires(
      commands: HandoverQueue(capacity: 256), reports: HandoverQueue(capacity: 1_024),
      snapshot: SnapshotCell(
        PlanSnapshot(planned, performed: PlanSnapshot.Performed(before: planned))),
      doorbell: Doorbell(), notifier: notifier)
    let start = Start(
      settings: settings, limits: limits, sequencer: sequencer, ports: ports, wires: wires,
      connections: connections, patch: patch, input: input, canTap: canTap)
    guard let limits, isPrecise else {
      return try queued(start, queue: queue)
    }
    do throws(SystemError) { return try precise(start, limits, stamping: queue) } catch {
      throw .system(error)
    }
  }

  /// What is ready before the engine starts.
  private struct Start {
    let settings: PlaySettings
    let limits: Limits?
    let sequencer: Sequencer
    let ports: RoutePorts
    let wires: EngineWires
    let connections: ConnectionKeeper
    let patch: LiveConnections
    let input: PortNumber
    let canTap: [Bool]
  }

  /// Finds every destination and source before connecting any; gives each destination its own port.
  ///
  /// Returns for each source whether it taps.
  private static func connect(
    _ settings: PlaySettings, _ sequencer: Sequencer, _ input: PortNumber,
    _ ports: inout RoutePorts, _ connections: inout ConnectionKeeper
  ) throws(SessionError) -> [Bool] {
    let available: [PortInfo]
    do throws(ALSAError) { available = try sequencer.ports() } catch { throw .sequencer(error) }
    let resolver = AddressResolver(
      among: available, wanting: .destination, excluding: sequencer.clientNumber)
    var found: [PortInfo] = []
    for destination in settings.destinations {
      do throws(AddressError) { found.append(try resolver.resolve(destination.address)) } catch {
        throw .address(error)
      }
    }
    do throws(AddressError) { try settings.destinations.refuseRepeated(found) } catch {
      throw .address(error)
    }
    let listening = AddressResolver(
      among: available, wanting: .source, excluding: sequencer.clientNumber)
    var heard: [PortInfo] = []
    var canTap: [Bool] = []
    for source in settings.sources {
      do throws(AddressError) {
        let info = try listening.resolve(source.address)
        if let known = heard.firstIndex(where: { $0.address == info.address }) {
          canTap[known] = canTap[known] || source.canTap
        } else {
          heard.append(info)
          canTap.append(source.canTap)
        }
      } catch { throw .address(error) }
    }
    for (index, info) in found.enumerated() {
      do throws(ALSAError) {
        let port = try sequencer.createPort(
          name: "to \(info.clientName.text)", direction: .output)
        try sequencer.connect(port, to: info.address)
        ports.set(index, clock: port, click: port)
        connections.add(info, port)
      } catch { throw .sequencer(error) }
    }
    for info in heard {
      do throws(ALSAError) {
        try sequencer.connect(input, from: info.address)
        connections.add(info, input, as: .source)
      } catch { throw .sequencer(error) }
    }
    return canTap
  }

  private static func precise(
    _ start: Start, _ limits: Limits, stamping: consuming SequencerQueue?
  ) throws(SystemError) -> PlaySession {
    var warnings: [String] = []
    if let code = MemoryLock.lockAll() {
      warnings.append(
        "memory cannot be locked (\(SystemError(operation: "mlockall", code: code))), so a page"
          + " fault may delay a pulse; raise the memlock limit, see midimetro doctor")
    }
    var reason = "our own thread has real-time priority \(Scheduling.defaultPriority)"
    if case .refused(let code) = limits.scheduling {
      reason = "asked for"
      warnings.append(
        "real-time priority is refused"
          + " (\(SystemError(operation: "pthread_setschedparam", code: code))), so a busy machine may"
          + " delay a pulse; raise the rtprio limit, see midimetro doctor")
    }
    let settings = start.settings
    let origin = origin(of: settings)
    let engine = EngineThread(
      dispatch: PreciseDispatch(settings.planner(origin: origin)),
      output: start.sequencer.output, queue: nil, ports: start.ports, wires: start.wires,
      sound: settings.sound, soundRoute: settings.soundRoute,
      measuredRoutes: max(1, settings.destinations.count), watchesClock: true)
    let thread = try RealtimeThread.start(name: threadName, state: engine) { $0.run() }
    return PlaySession(
      start, thread: thread, origin: origin,
      dispatch: DispatchSelection(mode: .precise, reason: reason, warnings: warnings),
      stamping: stamping)
  }

  private static func queued(_ start: Start, queue given: consuming SequencerQueue?)
    throws(SessionError) -> PlaySession
  {
    let settings = start.settings
    let queue: SequencerQueue
    if let given {
      queue = given
    } else {
      do throws(ALSAError) {
        queue = try SequencerQueue.open(on: start.sequencer, name: settings.clientName)
      } catch { throw .sequencer(error) }
    }
    var warnings: [String] = []
    if !queue.isTicking {
      warnings.append(
        "the queue's timer \(queue.timer?.name ?? "") does not tick, so nothing would leave;"
          + " use --dispatch precise, or sudo modprobe snd-hrtimer and start again")
    }
    let period = queue.timer?.period ?? .microseconds(160)
    if .milliseconds(1) < period {
      warnings.append(
        "the queue's timer \(queue.timer?.name ?? "") has a period of"
          + " \(Thousandths.text(period.nanoseconds / 1_000)) ms, so pulses are as uneven;"
          + " load the high-resolution timer: sudo modprobe snd-hrtimer")
    }
    var reason = "asked for"
    if case .refused(let code) = start.limits?.scheduling {
      reason =
        "real-time priority is refused"
        + " (\(SystemError(operation: "pthread_setschedparam", code: code)));"
        + " see midimetro doctor"
    }
    let origin = origin(of: settings)
    let sound = settings.soundRoute
    let engine = EngineThread(
      dispatch: QueuedDispatch(
        settings.planner(origin: origin), now: SystemClock.now, timerPeriod: period,
        localRoutes: sound < Planner.maximumRoutes ? 1 << UInt16(sound) : 0),
      output: start.sequencer.output, queue: queue, ports: start.ports, wires: start.wires,
      sound: settings.sound, soundRoute: sound,
      measuredRoutes: max(1, settings.destinations.count), watchesClock: false)
    let thread: RealtimeThread<EngineTally>
    do throws(SystemError) {
      thread = try RealtimeThread.start(name: threadName, priority: nil, state: engine) { $0.run() }
    } catch { throw .system(error) }
    return PlaySession(
      start, thread: thread, origin: origin,
      dispatch: DispatchSelection(mode: .queued, reason: reason, warnings: warnings))
  }

  /// As `top -H` shows it.
  private static var threadName: String { "midimetro-clock" }

  /// The origin that puts the plan's first event just after the start delay.
  private static func origin(of settings: PlaySettings) -> HostTime {
    var plan = settings.planner(origin: .zero)
    let first = plan.next?.time ?? .zero
    return SystemClock.now + startDelay - (first - .zero)
  }

  /// The destinations' full names, in the order given.
  public var destinationNames: [String] { names }

  /// What to poll for reading: the engine's reports, the sequencer's announcements.
  public var descriptors: (reports: Int32, sequencer: Int32) {
    (wires.notifier.descriptor, sequencer.pollDescriptor)
  }

  /// Changes the plan as early as can be; false when too many changes are waiting.
  ///
  /// The change has the number `lastChange` then, by which `snapshot` says what became of it.
  public mutating func apply(_ change: PlanChange) -> Bool {
    guard send(.change(change, number: lastChange + 1)) else { return false }
    lastChange += 1
    return true
  }

  /// What is planned and what has been performed; as new as the notifier's last notice or newer.
  public var snapshot: PlanSnapshot { wires.snapshot.read() }

  /// Ends everything at once: note-offs for what sounds, Stop, nothing.
  ///
  /// `.finished` follows.
  public func halt() { _ = send(.halt) }

  /// Ends every note on every channel of every destination, whoever struck it.
  ///
  /// All Sound Off and All Notes Off (controllers 120 and 123; MIDI 1.0 Detailed Specification,
  /// "Channel Mode Messages"), sent from the calling thread: the plan goes on.
  public func panic() { sequencer.output.panic(on: ports, routes: destinationNames.count + 1) }

  private func send(_ command: EngineCommand) -> Bool {
    let isTaken = wires.commands.push(command)
    wires.doorbell.ring()
    return isTaken
  }

  /// The reports since the last call, oldest first.
  public func takeReports() -> [EngineReport] {
    wires.notifier.drain()
    var reports: [EngineReport] = []
    while let report = wires.reports.pop() { reports.append(report) }
    return reports
  }

  /// Whether `name`, as a notice tells it, is a source's and no destination's.
  public func isSource(_ name: String) -> Bool {
    sourceNames.contains(name) && !names.contains(name)
  }

  /// What the sources have sent since the last call, as `keepConnections` found it.
  public mutating func takeHeard() -> [Hearing] {
    defer { heard.removeAll(keepingCapacity: true) }
    return heard
  }

  /// Reads the sequencer's announcements and keeps destinations and sources connected.
  ///
  /// What the sources send is kept for `takeHeard`. Whatever else comes in is read and forgotten, or
  /// kept in `arrivals`; so is what we sent ourselves, by whatever way it comes back: a leader is
  /// steered by nobody else.
  /// - Throws: `ALSAError` when the sequencer itself fails.
  public mutating func keepConnections() throws(ALSAError) -> [ConnectionNotice] {
    var notices: [ConnectionNotice] = []
    while let event = try sequencer.nextEvent() {
      switch event {
      case .message(let message, let port, let source, let stamp?):
        if port == input {
          if let number = connections.sourceNumber(at: source), source.client != clientNumber {
            heard.append(
              Hearing(time: stamp, message: message, source: source, canTap: canTap[number]))
          }
        } else if isMeasuring {
          arrivals.append(Arrival(time: stamp, message: message))
        }
      case .overrun: overruns += 1
      default: break
      }
      if patch.concerns(event, ownClient: clientNumber) { patchHasChanged = true }
      notices += try connections.keep(event, on: sequencer)
    }
    return notices
  }

  /// Waits until the plan has come to its end, and closes the client.
  public consuming func finish() -> EngineTally { thread.join() }
}

// MARK: - Connecting while it plays

extension PlaySession {
  /// Whether ports or connections may have changed since the last call, as `keepConnections` read
  /// it; true at first.
  public mutating func takePatchChange() -> Bool {
    defer { patchHasChanged = false }
    return patchHasChanged
  }

  /// Who is connected to the ports that anybody may connect to, by address, then who was connected
  /// here and has gone.
  ///
  /// Source: `snd_seq_query_port_subscribers`.
  public func listeners() throws(ALSAError) -> [ConnectablePort] {
    try patch.listeners(on: sequencer, connections)
  }

  /// Every port that can be sent to, with how we are connected to it.
  ///
  /// A system call for each client and port there is: for a list that somebody looks at, not for
  /// every turn of a loop.
  /// - Throws: `ALSAError` when the ports cannot be listed.
  public func connectablePorts() throws(ALSAError) -> [ConnectablePort] {
    try patch.connectablePorts(on: sequencer, connections)
  }

  /// Connects `outlet`, without a gap for the others: it gets the next pulse, and no Start.
  ///
  /// - Throws: `ALSAError` when it has gone or refuses.
  public mutating func connect(_ outlet: ConnectablePort) throws(ALSAError) {
    patchHasChanged = true
    try patch.connect(outlet, on: sequencer, &connections)
  }

  /// Disconnects `outlet`, and leaves it silent and, when the song `isRolling`, stopped.
  ///
  /// One that has gone is no longer waited for.
  /// - Throws: `ALSAError` when it refuses.
  public mutating func disconnect(_ outlet: ConnectablePort, isRolling: Bool) throws(ALSAError) {
    patchHasChanged = true
    try patch.disconnect(
      outlet, on: sequencer, &connections, routes, ports, isRolling: isRolling)
  }

  /// The addresses, as `--to` takes them, of the destinations that were connected here, and for
  /// each of those given whether it still is one.
  ///
  /// A name where it means that port and no other and `isKept`, where the address goes, keeps it;
  /// else its number.
  /// - Throws: `ALSAError` when the ports cannot be listed.
  public func presentDestinations(
    isKept: (String) -> Bool = { _ in true }
  ) throws(ALSAError) -> (given: [Bool], added: [String]) {
    let own = connections.destinations.filter { $0.use == .destination && !$0.isGuest }
    let guests = connections.destinations.filter(\.isGuest)
    guard !guests.isEmpty else { return (own.map { $0.state != .dismissed }, []) }
    let resolver = AddressResolver(
      among: try sequencer.ports(), wanting: .destination, excluding: clientNumber)
    let added = guests.map { guest in
      if guest.state == .lost { return guest.name }
      guard isKept(guest.name) else { return guest.address.description }
      let found = try? resolver.resolve(guest.name)
      return found?.address == guest.address ? guest.name : guest.address.description
    }
    return (own.map { $0.state != .dismissed }, added)
  }
}

extension Limits {
  /// Whether a thread of ours gets real-time priority.
  fileprivate var grantsRealtime: Bool {
    if case .realtime = scheduling { return true }
    return false
  }
}
