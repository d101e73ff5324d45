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
    do {
      return try listen(options)
    } catch let error as LeaderError { throw Failure(error) } catch let error as ALSAError {
      throw Failure(error)
    } catch let failure as Failure { throw failure } catch {
      throw Failure("\(error)", .internalError)
    }
  }

  private static func listen(_ options: TapOptions) throws -> ExitStatus {
    let signals = try SignalInbox.open()
    // Silent unless a sound is named: a pad has one of its own.
    let sound = try PlaySound.start(options.sound, hasDestinations: true, clientName: "midimetro")
    let soundReporter = SoundReporter(form: options.form)
    var recorder = try LogRecorder(options.log)
    var listener = try Listener.start(options.sources)
    var session = TapSession(
      options, origin: listener.origin, sources: listener.sources.map(\.description))
    var output = OutputBacklog()
    var screen = options.form == .screen ? LiveScreen.open(ScreenState(.tap)) : nil
    announce(options, &output)
    let end = options.duration.map { listener.origin + $0 }
    // What came before is of no concern, nor what came while we were suspended.
    var since = listener.origin
    var set = PollSet(
      [signals.descriptor, listener.descriptor] + (sound.map { [$0.player.descriptor] } ?? [])
        + (screen?.descriptors ?? []))
    var news = sound?.news ?? []
    var isEnding = false
    while !isEnding {
      var until = end
      if !output.isEmpty {
        let retry = SystemClock.now + .milliseconds(20)
        until = min(until ?? retry, retry)
      }
      if let due = screen?.wake { until = min(until ?? due, due) }
      _ = try set.wait(until: until)
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
        screen?.model.take(
          tapAt: tap.time, count: tap.count, tempo: tap.tempo, error: tap.error,
          spread: tap.spread)
        guard let player = sound?.player else { continue }
        player.takeBack(after: SystemClock.now)
        if let beat = tap.nextBeat { player.click(.strong, at: beat) }
      }
      for told in news + (sound?.player.takeNews() ?? []) {
        switch soundReporter.say(told) {
        case .line(let line)?: if screen == nil { lines.append(line) }
        case .warning(let message)?: session.warn(message, SystemClock.now, &lines)
        case nil: break
        }
      }
      news = []
      try recorder.flush()
      for line in lines { output.add(line) }
      output.flush()
      if screen != nil {
        let now = SystemClock.now
        for request in screen?.takeInput(at: now) ?? [] {
          switch request {
          case .quit: isEnding = true
          case .tap: session.tap(at: now)
          case .volume(let percent): sound?.player.setVolume(percent)
          case .change, .soundSet, .save, .panic, .listPorts, .connect, .disconnect: break
          }
        }
        screen?.show(at: now)
      }
      while let signal = signals.next() {
        switch signal {
        case .interrupt, .terminate, .hangUp: isEnding = true
        case .suspend:
          screen?.leave()
          SignalInbox.takeDefaultAction(of: .suspend)
          screen?.comeBack()
          since = SystemClock.now
          session.reset()
        case .windowChange: screen?.resize()
        case .resume, .brokenPipe: break
        }
      }
      if let end, end <= SystemClock.now { isEnding = true }
      if session.isDone || output.failure != nil { isEnding = true }
    }
    // The terminal is itself again before anything is printed.
    screen = nil
    let isQuiet = PlaySound.stop(sound?.player)
    var lines: [String] = []
    if let player = sound?.player, let line = soundReporter.summary(player.tally) {
      lines.append(line)
    }
    session.end(&lines)
    for line in lines { output.add(line) }
    let status = try Play.close(output)
    if !isQuiet { PlaySound.leave(status) }
    return status
  }

  private static func announce(_ options: TapOptions, _ output: inout OutputBacklog) {
    guard options.form == .plain else { return }
    let place = options.sources.isEmpty ? "" : " of " + options.sources.joined(separator: ", ")
    output.add(options.learns ? "hit the pad or pedal\(place)" : "tap the tempo")
  }
}
