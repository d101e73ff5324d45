internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// `midimetro follow`: follows a clock until a signal, the asked time or a reader that has gone.
struct Follow: ~Copyable {
  private let options: FollowOptions
  private var front: CommandLoop
  private var reader: FollowSession
  private var reporter: FollowReporter
  private var isFinished = false
  private var isEnding = false
  /// True from an overrun until a Start or a Song Position makes the place certain again.
  private var isUncertain = false

  /// Opens everything and starts to follow.
  ///
  /// Signals are taken over first, so that no thread of ours ever sees one.
  static func run(_ options: FollowOptions) throws(Failure) -> ExitStatus {
    let follow = try Failure.onStart {
      let signals = try SignalInbox.open()
      let sound = try SoundStartup.start(
        options.sound, hasDestinations: !options.settings.destinations.isEmpty,
        clientName: options.settings.clientName)
      var settings = options.settings
      settings.sound = sound?.player
      let reader = try FollowSession.start(settings)
      let formatter = EventFormatter(form: options.form, origin: reader.origin)
      return Follow(options, CommandLoop(formatter, signals, sound: sound), reader)
    }
    return try follow.toTheEnd()
  }

  private init(
    _ options: FollowOptions, _ front: consuming CommandLoop, _ reader: consuming FollowSession
  ) {
    self.options = options
    self.front = front
    reporter = FollowReporter(
      form: options.form, origin: reader.origin,
      score: options.score)
    if options.form == .screen {
      var state = ScreenState(following: options, reader)
      state.show(self.front.player, options.sound)
      self.front.screen = LiveScreen.open(state, soundSets: ClickSet.allCases.map(\.rawValue))
      self.front.screen?.model.show(options.score, from: .zero)
    }
    self.reader = reader
  }

  private consuming func toTheEnd() throws(Failure) -> ExitStatus {
    announce()
    let broken = loop()
    if broken != nil { reader.halt() }
    front.closeScreen()
    let tally = reader.finish()
    if let broken { throw Failure("\(broken)", .internalError) }
    return try front.close(reporter.summary(tally).map { [$0] } ?? [])
  }

  /// Tells what happens until the reader has finished; the error when polling itself fails.
  private mutating func loop() -> SystemError? {
    var set = front.pollSet(reader.descriptors)
    let latest = options.duration.map { reader.origin + $0 }
    while !isFinished {
      let until = front.wake(by: isEnding ? nil : latest)
      do throws(SystemError) { _ = try set.wait(until: until) } catch { return error }
      // A source that is back must be known before what it sends is told, and is told after what
      // it sent before it went.
      let notices = keepConnections()
      takeReports()
      front.add(notices)
      front.show(reader.sequencer)
      front.tellSound()
      while let wish = front.nextSignalAction() {
        switch wish {
        case .end: end()
        case .suspend:
          reader.silence()
          SystemClock.sleep(until: SystemClock.now + .milliseconds(20))
          front.suspend()
        }
      }
      obeyKeys()
      if let latest, latest <= SystemClock.now { end() }
      front.flush()
      if !front.hasReader { end() }
    }
    return nil
  }

  /// Keys at the screen, and the screen itself.
  private mutating func obeyKeys() {
    let now = SystemClock.now
    for request in front.requests(at: now) {
      switch request {
      case .quit: end()
      case .panic: reader.panic()
      case .listPorts: front.list(reader.sequencer)
      case .connect(let outlet): front.connect(outlet, to: reader.sequencer, at: now)
      case .disconnect(let outlet): front.disconnect(outlet, from: reader.sequencer, at: now)
      case .volume(let percent): front.player?.setVolume(percent)
      case .soundSet(let name): if let set = ClickSet(rawValue: name) { front.player?.choose(set) }
      case .change, .tap, .save: break
      }
    }
    front.screen?.show(at: now)
  }

  private mutating func announce() {
    let names = reader.destinationNames
    if options.form == .json {
      front.add(
        reporter.opening(client: reader.clientNumber, destinations: names))
    } else if options.form == .plain {
      let where_ =
        names.isEmpty ? "" : ", to " + names.map { "\"\($0)\"" }.joined(separator: ", ")
      let from = reader.sourceName == nil ? "the first port that clocks" : "the source"
      front.add("following \(from) in \(options.score.passages[0].span.pattern.meter)\(where_)")
    }
    if let address = reader.sourceAddress { nameSource(address, at: reader.origin) }
    for warning in reader.warnings { front.warn(warning.words) }
    front.tellSound()
  }

  private mutating func nameSource(_ address: PortAddress, at stamp: HostTime) {
    let name = reader.sourceName
    front.screen?.model.update { $0.source = name }
    front.add(
      reporter.formatter.source(
        port: address.description, name: name ?? address.description, at: stamp))
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
        front.screen?.model.take(said)
        front.add(reporter.line(said))
      case .taken(let address): nameSource(address, at: SystemClock.now)
      case .other(let address):
        front.add(reporter.other(reader.name(of: address), at: SystemClock.now))
      case .overrun:
        guard !isUncertain else { continue }
        isUncertain = true
        front.warn("input was lost: the place is uncertain until the next Start or Song Position")
      case .refused(let route, let code):
        front.tellRefused(reader.table.name(of: route), code: code)
      }
    }
  }

  /// Keeps source and destinations connected; the lines that tell of it.
  private mutating func keepConnections() -> [String] {
    do throws(ALSAError) {
      return try reader.keepConnections().compactMap { notice in
        front.screen?.model.tell(notice)
        return reporter.line(
          notice, isSource: notice.name == reader.sourceName, at: SystemClock.now)
      }
    } catch { return reporter.formatter.warning("\(error)", SystemClock.now).map { [$0] } ?? [] }
  }

  private mutating func end() {
    guard !isEnding else { return }
    isEnding = true
    reader.halt()
  }
}
