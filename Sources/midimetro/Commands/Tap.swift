internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// `midimetro tap`: tells the tempo of what is tapped, until a signal, the asked time or a reader
/// that has gone.
struct Tap: RunningSession, ~Copyable {
  let job = Job.tap
  private let options: TapOptions
  private var listener: InputSession
  private var session: TapSession
  private var recorder: LogRecorder
  /// Earlier input is ignored, including what arrived while the process was suspended.
  private var since: HostTime
  private var isEnding = false

  /// Listens, or reads a log, to the end.
  static func run(_ options: TapOptions) throws(Failure) -> ExitStatus {
    if let path = options.replay {
      // A log's names are written after an @, and some will type it.
      let sources = options.sources.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
      var session = TapSession(options, origin: .zero, sources: sources)
      return try Replay.run(path, duration: options.duration, &session)
    }
    return try Failure.onStart { try listen(options) }
  }

  private static func listen(_ options: TapOptions) throws -> ExitStatus {
    let signals = try SignalInbox.open()
    // Silent unless a sound is named: a pad has one of its own.
    let sound = try SoundStartup.start(
      options.sound, hasDestinations: true, clientName: "midimetro")
    let recorder = try LogRecorder(options.log)
    let listener = try InputSession.start(options.sources)
    let formatter = EventFormatter(form: options.form, origin: listener.origin)
    var loop = CommandLoop(formatter, signals, sound: sound)
    if options.form == .screen { loop.screen = LiveScreen.open(ScreenState(.tap)) }
    if options.form == .plain {
      let place = options.sources.isEmpty ? "" : " of " + options.sources.joined(separator: ", ")
      loop.add([options.learns ? "hit the pad or pedal\(place)" : "tap the tempo"])
    }
    return try loop.run(Tap(options, listener, recorder))
  }

  private init(
    _ options: TapOptions, _ listener: consuming InputSession, _ recorder: consuming LogRecorder
  ) {
    self.options = options
    session = TapSession(
      options, origin: listener.origin, sources: listener.sources.map(\.description))
    since = listener.origin
    self.listener = listener
    self.recorder = recorder
  }

  var descriptors: [Int32] { listener.descriptors }
  var end: HostTime? { options.duration.map { listener.origin + $0 } }
  var isFinished: Bool { isEnding || session.isDone }

  mutating func takeInput(_ loop: inout CommandLoop) throws {
    var lines: [String] = []
    while !session.isDone, let arrival = try listener.next() {
      switch arrival {
      case .message(let message, let source, let stamp):
        guard since <= stamp else { continue }
        let name = listener.name(of: source)
        recorder.add(message, source, name, stamp - listener.origin)
        let hadSource = session.hasSource
        session.take(message, port: source.description, name: name, at: stamp, &lines)
        if !hadSource, session.hasSource { listener.adopt(source) }
      case .overrun:
        session.warn("input was lost: a tap may be missing", SystemClock.now, &lines)
      case .notices(let notices):
        session.follow(listener.sources.map(\.description))
        session.tell(notices, SystemClock.now, &lines)
      }
    }
    try recorder.flush()
    loop.add(lines)
  }

  mutating func perform(_ action: Action, at time: HostTime, _ loop: inout CommandLoop) {
    if action == .tap { session.tap(at: time) }
  }

  mutating func update(_ loop: inout CommandLoop, at now: HostTime) {
    while let tap = session.nextTap() {
      loop.screen?.model.take(
        tapAt: tap.time, count: tap.count, tempo: tap.tempo, error: tap.error,
        spread: tap.spread)
      guard let player = loop.player else { continue }
      player.takeBack(after: SystemClock.now)
      if let beat = tap.nextBeat { player.click(.strong, at: beat) }
    }
  }

  mutating func resume(_ loop: inout CommandLoop) {
    since = SystemClock.now
    session.reset()
  }

  mutating func end(_ loop: inout CommandLoop) { isEnding = true }

  consuming func finish(_ loop: inout CommandLoop, hasFailed: Bool) -> [String] {
    var lines: [String] = []
    session.end(&lines)
    return lines
  }
}
