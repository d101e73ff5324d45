internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// `midimetro tap`: tells the tempo of what is tapped, until a signal, the asked time or a reader
/// that has gone.
enum Tap {
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
    var recorder = try LogRecorder(options.log)
    var listener = try InputSession.start(options.sources)
    var session = TapSession(
      options, origin: listener.origin, sources: listener.sources.map(\.description))
    let formatter = EventFormatter(form: options.form, origin: listener.origin)
    var front = CommandLoop(formatter, signals, sound: sound)
    if options.form == .screen {
      var state = ScreenState(.tap)
      state.show(front.player, options.sound)
      front.screen = LiveScreen.open(state, soundSets: ClickSet.allCases.map(\.rawValue))
    }
    announce(options, &front)
    let end = options.duration.map { listener.origin + $0 }
    // What came before is of no concern, nor what came while we were suspended.
    var since = listener.origin
    var set = front.pollSet(listener.descriptors)
    var isEnding = false
    while !isEnding {
      _ = try set.wait(until: front.wake(by: end))
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
      while let tap = session.nextTap() {
        front.screen?.model.take(
          tapAt: tap.time, count: tap.count, tempo: tap.tempo, error: tap.error,
          spread: tap.spread)
        guard let player = front.player else { continue }
        player.takeBack(after: SystemClock.now)
        if let beat = tap.nextBeat { player.click(.strong, at: beat) }
      }
      try recorder.flush()
      front.add(lines)
      front.tellSound()
      front.flush()
      let now = SystemClock.now
      for request in front.requests(at: now) {
        switch request {
        case .quit: isEnding = true
        case .tap: session.tap(at: now)
        case .volume(let percent): front.player?.setVolume(percent)
        case .soundSet(let name):
          if let set = ClickSet(rawValue: name) { front.player?.choose(set) }
        case .change, .save, .panic, .listPorts, .connect, .disconnect: break
        }
      }
      front.screen?.show(at: now)
      while let wish = front.nextSignalAction() {
        switch wish {
        case .end: isEnding = true
        case .suspend:
          front.suspend()
          since = SystemClock.now
          session.reset()
        }
      }
      if let end, end <= SystemClock.now { isEnding = true }
      if session.isDone || !front.hasReader { isEnding = true }
    }
    front.closeScreen()
    var lines: [String] = []
    session.end(&lines)
    return try front.close(lines)
  }

  private static func announce(_ options: TapOptions, _ front: inout CommandLoop) {
    guard options.form == .plain else { return }
    let place = options.sources.isEmpty ? "" : " of " + options.sources.joined(separator: ", ")
    front.add(options.learns ? "hit the pad or pedal\(place)" : "tap the tempo")
  }
}
