internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// `midimetro follow`: follows a clock until a signal, the asked time or a reader that has gone.
struct Follow: RunningSession, ~Copyable {
  let job = Job.follow
  private let options: FollowOptions
  private var reader: FollowSession
  private(set) var isFinished = false
  private var isEnding = false
  /// True from an overrun until a Start or a Song Position makes the place certain again.
  private var isUncertain = false

  /// Opens everything and follows to the end.
  ///
  /// Signals are taken over first, so that no thread of ours ever sees one.
  static func run(_ options: FollowOptions) throws(Failure) -> ExitStatus {
    try Failure.onStart {
      let signals = try SignalInbox.open()
      let sound = try SoundStartup.start(
        options.sound, hasDestinations: !options.settings.destinations.isEmpty,
        clientName: options.settings.clientName)
      var settings = options.settings
      settings.sound = sound?.player
      let reader = try FollowSession.start(settings)
      let reporter = FollowReporter(
        form: options.form, origin: reader.origin, score: options.score)
      var loop = CommandLoop(reporter, signals, sound: sound)
      let follow = Follow(options, reader, &loop)
      return try loop.run(follow)
    }
  }

  private init(
    _ options: FollowOptions, _ reader: consuming FollowSession, _ loop: inout CommandLoop
  ) {
    self.options = options
    if options.form == .screen {
      loop.screen = LiveScreen.open(ScreenState(following: options, reader))
      loop.screen?.model.show(options.score)
    }
    self.reader = reader
    announce(&loop)
  }

  consuming func finish(_ loop: inout CommandLoop, hasFailed: Bool) -> [String] {
    if hasFailed { reader.halt() }
    loop.closeScreen()
    return loop.line(.followed(reader.finish()))
  }

  var descriptors: [Int32] { reader.descriptors }
  var sequencer: SequencerSession? { reader.sequencer }
  var end: HostTime? { isEnding ? nil : options.duration.map { reader.origin + $0 } }

  mutating func takeInput(_ loop: inout CommandLoop) {
    // A source that is back must be known before what it sends is told, and is told after what
    // it sent before it went.
    let notices = keepConnections()
    takeReports(&loop)
    for event in notices { loop.tell(event, at: SystemClock.now) }
  }

  mutating func perform(_ action: Action, at time: HostTime, _ loop: inout CommandLoop) {
    if action == .panic { reader.panic() }
  }

  mutating func pause(_ loop: inout CommandLoop) {
    reader.silence()
    SystemClock.sleep(until: SystemClock.now + .milliseconds(20))
  }

  private func announce(_ loop: inout CommandLoop) {
    let names = reader.destinationNames
    let meter = options.score.passages[0].span.pattern.meter
    if options.form == .json {
      loop.add([
        FollowReporter.opening(
          meter, client: reader.clientNumber, destinations: names, origin: reader.origin)
      ])
    } else if options.form == .plain {
      let where_ =
        names.isEmpty ? "" : ", to " + names.map { "\"\($0)\"" }.joined(separator: ", ")
      let from = reader.sourceName == nil ? "the first port that clocks" : "the source"
      loop.add(["following \(from) in \(meter)\(where_)"])
    }
    if let address = reader.sourceAddress { nameSource(address, at: reader.origin, &loop) }
    for warning in reader.warnings { loop.warn(warning.words) }
    loop.tellSound()
  }

  private func nameSource(
    _ address: PortAddress, at stamp: HostTime, _ loop: inout CommandLoop
  ) {
    let port = address.description
    loop.tell(.source(port: port, name: reader.sourceName ?? port), at: stamp)
  }

  private mutating func takeReports(_ loop: inout CommandLoop) {
    for report in reader.takeReports() {
      switch report {
      case .finished: isFinished = true
      case .follower(let said):
        switch said {
        case .start, .position: isUncertain = false
        default: break
        }
        loop.tell(.follower(said), at: SystemClock.now)
      case .taken(let address): nameSource(address, at: SystemClock.now, &loop)
      case .other(let address):
        loop.tell(.otherSource(reader.name(of: address)), at: SystemClock.now)
      case .overrun:
        guard !isUncertain else { continue }
        isUncertain = true
        loop.warn("input was lost: the place is uncertain until the next Start or Song Position")
      case .refused(let route, let code):
        loop.tell(.refused(reader.table.name(of: route), code: code), at: SystemClock.now)
      }
    }
  }

  /// Keeps source and destinations connected; returns the events to report.
  private mutating func keepConnections() -> [SessionEvent] {
    do throws(ALSAError) {
      let notices = try reader.keepConnections()
      return notices.map {
        .connection($0, $0.name == reader.sourceName ? .source : .destination)
      }
    } catch { return [.warning("\(error)")] }
  }

  mutating func end(_ loop: inout CommandLoop) {
    guard !isEnding else { return }
    isEnding = true
    reader.halt()
  }
}
