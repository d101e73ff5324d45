internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// `midimetro play`: leads until the end of the song, a signal or a reader that has gone.
struct Play: ~Copyable {
  private let options: PlayOptions
  private var front: CommandLoop
  private var leader: PlaySession
  private var reporter: PlayReporter
  private var isFinished = false
  private var isEnding = false
  private var pads: PlayPads

  /// Opens everything and starts playing.
  ///
  /// Signals are taken over first, so that no thread of ours ever sees one.
  static func run(_ options: PlayOptions) throws(Failure) -> ExitStatus {
    let play = try Failure.onStart {
      let signals = try SignalInbox.open()
      let sound = try SoundStartup.start(
        options.sound, hasDestinations: !options.settings.destinations.isEmpty,
        clientName: options.settings.clientName)
      var options = options
      options.settings.sound = sound?.player
      let leader = try PlaySession.start(options.settings)
      let formatter = EventFormatter(form: options.form, origin: leader.origin)
      return Play(options, CommandLoop(formatter, signals, sound: sound), leader)
    }
    return try play.toTheEnd()
  }

  private init(
    _ options: PlayOptions, _ front: consuming CommandLoop, _ leader: consuming PlaySession
  ) {
    self.options = options
    self.front = front
    reporter = PlayReporter(
      form: options.form, origin: leader.origin, tempo: options.tempo,
      parts: options.settings.score.parts)
    pads = PlayPads(options, origin: leader.origin)
    if options.form == .screen {
      var state = ScreenState(playing: options, leader)
      if let player = self.front.player {
        state.show(player, options.sound)
        let offset = options.sound.settings.offset
        var line = ScreenState.Line(
          name: "sound here", route: leader.table.sound ?? 0,
          Route(contents: .click, offset: offset))
        line.base = player.routeOffset - offset
        state.lines.append(line)
        state.soundLine = state.lines.count - 1
      }
      state.startTaps = options.tapping.steering.startTaps
      self.front.screen = LiveScreen.open(state, soundSets: ClickSet.allCases.map(\.rawValue))
      let score = options.settings.score
      if score.passages.count > 1 || !score.parts.isEmpty {
        self.front.screen?.model.show(
          score, from: score.start(ofBar: options.settings.startBar))
      }
    }
    self.leader = leader
  }

  private consuming func toTheEnd() throws(Failure) -> ExitStatus {
    announce()
    let broken = loop()
    if broken != nil { leader.halt() } else { keepLast() }
    front.closeScreen()
    let dispatch = leader.dispatch
    let tally = leader.finish()
    if let broken { throw Failure("\(broken)", .internalError) }
    return try front.close(reporter.summary(tally, dispatch).map { [$0] } ?? [])
  }

  /// Tells what happens until the engine has finished; the error when polling itself fails.
  private mutating func loop() -> SystemError? {
    var set = front.pollSet(leader.descriptors)
    while !isFinished {
      // While nothing plays the plan does not end by itself.
      let latest =
        pads.isPlaying || isEnding ? nil : options.settings.duration.map { leader.origin + $0 }
      let until = front.wake(by: latest)
      do throws(SystemError) { _ = try set.wait(until: until) } catch { return error }
      if let latest, latest <= SystemClock.now { end() }
      takeReports()
      keepConnections()
      front.show(leader.sequencer)
      obeyPads()
      front.tellSound()
      while let wish = front.nextSignalAction() {
        switch wish {
        case .end: end()
        case .suspend: suspend()
        }
      }
      obeyKeys()
      front.flush()
      if !front.hasReader { end() }
    }
    return nil
  }

  private mutating func announce() {
    let pattern = options.opening.span.pattern
    if options.form == .json {
      front.add(
        PlayReporter.opening(
          options.tempo, pattern.meter, leader.dispatch, client: leader.clientNumber,
          destinations: leader.destinationNames, sources: leader.sourceNames,
          origin: leader.origin))
    } else if options.form == .plain {
      let names = leader.destinationNames
      let where_ =
        names.isEmpty
        ? "to whoever connects to \(leader.clientNumber.map { "\($0):0" } ?? "us")"
        : "to " + names.map { "\"\($0)\"" }.joined(separator: ", ")
      front.add(
        "q=\(options.tempo), \(pattern.meter), \(where_);"
          + " dispatch \(leader.dispatch.mode.rawValue): \(leader.dispatch.reason.words)")
    }
    if options.form == .plain, !leader.sourceNames.isEmpty {
      let names = leader.sourceNames.map { "\"\($0)\"" }.joined(separator: ", ")
      let start = options.tapping.steering.startTaps.map { "; tap \($0) times to start" } ?? ""
      front.add("pads: \(names)\(start)")
    }
    for warning in leader.dispatch.warnings { front.warn(warning.words) }
    front.tellSound()
  }

  private mutating func takeReports() {
    for report in leader.takeReports() {
      switch report.kind {
      case .finished: isFinished = true
      case .refused(let route, let code):
        front.tellRefused(leader.table.name(of: route), code: code)
      case .plan(let planned) where front.screen != nil:
        front.screen?.model.take(planned, at: report.time)
      case .lateness(let present):
        front.screen?.model.update {
          $0.lateness = [present.median, present.high, present.most].map { $0.nanoseconds / 100 }
        }
      case .plan, .postpone: front.add(reporter.line(report))
      }
    }
  }

  private mutating func keepConnections() {
    do throws(ALSAError) {
      for notice in try leader.keepConnections() {
        front.add(
          leader.isSource(notice.name)
            ? pads.line(notice, at: SystemClock.now) : reporter.line(notice, at: SystemClock.now))
        front.screen?.model.tell(notice)
      }
    } catch { front.warn("\(error)") }
  }

  /// Keys at the screen, and the screen itself.
  private mutating func obeyKeys() {
    let now = SystemClock.now
    for request in front.requests(at: now) {
      switch request {
      case .change(let change): apply(change)
      case .tap:
        for change in pads.tap(at: now) { apply(change) }
      case .panic: leader.panic()
      case .quit: end()
      case .save(let name): save(name, at: now)
      case .listPorts: front.list(leader.sequencer)
      case .connect(let outlet): front.connect(outlet, to: leader.sequencer, at: now)
      case .disconnect(let outlet): front.disconnect(outlet, from: leader.sequencer, at: now)
      case .volume(let percent): front.player?.setVolume(percent)
      case .soundSet(let name): if let set = ClickSet(rawValue: name) { front.player?.choose(set) }
      }
    }
    let wanted = pads.tapsWanted
    front.screen?.model.tell(taps: pads.tapCount, of: wanted.count, for: wanted.purpose, at: now)
    front.screen?.show(at: now)
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
      front.screen?.model.say("kept: midimetro --profile \(Words.shellQuoted(name))", at: now)
    } catch {
      // The answer to a key, which no earlier answer hides.
      front.screen?.model.say("not kept: \((error as? Failure)?.message ?? "\(error)")", at: now)
    }
  }

  /// Keeps what is set for `--profile last`.
  ///
  /// Nobody asked for it now, so that it cannot be done is no more than said.
  private mutating func keepLast() {
    guard front.screen != nil, let path = Environment.current.lastPath else { return }
    do { try keep(as: Profile.last, in: path, before: []) } catch {
      StandardOutput.complain("what was set is not kept for --profile last: \(path): \(error)")
    }
  }

  /// Writes what is set as the section `name` of the file at `path`, which has the content `before`.
  private mutating func keep(as name: String, in path: String, before: [UInt8]) throws {
    guard let state = front.screen?.model.state else { return }
    let present =
      try leader.sequencer?.presentDestinations(isKept: Profile.isKept) ?? (given: [], added: [])
    let lines = Profile.lines(
      of: state, options, present: present.given, added: present.added,
      isSounding: front.player != nil)
    try OutputFile.makeFolders(for: path)
    let file = try OutputFile.create(path)
    let text = String(decoding: before, as: UTF8.self)
    try file.write(Array(Profile.put(lines, as: name, in: text).utf8))
    try file.commit()
  }

  private mutating func apply(_ change: PlanChange) {
    pads.note(change)
    if !leader.apply(change) { front.warn("too many changes at once; one was left out") }
  }

  private mutating func obeyPads() {
    for hearing in leader.takeHeard() {
      let (changes, line) = pads.receive(hearing)
      for change in changes { apply(change) }
      front.add(line)
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
    let offsets = leader.table.routes.map(\.offset)
    let ahead = HostTime.Span.zero - (offsets.min() ?? .zero)
    let deadline =
      SystemClock.now + max(.zero, ahead) + (offsets.max() ?? .zero) + .milliseconds(150)
    SystemClock.sleep(until: deadline)
    takeReports()
    front.suspend()
    pads.forget(before: SystemClock.now)
    if pads.isPlaying { _ = leader.apply(.transport(.continue)) }
  }
}
