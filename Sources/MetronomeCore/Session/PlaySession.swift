public import MIDIClock

/// A running session that leads: the engine that plays the plan, and its connections.
///
/// Used by one thread at a time, the one that created it. If it is dropped without `finish`, the
/// engine plays on until its plan ends.
public struct PlaySession: ~Copyable {
  /// Our sequencer clients and their connections; `nil` if the session is recorded.
  public let sequencer: SequencerSession?
  /// The routes played, and their names.
  public let table: RouteTable
  /// Our own clock, looped back; `nil` unless the session measures itself.
  public private(set) var measurement: LoopbackMeasurement?
  /// The sources' full names, in order.
  public let sourceNames: [String]
  /// The instant of pulse 0.
  public let origin: HostTime
  /// The dispatch mode, and why it was chosen.
  public let dispatch: DispatchSelection
  private let wires: EngineWires
  private let thread: RealtimeThread<EngineTally>
  /// The number of the last change asked for; 0 before any.
  private(set) var lastChange: UInt64 = 0
  private var model: SessionModel
  /// For each source whether its hits may be taps.
  private let canTap: [Bool]
  private var heard: [Hearing] = []

  /// A message from a source.
  public struct Hearing: Hashable, Sendable {
    /// When the kernel delivered it.
    public let time: HostTime
    /// The message.
    public let message: MIDIMessage
    /// The source's address.
    public let source: PortAddress
    /// Whether the source was named for taps.
    public let canTap: Bool

    /// A message with these values.
    public init(time: HostTime, message: MIDIMessage, source: PortAddress, canTap: Bool) {
      self.time = time
      self.message = message
      self.source = source
      self.canTap = canTap
    }
  }

  init(
    _ preparation: PlayPreparation, thread: consuming RealtimeThread<EngineTally>,
    origin: HostTime, dispatch: DispatchSelection
  ) {
    sequencer = preparation.sequencer
    table = preparation.table
    measurement = preparation.measurement
    sourceNames = preparation.sequencer?.keeper.names(of: .source) ?? []
    wires = preparation.wires
    canTap = preparation.canTap
    self.thread = thread
    self.origin = origin
    self.dispatch = dispatch
    let wires = preparation.wires
    let (sound, latency) = (table.sound, preparation.settings.sound?.routeLatency ?? .zero)
    model = SessionModel(
      .play, wires.snapshot.read(),
      latencies: table.routes.indices.map { $0 == sound ? latency : .zero })
    sequencer?.takeLeave = { leave in
      _ = wires.commands.push(.unplanned(.leave(leave)))
      wires.doorbell.ring()
    }
  }

  /// Our client number; `nil` if the session is recorded.
  public var clientNumber: UInt8? { sequencer?.clientNumber }

  /// The destinations' full names, in order.
  public var destinationNames: [String] { table.destinationNames }

  /// The descriptors to poll for reading: the engine's reports and the sequencer.
  public var descriptors: [Int32] {
    [wires.notifier.descriptor] + (sequencer?.descriptors ?? [])
  }

  /// The state as of the last `takeOutcomes`, with the changes requested since.
  public var state: SessionState { model.state }

  /// The change of the plan that performs `action`; `nil` if the action does not concern the plan.
  public func change(_ action: Action) -> PlanChange? { model.change(action) }

  /// Changes the plan as early as can be; false when too many changes are waiting.
  ///
  /// `takeOutcomes` returns its outcome later.
  public mutating func apply(_ change: PlanChange) -> Bool {
    guard send(.change(change, number: lastChange + 1)) else { return false }
    lastChange += 1
    model.note(change, asked: lastChange)
    return true
  }

  /// The outcomes of the changes handled since the last call; updates `state`.
  ///
  /// Call it after `takeReports`, so that the state is never older than a report.
  public mutating func takeOutcomes() -> [ChangeOutcome] { model.take(snapshot) }

  /// What is planned and what has been performed; as new as the notifier's last notice or newer.
  var snapshot: PlanSnapshot { wires.snapshot.read() }

  /// Ends everything at once: note-offs for the sounding notes, then Stop, then nothing.
  ///
  /// `.finished` follows.
  public func halt() { _ = send(.halt) }

  /// Ends every note on every channel of every destination, whatever started it.
  ///
  /// Sent by the engine between the deadlines: the plan continues, and no pulse is delayed.
  public func panic() { _ = send(.unplanned(.panic)) }

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

  /// Whether `name`, as in a notice, is a source's and not a destination's.
  public func isSource(_ name: String) -> Bool {
    sourceNames.contains(name) && !destinationNames.contains(name)
  }

  /// The messages that the sources have sent since the last call, as read by `keepConnections`.
  public mutating func takeHeard() -> [Hearing] {
    defer { heard.removeAll(keepingCapacity: true) }
    return heard
  }

  /// Reads input and announcements, and keeps destinations and sources connected.
  ///
  /// What the sources send is kept for `takeHeard`, what comes back for the measurement. The rest
  /// is read and forgotten, and so is what we sent ourselves, by whatever way it comes back: a
  /// leader is steered by nobody else.
  /// - Throws: `ALSAError` when the sequencer itself fails.
  public mutating func keepConnections() throws(ALSAError) -> [ConnectionNotice] {
    guard let sequencer else { return [] }
    while let event = try sequencer.clients.clock.nextEvent() {
      measurement?.take(event)
      if case .message(let message, sequencer.input, let source, let stamp?) = event {
        hear(message, from: source, at: stamp, on: sequencer)
      }
    }
    var notices: [ConnectionNotice] = []
    while let announcement = try sequencer.nextAnnouncement() { notices += announcement.notices }
    return notices
  }

  private mutating func hear(
    _ message: MIDIMessage, from source: PortAddress, at stamp: HostTime,
    on sequencer: SequencerSession
  ) {
    guard source.client != sequencer.clientNumber,
      let number = sequencer.keeper.sourceNumber(at: source)
    else { return }
    heard.append(
      Hearing(time: stamp, message: message, source: source, canTap: canTap[number]))
  }

  /// Waits until the plan has ended, and closes the clients.
  public consuming func finish() -> EngineTally {
    // The engine sends through the clock's client until it ends.
    let sequencer = sequencer
    defer { withExtendedLifetime(sequencer) {} }
    return thread.join()
  }
}
