internal import MIDIClock

/// Everything a `PlaySession` needs before its engine starts.
struct PlayPreparation {
  let settings: PlaySettings
  let wires: EngineWires
  var table: RouteTable
  var sequencer: SequencerSession?
  var measurement: LoopbackMeasurement?
  /// For each source, whether its hits may be taps.
  var canTap: [Bool] = []

  /// The ticks per second of a queue that only stamps taps.
  ///
  /// Between two ticks the kernel continues with its own clock, so a slow tick stamps taps just as
  /// finely, and disturbs nothing.
  private static var slowStamping: UInt32 { 250 }

  /// Opens what `settings` requires, and finds every destination and source before connecting any.
  init(_ settings: PlaySettings, isPrecise: Bool) throws(SessionError) {
    self.settings = settings
    table = settings.table
    var plan = settings.planner(origin: .zero)
    let planned = plan.planned
    do throws(SystemError) {
      wires = EngineWires(
        commands: HandoverQueue(capacity: 256), reports: HandoverQueue(capacity: 1_024),
        snapshot: SnapshotCell(
          PlanSnapshot(planned, performed: PlanSnapshot.Performed(before: planned))),
        doorbell: Doorbell(), notifier: try .open())
    } catch { throw .system(error) }
    guard settings.recording == nil else {
      table.record()
      return
    }
    var stamping: UInt32?
    if settings.measuresItself || !settings.sources.isEmpty {
      stamping =
        isPrecise && !settings.measuresItself
        ? Self.slowStamping : SequencerQueue.maximumResolution
    }
    let sequencer = try SequencerSession.open(
      for: .play, name: settings.clientName, routes: table, stamping: stamping)
    self.sequencer = sequencer
    if settings.measuresItself {
      do throws(ALSAError) { measurement = try sequencer.measurement() } catch {
        throw .sequencer(error)
      }
    }
    try connect(sequencer)
    table = sequencer.table ?? table
  }

  private mutating func connect(_ sequencer: SequencerSession) throws(SessionError) {
    let ports = try sequencer.ports()
    let destinations = try sequencer.find(settings.destinations, among: ports)
    var sources: [PortInfo] = []
    for source in settings.sources {
      let info = try sequencer.find(source.address, as: .source, among: ports)
      if let known = sources.firstIndex(where: { $0.address == info.address }) {
        canTap[known] = canTap[known] || source.canTap
      } else {
        sources.append(info)
        canTap.append(source.canTap)
      }
    }
    try sequencer.connect(destinations: destinations)
    for source in sources { try sequencer.connect(source: source) }
  }
}
