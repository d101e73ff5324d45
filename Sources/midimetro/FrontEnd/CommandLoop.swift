internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// The main loop of every running command: waits for input, passes it to the session, performs the
/// actions of keys, signals and the session's own sources, and updates the output.
///
/// Main thread only. It owns what running commands have in common: signals, output, sound and
/// screen.
struct CommandLoop: ~Copyable {
  private var signals: SignalControls
  /// What voices the clicks, if anything does.
  let player: ClickPlayer?
  private var lines: LineWriter
  var screen: LiveScreen?
  /// What the sound said before there was anyone to tell.
  private var earlyNews: [SoundNews]

  init(
    _ reporter: any EventReporter, _ signals: consuming SignalInbox, sound: SoundStartup.Started?
  ) {
    lines = LineWriter(reporter)
    self.signals = SignalControls(signals)
    player = sound?.player
    earlyNews = sound?.news ?? []
  }

  // MARK: - Running

  /// Runs `session` to its end and returns the exit status.
  consuming func run<Session: RunningSession & ~Copyable>(
    _ session: consuming Session
  ) throws -> ExitStatus {
    var loop = self
    var session = session
    var failure: (any Error)?
    do { try loop.turn(&session) } catch { failure = error }
    let lines = session.finish(&loop, hasFailed: failure != nil)
    loop.closeScreen()
    if let failure { throw failure }
    return try loop.close(lines)
  }

  private mutating func turn<Session: RunningSession & ~Copyable>(
    _ session: inout Session
  ) throws {
    var set = PollSet(
      signals.descriptors + session.descriptors + (player.map { [$0.descriptor] } ?? [])
        + (screen?.descriptors ?? []))
    var calm = PollSet(signals.descriptors)
    while !session.isFinished {
      let ready = try set.wait(until: wake(by: [session.deadline, session.end]))
      if let gathering = session.gathering, ready == [signals.descriptors.count] {
        _ = try calm.wait(until: SystemClock.now + gathering)
      }
      try session.takeInput(&self)
      show(session.sequencer)
      tellSound()
      let now = SystemClock.now
      steer(&session, at: now)
      session.update(&self, at: now)
      if let player { screen?.model.update { $0.show(player) } }
      screen?.show(at: now)
      if let end = session.end, end <= SystemClock.now { session.end(&self) }
      lines.output.flush()
      // Nobody can be told anything any more.
      if lines.output.failure != nil { session.end(&self) }
    }
  }

  /// Performs the actions of every source; a new source is one more line here.
  private mutating func steer<Session: RunningSession & ~Copyable>(
    _ session: inout Session, at now: HostTime
  ) {
    perform(session.actions(at: now), &session)
    perform(signals.actions(at: now), &session)
    perform(screen?.actions(at: now) ?? [], &session)
    connectPorts(session.sequencer, at: now)
    for signal in signals.takeRest() {
      switch signal {
      case .windowChange: screen?.resize()
      case .suspend:
        session.pause(&self)
        suspend()
        session.resume(&self)
      case .interrupt, .terminate:
        closeScreen()
        SignalInbox.takeDefaultAction(of: signal)
      case .hangUp, .resume, .brokenPipe: break
      }
    }
  }

  private mutating func perform<Session: RunningSession & ~Copyable>(
    _ actions: [TimedAction], _ session: inout Session
  ) {
    for asked in actions where asked.action.jobs.contains(session.job) {
      switch asked.action {
      case .volumeStep(let step): player.map { $0.setVolume($0.volume + step) }
      case .soundSet: player.map { player in player.set.map { player.choose($0.next) } }
      case .quit: session.end(&self)
      default: session.perform(asked.action, at: asked.time, &self)
      }
    }
  }

  /// The earliest of `deadlines` and the loop's own.
  private mutating func wake(by deadlines: [HostTime?]) -> HostTime? {
    // A line that could not be written at once is tried again soon.
    let retry = lines.output.isEmpty ? nil : SystemClock.now + .milliseconds(20)
    return (deadlines + [retry, screen?.deadline]).compactMap { $0 }.min()
  }

  /// Stops the process until it is continued; the terminal is its owner's meanwhile.
  private mutating func suspend() {
    lines.output.flush()
    screen?.leave()
    SignalInbox.takeDefaultAction(of: .suspend)
    screen?.comeBack()
  }

  // MARK: - Telling

  /// Passes `event` to all observers; a new observer is one more line here.
  mutating func tell(_ event: SessionEvent, at time: HostTime) {
    lines.take(event, at: time)
    screen?.take(event, at: time)
  }

  /// Passes the session's state to all observers.
  mutating func tell(_ state: SessionState) {
    lines.take(state)
    screen?.take(state)
  }

  /// The line for `event`, if any, to be written at the end.
  mutating func line(_ event: SessionEvent) -> [String] {
    lines.line(event, at: SystemClock.now)
  }

  mutating func add(_ more: [String]) { lines.add(more) }

  mutating func warn(_ message: String) { tell(.warning(message), at: SystemClock.now) }

  /// Reports the news of the sound.
  mutating func tellSound() {
    let news = earlyNews + (player?.takeNews() ?? [])
    earlyNews = []
    for said in news { tell(.sound(said), at: SystemClock.now) }
  }

  // MARK: - The end

  /// Gives the terminal back, before anything is printed.
  mutating func closeScreen() { screen = nil }

  /// Ends the sound and gives the last lines, the sound's own and `lines`, to a reader that still
  /// reads.
  consuming func close(_ last: [String]) throws(Failure) -> ExitStatus {
    screen = nil
    var lines = self.lines
    let isQuiet = SoundStartup.stop(player)
    if let player {
      let reporter = SoundReporter(form: lines.reporter.formatter.form)
      lines.add(reporter.summary(player.tally).map { [$0] } ?? [])
    }
    lines.add(last)
    let status = try Self.drain(lines.output)
    if !isQuiet { SoundStartup.leave(status) }
    return status
  }

  /// For a second at most; a terminal, of which somebody waits to get it back, for a quarter of
  /// one.
  static func drain(_ backlog: OutputBacklog) throws(Failure) -> ExitStatus {
    var output = backlog
    let deadline = SystemClock.now + (StandardOutput.isTerminal ? .milliseconds(250) : .seconds(1))
    while !output.isEmpty, output.failure == nil, SystemClock.now < deadline {
      output.flush()
      SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
    }
    // What did not fit while nobody read is missing in what was read then.
    if output.dropped > 0, output.failure == nil {
      StandardOutput.complain(
        "\(Words.count(output.dropped, "line")) left out: the output was not read in time")
    }
    if let code = output.failure {
      let error = SystemError(operation: "write", code: code)
      guard StandardOutput.isUnread(error) else {
        throw Failure("the output cannot be written: \(error)", .inputOutput)
      }
    }
    return .done
  }
}
