internal import MIDIClock
internal import MetronomeCore

/// `midimetro play`: leads until the end of the song, a signal or a reader that has gone.
struct Play: ~Copyable {
  private let options: PlayOptions
  private let signals: SignalInbox
  private var leader: Leader
  private var reporter: PlayReporter
  private var output = OutputBacklog()
  private var isFinished = false
  private var isEnding = false
  private let sound: ClickPlayer?
  private let soundReporter: SoundReporter
  /// What the sound said before there was anyone to tell.
  private let earlyNews: [SoundNews]
  private var pads: PlayPads
  private var screen: LiveScreen?

  /// Opens everything and starts playing.
  ///
  /// Signals are taken over first, so that no thread of ours ever sees one.
  static func run(_ options: PlayOptions) throws(Failure) -> ExitStatus {
    var options = options
    let play: Play
    do {
      let signals = try SignalInbox.open()
      let sound = try PlaySound.start(
        options.sound, hasDestinations: !options.settings.destinations.isEmpty,
        clientName: options.settings.clientName)
      options.settings.sound = sound?.player
      let leader = try Leader.start(options.settings)
      play = Play(options, signals, leader, sound)
    } catch let error as LeaderError { throw Failure(error) } catch let failure as Failure {
      throw failure
    } catch { throw Failure("\(error)", .internalError) }
    return try play.toTheEnd()
  }

  private init(
    _ options: PlayOptions, _ signals: consuming SignalInbox, _ leader: consuming Leader,
    _ sound: PlaySound.Started?
  ) {
    self.options = options
    self.sound = sound?.player
    soundReporter = SoundReporter(form: options.form)
    earlyNews = sound?.news ?? []
    self.signals = signals
    reporter = PlayReporter(
      form: options.form, origin: leader.origin, tempo: options.tempo, labels: options.labels)
    pads = PlayPads(options, origin: leader.origin)
    if options.form == .screen {
      var state = ScreenState(playing: options, leader)
      if let player = sound?.player {
        state.volume = player.volume
        if options.sound.choice != .font { state.soundSet = options.sound.settings.set.rawValue }
        let offset = options.sound.settings.offset
        var line = ScreenState.Line(
          name: "sound here", route: options.settings.destinations.count + 1,
          Route(contents: .click, offset: offset))
        line.base = player.routeOffset - offset
        state.lines.append(line)
        state.soundLine = state.lines.count - 1
      }
      state.startTaps = options.tapping.steering.startTaps
      screen = LiveScreen.open(state, soundSets: ClickSet.allCases.map(\.rawValue))
      let score = options.settings.score
      if score.passages.count > 1 || !options.labels.isEmpty {
        screen?.model.show(
          score, options.labels, from: score.start(ofBar: options.settings.startBar))
      }
    }
    self.leader = leader
  }

  private consuming func toTheEnd() throws(Failure) -> ExitStatus {
    announce()
    let broken = loop()
    if broken != nil { leader.halt() } else { keepLast() }
    // The terminal is itself again before anything is printed.
    screen = nil
    let dispatch = leader.dispatch
    let reporter = self.reporter
    var output = self.output
    let (sound, soundReporter) = (self.sound, self.soundReporter)
    let tally = leader.finish()
    if let broken { throw Failure("\(broken)", .internalError) }
    let isQuiet = PlaySound.stop(sound)
    if let sound, let line = soundReporter.summary(sound.tally) { output.add(line) }
    if let line = reporter.summary(tally, dispatch) { output.add(line) }
    let status = try Play.close(output)
    if !isQuiet { PlaySound.leave(status) }
    return status
  }

  /// Tells what happens until the engine has finished; the error when polling itself fails.
  private mutating func loop() -> SystemError? {
    var set = PollSet(
      [signals.descriptor, leader.descriptors.reports, leader.descriptors.sequencer]
        + (sound.map { [$0.descriptor] } ?? []) + (screen?.descriptors ?? []))
    while !isFinished {
      // A line that could not be written at once is tried again soon.
      var until = output.isEmpty ? nil : SystemClock.now + .milliseconds(20)
      // While nothing plays the plan does not end by itself.
      let latest =
        pads.isPlaying || isEnding ? nil : options.settings.duration.map { leader.origin + $0 }
      if let latest { until = min(until ?? latest, latest) }
      if let due = screen?.wake { until = min(until ?? due, due) }
      do throws(SystemError) { _ = try set.wait(until: until) } catch { return error }
      if let latest, latest <= SystemClock.now { end() }
      takeReports()
      keepConnections()
      showPatch()
      obeyPads()
      tellSound()
      answerSignals()
      obeyKeys()
      output.flush()
      if output.failure != nil { end() }
    }
    return nil
  }

  /// Gives the last lines to a reader that still reads, for a second at most; a terminal, of which
  /// somebody waits to get it back, for a quarter of one.
  static func close(_ backlog: OutputBacklog) throws(Failure) -> ExitStatus {
    var output = backlog
    let deadline = SystemClock.now + (Standard.isTerminal ? .milliseconds(250) : .seconds(1))
    while !output.isEmpty, output.failure == nil, SystemClock.now < deadline {
      output.flush()
      SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
    }
    if let code = output.failure {
      let error = SystemError(operation: "write", code: code)
      guard Standard.isUnread(error) else {
        throw Failure("the output cannot be written: \(error)", .inputOutput)
      }
    }
    return .done
  }

  private mutating func announce() {
    let pattern = options.opening.span.pattern
    if options.form == .json {
      output.add(
        JSON.object([
          ("type", "playing"), ("bpm", .tempo(options.tempo)),
          ("meter", .string(pattern.meter.description)),
          ("dispatch", .string(leader.dispatch.way.rawValue)),
          ("reason", .string(leader.dispatch.reason)),
          ("client", .integer(leader.clientNumber)),
          ("destinations", .list(leader.destinationNames.map { .string($0) })),
          ("sources", .list(leader.sourceNames.map { .string($0) })),
          ("origin_ns", .integer(leader.origin.nanoseconds)),
        ]))
    } else if options.form == .plain {
      let names = leader.destinationNames
      let where_ =
        names.isEmpty
        ? "to whoever connects to \(leader.clientNumber):0"
        : "to " + names.map { "\"\($0)\"" }.joined(separator: ", ")
      output.add(
        "q=\(options.tempo), \(pattern.meter), \(where_);"
          + " dispatch \(leader.dispatch.way.rawValue): \(leader.dispatch.reason)")
    }
    if options.form == .plain, !leader.sourceNames.isEmpty {
      let names = leader.sourceNames.map { "\"\($0)\"" }.joined(separator: ", ")
      let start = options.tapping.steering.startTaps.map { "; tap \($0) times to start" } ?? ""
      output.add("pads: \(names)\(start)")
    }
    for message in leader.dispatch.warnings { warn(message) }
    for news in earlyNews { tell(news) }
  }

  private mutating func warn(_ message: String) {
    if let line = reporter.warning(message, SystemClock.now - leader.origin) { output.add(line) }
  }

  private mutating func takeReports() {
    for report in leader.takeReports() {
      switch report.kind {
      case .finished: isFinished = true
      case .refused(let route, let code):
        let names = leader.destinationNames
        let name = route < names.count ? names[route] : "our own ports"
        let error = ALSAError(operation: "snd_seq_event_output_direct", code: code)
        warn("\(name): a message was refused: \(error)")
      case .plan(let planned) where screen != nil: screen?.model.take(planned, at: report.time)
      case .lateness(let present):
        screen?.model.update {
          $0.lateness = [present.median, present.high, present.most].map { $0.nanoseconds / 100 }
        }
      case .plan, .putOff: if let line = reporter.line(report) { output.add(line) }
      }
    }
  }

  private mutating func keepConnections() {
    do throws(ALSAError) {
      for notice in try leader.keepConnections() {
        let line =
          leader.isSource(notice.name)
          ? pads.line(notice, at: SystemClock.now) : reporter.line(notice, at: SystemClock.now)
        if let line { output.add(line) }
        screen?.model.tell(notice)
      }
    } catch { warn("\(error)") }
  }

  /// Keys at the screen, and the screen itself.
  private mutating func obeyKeys() {
    guard screen != nil else { return }
    let now = SystemClock.now
    for request in screen?.takeInput(at: now) ?? [] {
      switch request {
      case .change(let change): apply(change)
      case .tap:
        for change in pads.tap(at: now) { apply(change) }
      case .panic: leader.panic()
      case .quit: end()
      case .save(let name): save(name, at: now)
      case .listPorts: listPorts()
      case .connect(let outlet): connect(outlet, at: now)
      case .disconnect(let outlet): disconnect(outlet, at: now)
      case .volume(let percent): sound?.setVolume(percent)
      case .soundSet(let name): if let set = ClickSet(rawValue: name) { sound?.choose(set) }
      }
    }
    let wanted = pads.tapsWanted
    screen?.model.tell(taps: pads.tapCount, of: wanted.count, for: wanted.purpose, at: now)
    screen?.show(at: now)
  }

  /// Shows who is connected, when that has changed.
  private mutating func showPatch() {
    guard screen != nil, leader.takePatchChange() else { return }
    do throws(ALSAError) {
      let listeners = try leader.listeners()
      screen?.model.update { $0.tell(listeners: listeners) }
    } catch { warn("\(error)") }
    if screen?.model.state.portList != nil { listPorts() }
  }

  private mutating func listPorts() {
    do throws(ALSAError) { screen?.model.list(try leader.outlets()) } catch { warn("\(error)") }
  }

  private mutating func connect(_ outlet: Outlet, at now: HostTime) {
    do throws(ALSAError) {
      try leader.connect(outlet)
      screen?.model.tell(connected: outlet, at: now)
    } catch { warn("not connected: \(error.advised) (\(outlet.name))") }
    showPatch()
  }

  private mutating func disconnect(_ outlet: Outlet, at now: HostTime) {
    do throws(ALSAError) {
      try leader.disconnect(outlet, isRolling: screen?.model.state.motion == .rolling)
      screen?.model.tell(disconnected: outlet, at: now)
    } catch { warn("not disconnected: \(error.advised) (\(outlet.name))") }
    showPatch()
  }

  /// Keeps what is set as a profile of the config file.
  private mutating func save(_ name: String, at now: HostTime) {
    do {
      guard name != Profile.last else {
        throw Failure("\(name) is kept by itself when you leave; give another name", .usage)
      }
      guard let path = Environment.current.configPath else {
        throw Failure("HOME is not set, so there is no config file", .usage)
      }
      do { try keep(as: name, in: path, before: Environment.current.contents(path) ?? []) } catch {
        throw Failure("\(error): \(path)", .inputOutput)
      }
      screen?.model.say("kept: midimetro --profile \(Profile.shellWord(name))", at: now)
    } catch {
      // The answer to a key, which no earlier answer hides.
      screen?.model.say("not kept: \((error as? Failure)?.message ?? "\(error)")", at: now)
    }
  }

  /// Keeps what is set for `--profile last`.
  ///
  /// Nobody asked for it now, so that it cannot be done is no more than said.
  private mutating func keepLast() {
    guard screen != nil, let path = Environment.current.lastPath else { return }
    do { try keep(as: Profile.last, in: path, before: []) } catch {
      Standard.complain("what was set is not kept for --profile last: \(path): \(error)")
    }
  }

  /// Writes what is set as the section `name` of the file at `path`, which has the content `before`.
  private mutating func keep(as name: String, in path: String, before: [UInt8]) throws {
    guard let state = screen?.model.state else { return }
    let present = try leader.presentDestinations(isKept: Profile.isKept)
    let lines = Profile.lines(
      of: state, options, present: present.given, added: present.added, isSounding: sound != nil)
    try OutputFile.makeFolders(for: path)
    let file = try OutputFile.create(path)
    let text = String(decoding: before, as: UTF8.self)
    try file.write(Array(Profile.put(lines, as: name, in: text).utf8))
    try file.commit()
  }

  private mutating func apply(_ change: Change) {
    pads.note(change)
    if !leader.apply(change) { warn("too many changes at once; one was left out") }
  }

  private mutating func obeyPads() {
    for hearing in leader.takeHeard() {
      let (changes, line) = pads.receive(hearing)
      for change in changes { apply(change) }
      if let line { output.add(line) }
    }
  }

  private mutating func tellSound() {
    for news in sound?.takeNews() ?? [] { tell(news) }
  }

  private mutating func tell(_ news: SoundNews) {
    switch soundReporter.say(news) {
    case .line(let line)?:
      if screen == nil { output.add(line) } else { screen?.model.say(line, at: SystemClock.now) }
    case .warning(let message)?: warn(message)
    case nil: break
    }
  }

  private mutating func answerSignals() {
    while let signal = signals.next() {
      switch signal {
      case .interrupt, .terminate:
        // Asked twice, go at once; the first time is quick enough to be waited for.
        if isEnding {
          screen = nil
          SignalInbox.takeDefaultAction(of: signal)
        }
        end()
      // Not asked twice: the kernel and the shell both tell it.
      case .hangUp: end()
      case .suspend: suspend()
      case .windowChange: screen?.resize()
      case .resume, .brokenPipe: break
      }
    }
  }

  private mutating func end() {
    guard !isEnding else { return }
    isEnding = true
    leader.halt()
  }

  /// Ctrl-Z: stops the devices first, then ourselves, and continues where it was when resumed.
  private mutating func suspend() {
    _ = leader.apply(.transport(.stop))
    // A change waits for what routes that run ahead have sent already, and reaches the others then.
    let offsets = options.settings.routes.map(\.offset)
    let ahead = HostTime.Span.zero - (offsets.min() ?? .zero)
    let deadline =
      SystemClock.now + max(.zero, ahead) + (offsets.max() ?? .zero) + .milliseconds(150)
    SystemClock.sleep(until: deadline)
    takeReports()
    output.flush()
    screen?.leave()
    SignalInbox.takeDefaultAction(of: .suspend)
    screen?.comeBack()
    pads.forget(before: SystemClock.now)
    if pads.isPlaying { _ = leader.apply(.transport(.continue)) }
  }
}

extension Failure {
  /// The line and the status for a leader that could not start.
  init(_ error: LeaderError) {
    switch error {
    case .sequencer(let error): self.init(error)
    case .address(let error):
      if case .repeated = error {
        self.init("\(error)", .usage)
      } else {
        self.init("\(error)", .unavailable)
      }
    case .system(let error): self.init("\(error)", .internalError)
    }
  }

  /// The line and the status for a sequencer that refuses.
  init(_ error: ALSAError) {
    self.init(error.report, error.kind == .permission ? .noPermission : .unavailable)
  }
}
