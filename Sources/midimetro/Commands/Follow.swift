internal import MIDIClock
internal import MetronomeCore

/// `midimetro follow`: follows a clock until a signal, the asked time or a reader that has gone.
struct Follow: ~Copyable {
  private let options: FollowOptions
  private let signals: SignalInbox
  private var reader: Reader
  private var reporter: FollowReporter
  private var output = OutputBacklog()
  private var isFinished = false
  private var isEnding = false
  /// True from an overrun until a Start or a Song Position makes the place certain again.
  private var isUncertain = false
  private var screen: LiveScreen?
  private let sound: PlaySound.Started?
  private let soundReporter: SoundReporter

  /// Opens everything and starts to follow.
  ///
  /// Signals are taken over first, so that no thread of ours ever sees one.
  static func run(_ options: FollowOptions) throws(Failure) -> ExitStatus {
    let follow: Follow
    do {
      let signals = try SignalInbox.open()
      let sound = try PlaySound.start(
        options.sound, hasDestinations: !options.settings.destinations.isEmpty,
        clientName: options.settings.clientName)
      var settings = options.settings
      settings.sound = sound?.player
      let reader = try Reader.start(settings)
      follow = Follow(options, signals, reader, sound)
    } catch let error as LeaderError { throw Failure(error) } catch let failure as Failure {
      throw failure
    } catch { throw Failure("\(error)", .internalError) }
    return try follow.toTheEnd()
  }

  private init(
    _ options: FollowOptions, _ signals: consuming SignalInbox, _ reader: consuming Reader,
    _ sound: PlaySound.Started?
  ) {
    self.options = options
    self.sound = sound
    soundReporter = SoundReporter(form: options.form)
    self.signals = signals
    reporter = FollowReporter(
      form: options.form, origin: reader.origin,
      score: options.score, labels: options.labels)
    if options.form == .screen {
      screen = LiveScreen.open(ScreenState(following: options, reader))
      screen?.model.show(options.score, options.labels, from: .zero)
    }
    self.reader = reader
  }

  private consuming func toTheEnd() throws(Failure) -> ExitStatus {
    announce()
    let broken = loop()
    if broken != nil { reader.halt() }
    // The terminal is itself again before anything is printed.
    screen = nil
    let reporter = self.reporter
    var output = self.output
    let (player, soundReporter) = (sound?.player, self.soundReporter)
    let tally = reader.finish()
    if let broken { throw Failure("\(broken)", .internalError) }
    let isQuiet = PlaySound.stop(player)
    if let player, let line = soundReporter.summary(player.tally) { output.add(line) }
    if let line = reporter.summary(tally) { output.add(line) }
    let status = try Play.close(output)
    if !isQuiet { PlaySound.leave(status) }
    return status
  }

  /// Tells what happens until the reader has finished; the error when polling itself fails.
  private mutating func loop() -> SystemError? {
    var set = PollSet(
      [signals.descriptor, reader.descriptor] + (sound.map { [$0.player.descriptor] } ?? [])
        + (screen?.descriptors ?? []))
    let end = options.duration.map { reader.origin + $0 }
    while !isFinished {
      // A line that could not be written at once is tried again soon.
      var until = output.isEmpty ? nil : SystemClock.now + .milliseconds(20)
      if let end, !isEnding { until = min(until ?? end, end) }
      if let due = screen?.wake { until = min(until ?? due, due) }
      do throws(SystemError) { _ = try set.wait(until: until) } catch { return error }
      // A source that is back must be known before what it sends is told, and is told after what
      // it sent before it went.
      let notices = keepConnections()
      takeReports()
      for line in notices { output.add(line) }
      showPatch()
      for news in sound?.player.takeNews() ?? [] { tell(news) }
      answerSignals()
      obeyKeys()
      if let end, end <= SystemClock.now { self.end() }
      output.flush()
      if output.failure != nil { self.end() }
    }
    return nil
  }

  /// Keys at the screen, and the screen itself.
  private mutating func obeyKeys() {
    guard screen != nil else { return }
    let now = SystemClock.now
    for request in screen?.takeInput(at: now) ?? [] {
      switch request {
      case .quit: end()
      case .panic: reader.panic()
      case .listPorts: listPorts()
      case .connect(let outlet): connect(outlet, at: now)
      case .disconnect(let outlet): disconnect(outlet, at: now)
      case .change, .volume, .soundSet, .tap, .save: break
      }
    }
    screen?.show(at: now)
  }

  /// Shows who is connected, when that has changed.
  private mutating func showPatch() {
    guard screen != nil, reader.takePatchChange() else { return }
    do throws(ALSAError) {
      let listeners = try reader.listeners()
      screen?.model.update { $0.tell(listeners: listeners) }
    } catch { warn("\(error)") }
    if screen?.model.state.portList != nil { listPorts() }
  }

  private mutating func listPorts() {
    do throws(ALSAError) { screen?.model.list(try reader.outlets()) } catch { warn("\(error)") }
  }

  private mutating func connect(_ outlet: Outlet, at now: HostTime) {
    do throws(ALSAError) {
      try reader.connect(outlet)
      screen?.model.tell(connected: outlet, at: now)
    } catch { warn("\(outlet.name) cannot be connected: \(error.advised)") }
    showPatch()
  }

  private mutating func disconnect(_ outlet: Outlet, at now: HostTime) {
    do throws(ALSAError) {
      try reader.disconnect(outlet, isRolling: screen?.model.state.motion == .rolling)
      screen?.model.tell(disconnected: outlet, at: now)
    } catch { warn("\(outlet.name) cannot be disconnected: \(error.advised)") }
    showPatch()
  }

  private mutating func warn(_ message: String) {
    add(reporter.warning(message, SystemClock.now))
  }

  private mutating func announce() {
    let names = reader.destinationNames
    if options.form == .json {
      output.add(
        JSON.object([
          ("type", "following"),
          ("meter", .string(options.score.passages[0].span.pattern.meter.description)),
          ("client", .integer(reader.clientNumber)),
          ("destinations", .list(names.map { .string($0) })),
          ("origin_ns", .integer(reader.origin.nanoseconds)),
        ]))
    } else if options.form == .plain {
      let where_ =
        names.isEmpty ? "" : ", to " + names.map { "\"\($0)\"" }.joined(separator: ", ")
      let from = reader.sourceName == nil ? "the first port that clocks" : "the source"
      output.add("following \(from) in \(options.score.passages[0].span.pattern.meter)\(where_)")
    }
    if let address = reader.sourceAddress { nameSource(address, at: reader.origin) }
    for message in reader.warnings { add(reporter.warning(message, SystemClock.now)) }
    for news in sound?.news ?? [] { tell(news) }
  }

  private mutating func tell(_ news: SoundNews) {
    switch soundReporter.say(news) {
    case .line(let line)?:
      if screen == nil { output.add(line) } else { screen?.model.say(line, at: SystemClock.now) }
    case .warning(let message)?: add(reporter.warning(message, SystemClock.now))
    case nil: break
    }
  }

  private mutating func add(_ line: String?) {
    if let line { output.add(line) }
  }

  private mutating func nameSource(_ address: PortAddress, at stamp: HostTime) {
    let name = reader.sourceName
    screen?.model.update { $0.source = name }
    add(
      reporter.source(
        port: address.description, name: reader.sourceName ?? address.description, at: stamp))
  }

  private mutating func takeReports() {
    for report in reader.takeReports() {
      switch report {
      case .finished: isFinished = true
      case .follower(let said):
        switch said {
        case .start, .position: isUncertain = false
        default: break
        }
        screen?.model.take(said)
        add(reporter.line(said))
      case .taken(let address): nameSource(address, at: SystemClock.now)
      case .other(let address): add(reporter.other(reader.name(of: address), at: SystemClock.now))
      case .overrun:
        guard !isUncertain else { continue }
        isUncertain = true
        add(
          reporter.warning(
            "input was lost: the place is uncertain until the next Start or Song Position",
            SystemClock.now))
      case .refused(let route, let code):
        let names = reader.destinationNames
        let name = route < names.count ? names[route] : "our own ports"
        let error = ALSAError(operation: "snd_seq_event_output_direct", code: code)
        add(reporter.warning("\(name): a message was refused: \(error)", SystemClock.now))
      }
    }
  }

  /// Keeps source and destinations connected; the lines that tell of it.
  private mutating func keepConnections() -> [String] {
    do throws(ALSAError) {
      return try reader.keepConnections().compactMap { notice in
        screen?.model.tell(notice)
        return reporter.line(
          notice, isSource: notice.name == reader.sourceName, at: SystemClock.now)
      }
    } catch { return reporter.warning("\(error)", SystemClock.now).map { [$0] } ?? [] }
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
      case .suspend:
        reader.silence()
        SystemClock.sleep(until: SystemClock.now + .milliseconds(20))
        output.flush()
        screen?.leave()
        SignalInbox.takeDefaultAction(of: .suspend)
        screen?.comeBack()
      case .windowChange: screen?.resize()
      case .resume, .brokenPipe: break
      }
    }
  }

  private mutating func end() {
    guard !isEnding else { return }
    isEnding = true
    reader.halt()
  }
}

extension ConnectionNotice {
  /// The full name of the port it is about.
  var name: String {
    switch self {
    case .lost(let name), .found(let name, _), .released(let name), .failed(let name, _),
      .looped(let name):
      name
    }
  }
}
