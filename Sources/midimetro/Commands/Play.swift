internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// `midimetro play`: leads until the end of the song, a signal or a reader that has gone.
struct Play: RunningSession, ~Copyable {
  let job = Job.play
  let options: PlayOptions
  private(set) var leader: PlaySession
  private var pads: PlayPads
  private(set) var isFinished = false
  private var isEnding = false
  /// Whether to continue playing when the process is resumed.
  private var continues = false

  /// Opens everything and plays to the end.
  ///
  /// Signals are taken over first, so that no thread of ours ever sees one.
  static func run(_ options: PlayOptions) throws(Failure) -> ExitStatus {
    try Failure.onStart {
      let signals = try SignalInbox.open()
      let sound = try SoundStartup.start(
        options.sound, hasDestinations: !options.settings.destinations.isEmpty,
        clientName: options.settings.clientName)
      var options = options
      options.settings.sound = sound?.player
      let leader = try PlaySession.start(options.settings)
      let reporter = PlayReporter(
        form: options.form, origin: leader.origin, parts: options.settings.score.parts,
        taps: options.tapping.steering)
      var loop = CommandLoop(reporter, signals, sound: sound)
      let play = Play(options, leader, &loop)
      return try loop.run(play)
    }
  }

  private init(
    _ options: PlayOptions, _ leader: consuming PlaySession, _ loop: inout CommandLoop
  ) {
    self.options = options
    pads = PlayPads(options)
    if options.form == .screen {
      var state = ScreenState(playing: options, leader)
      if let route = leader.table.sound {
        state.lines.append(
          ScreenState.Line(name: "sound here", route: route, Route(contents: .click)))
      }
      state.startTaps = options.tapping.steering.startTaps
      loop.screen = LiveScreen.open(state)
      loop.screen?.model.show(options.settings.score)
    }
    self.leader = leader
    announce(&loop)
  }

  consuming func finish(_ loop: inout CommandLoop, hasFailed: Bool) -> [String] {
    if hasFailed { leader.halt() } else { keepLast(loop) }
    loop.closeScreen()
    let (dispatch, tempo) = (leader.dispatch, leader.state.snapshot.performed.tempo)
    return loop.line(.played(leader.finish(), dispatch, tempo))
  }

  var descriptors: [Int32] { leader.descriptors }
  var sequencer: SequencerSession? { leader.sequencer }

  /// While nothing plays the plan does not end by itself.
  var end: HostTime? {
    let state = leader.state
    guard !state.isPlaying, !state.snapshot.planned.hasEnded, !isEnding else { return nil }
    return options.settings.duration.map { leader.origin + $0 }
  }

  mutating func takeInput(_ loop: inout CommandLoop) {
    takeReports(&loop)
    keepConnections(&loop)
    for hearing in leader.takeHeard() {
      if let event = pads.receive(hearing) { loop.tell(event, at: hearing.time) }
    }
  }

  mutating func actions(at now: HostTime) -> [TimedAction] { pads.actions(at: now) }

  mutating func perform(_ action: Action, at time: HostTime, _ loop: inout CommandLoop) {
    switch action {
    case .tap:
      let (change, event) = pads.tap(at: time, isPlaying: leader.state.isPlaying)
      if let change { apply(change, &loop) }
      loop.tell(event, at: time)
    case .panic: leader.panic()
    case .save(let name): save(name, at: time, &loop)
    default: if let change = leader.change(action) { apply(change, &loop) }
    }
  }

  mutating func update(_ loop: inout CommandLoop, at now: HostTime) {
    let state = leader.state
    let wanted = pads.tapsWanted(isPlaying: state.isPlaying)
    loop.tell(state)
    loop.screen?.model.tell(taps: pads.tapCount, of: wanted.count, for: wanted.purpose, at: now)
  }

  private func announce(_ loop: inout CommandLoop) {
    let pattern = options.opening.span.pattern
    if options.form == .json {
      loop.add([
        PlayReporter.opening(
          options.tempo, pattern.meter, leader.dispatch, client: leader.clientNumber,
          destinations: leader.destinationNames, sources: leader.sourceNames,
          origin: leader.origin)
      ])
    } else if options.form == .plain {
      let names = leader.destinationNames
      let where_ =
        names.isEmpty
        ? "to whoever connects to \(leader.clientNumber.map { "\($0):0" } ?? "us")"
        : "to " + names.map { "\"\($0)\"" }.joined(separator: ", ")
      loop.add([
        "q=\(options.tempo), \(pattern.meter), \(where_);"
          + " dispatch \(leader.dispatch.mode.rawValue): \(leader.dispatch.reason.words)"
      ])
    }
    if options.form == .plain, !leader.sourceNames.isEmpty {
      let names = leader.sourceNames.map { "\"\($0)\"" }.joined(separator: ", ")
      let start = options.tapping.steering.startTaps.map { "; tap \($0) times to start" } ?? ""
      loop.add(["pads: \(names)\(start)"])
    }
    for warning in leader.dispatch.warnings { loop.warn(warning.words) }
    loop.tellSound()
  }

  private mutating func takeReports(_ loop: inout CommandLoop) {
    for report in leader.takeReports() { tell(report, &loop) }
    let outcomes = leader.takeOutcomes()
    if leader.state.snapshot.isFinished, !isFinished {
      isFinished = true
      // Those that came before the end and after the last look.
      for report in leader.takeReports() { tell(report, &loop) }
    }
    for outcome in outcomes { loop.tell(.outcome(outcome, leader.state), at: SystemClock.now) }
  }

  private func tell(_ report: EngineReport, _ loop: inout CommandLoop) {
    if case .refused(let route, let code) = report.kind {
      loop.tell(.refused(leader.table.name(of: route), code: code), at: report.time)
    } else {
      loop.tell(.engine(report.kind), at: report.time)
    }
  }

  private mutating func keepConnections(_ loop: inout CommandLoop) {
    do throws(ALSAError) {
      for notice in try leader.keepConnections() {
        let role: ConnectionNotice.Role = leader.isSource(notice.name) ? .pad : .destination
        loop.tell(.connection(notice, role), at: SystemClock.now)
      }
    } catch { loop.warn("\(error)") }
  }

  private mutating func apply(_ change: PlanChange, _ loop: inout CommandLoop) {
    let wasPlaying = leader.state.isPlaying
    if !leader.apply(change) { loop.warn("too many changes at once; one was left out") }
    if wasPlaying, !leader.state.isPlaying { pads.forgetTaps() }
  }

  mutating func end(_ loop: inout CommandLoop) {
    guard !isEnding else { return }
    isEnding = true
    leader.halt()
  }

  /// Stops the devices before the process is suspended.
  mutating func pause(_ loop: inout CommandLoop) {
    continues = leader.state.isPlaying
    apply(.transport(.stop), &loop)
    // A change waits for what routes that run ahead have sent already, and reaches the others then.
    let offsets = leader.table.routes.map(\.offset)
    let ahead = HostTime.Span.zero - (offsets.min() ?? .zero)
    let deadline =
      SystemClock.now + max(.zero, ahead) + (offsets.max() ?? .zero) + .milliseconds(150)
    SystemClock.sleep(until: deadline)
    takeReports(&loop)
  }

  /// Goes on from where it was.
  mutating func resume(_ loop: inout CommandLoop) {
    pads.forget(before: SystemClock.now)
    if continues { apply(.transport(.continue), &loop) }
  }
}
