internal import MIDIClock

extension PlaySession {
  /// From the thread's start to its first event: for the thread to warm up, and for devices that
  /// have just been opened.
  private static var startDelay: HostTime.Span { .milliseconds(60) }

  /// The name shown by `top -H`.
  private static var threadName: String { "midimetro-clock" }

  /// Opens the sequencer, connects the destinations and starts playing.
  ///
  /// Nothing is sent before every destination has been found and connected. With a recording, no
  /// sequencer is opened, and the thread records each message when it is due.
  /// - Throws: `SessionError`.
  public static func start(_ settings: PlaySettings) throws(SessionError) -> PlaySession {
    let isRecorded = settings.recording != nil
    let limits = settings.dispatch == .queued && !isRecorded ? nil : Limits.read()
    let isGranted = limits.map { $0.grantsRealtime } ?? false
    guard let limits, isRecorded || settings.dispatch == .precise || isGranted else {
      return try queued(PlayPreparation(settings, isPrecise: false), limits)
    }
    return try precise(PlayPreparation(settings, isPrecise: true), limits)
  }

  private static func precise(
    _ preparation: PlayPreparation, _ limits: Limits
  ) throws(SessionError) -> PlaySession {
    let settings = preparation.settings
    let warnings = [StartWarning.lockingMemory(), .of(limits.scheduling)].compactMap { $0 }
    let reason: DispatchSelection.Reason =
      if settings.recording != nil {
        .noSequencer
      } else if limits.grantsRealtime {
        .priority(Scheduling.defaultPriority)
      } else {
        .askedFor
      }
    let origin = origin(of: settings)
    return try start(
      preparation, PreciseDispatch(settings.planner(origin: origin)), queue: nil, origin: origin,
      DispatchSelection(mode: .precise, reason: reason, warnings: warnings))
  }

  private static func queued(
    _ preparation: PlayPreparation, _ limits: Limits?
  ) throws(SessionError) -> PlaySession {
    let settings = preparation.settings
    guard let sequencer = preparation.sequencer else {
      return try precise(preparation, limits ?? Limits.read())
    }
    let queue = try sequencer.takeQueue(orOpen: settings.clientName)
    let name = queue.timer?.name ?? ""
    var warnings: [StartWarning] = []
    if !queue.isTicking { warnings.append(.timerStands(name)) }
    let period = queue.timer?.period ?? .microseconds(160)
    if .milliseconds(1) < period { warnings.append(.timerIsCoarse(name, period: period)) }
    let refusal = limits.flatMap { SystemError.refusing($0.scheduling) }
    let origin = origin(of: settings)
    let dispatch = QueuedDispatch(
      settings.planner(origin: origin), now: SystemClock.now, timerPeriod: period,
      localRoutes: preparation.table.localRoutes)
    return try start(
      preparation, dispatch, queue: queue, origin: origin,
      DispatchSelection(
        mode: .queued, reason: refusal.map { .priorityRefused($0) } ?? .askedFor,
        warnings: warnings))
  }

  /// Starts the engine's thread with `dispatch`, at real-time priority if it is precise.
  private static func start<Play: Dispatch & ~Copyable>(
    _ preparation: PlayPreparation, _ dispatch: consuming Play,
    queue: consuming SequencerQueue?, origin: HostTime, _ selection: DispatchSelection
  ) throws(SessionError) -> PlaySession {
    let isPrecise = selection.mode == .precise
    let sender = RouteSender(
      preparation.table, output: preparation.sequencer?.clients.clock.output, queue: queue,
      player: preparation.settings.sound, recording: preparation.settings.recording)
    let engine = EngineThread(
      dispatch: dispatch, sender: sender, wires: preparation.wires, watchesClock: isPrecise)
    do throws(SystemError) {
      let thread = try RealtimeThread.start(
        name: threadName, priority: isPrecise ? Scheduling.defaultPriority : nil, state: engine
      ) { $0.run() }
      return PlaySession(preparation, thread: thread, origin: origin, dispatch: selection)
    } catch { throw .system(error) }
  }

  /// The origin that puts the plan's first event just after the start delay.
  private static func origin(of settings: PlaySettings) -> HostTime {
    var plan = settings.planner(origin: .zero)
    let first = plan.next?.time ?? .zero
    return SystemClock.now + startDelay - (first - .zero)
  }
}

extension Limits {
  /// Whether our threads get real-time priority.
  fileprivate var grantsRealtime: Bool {
    if case .realtime = scheduling { return true }
    return false
  }
}
