internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// `midimetro monitor`: measures clocks, several side by side.
enum Monitor {
  /// Measures until the log's end, the asked time or a signal, then prints what was measured.
  static func run(_ options: MonitorOptions) throws(Failure) -> ExitStatus {
    var report = MonitorReport(form: options.form, origin: .zero, wanted: options.sources)
    if let path = options.replay {
      return try Replay.run(path, duration: options.duration, &report)
    }
    return try Failure.onStart { try listen(options) }
  }

  private static func listen(_ options: MonitorOptions) throws -> ExitStatus {
    let signals = try SignalInbox.open()
    var recorder = try LogRecorder(options.log)
    var listener = try InputSession.start(options.sources)
    var report = MonitorReport(form: options.form, origin: listener.origin, wanted: [])
    let formatter = EventFormatter(form: options.form, origin: listener.origin)
    var front = CommandLoop(formatter, signals, sound: nil)
    if options.form == .screen { front.screen = LiveScreen.open(ScreenState(.monitor)) }
    let showsLive = options.form == .plain && isatty(STDERR_FILENO) == 1
    let end = options.duration.map { listener.origin + $0 }
    var nextLook = listener.origin + .seconds(1)
    var set = front.pollSet(listener.descriptors)
    // Stamps are the kernel's: what has come can wait for more, and one wake-up serves many.
    var calm = front.calmSet
    let gathering = HostTime.Span.milliseconds(5)
    var isEnding = false
    while !isEnding {
      let looks = showsLive || front.screen != nil
      let ready = try set.wait(until: front.wake(by: looks ? min(end ?? nextLook, nextLook) : end))
      if ready == [1] { _ = try calm.wait(until: SystemClock.now + gathering) }
      var lines: [String] = []
      while let arrival = try listener.next() {
        switch arrival {
        case .message(let message, let source, let stamp):
          // A thousand controllers a second may come with the clock, and most are not looked at.
          guard recorder.isOn || MonitorReport.isMeasured(message) else { continue }
          let name = listener.name(of: source)
          recorder.add(message, source, name, stamp - listener.origin)
          report.take(message, port: source.description, name: name, at: stamp, &lines)
        case .overrun:
          report.warn("input was lost: the figures are not whole", SystemClock.now, &lines)
        case .notices(let notices): report.tell(notices, SystemClock.now, &lines)
        }
      }
      try recorder.flush()
      front.add(lines)
      front.flush()
      let now = SystemClock.now
      if front.requests(at: now).contains(.quit) { isEnding = true }
      if front.screen != nil, nextLook <= now {
        front.screen?.model.update { report.show(on: &$0) }
        // All that was measured is gone through, so after hours less often: 2 % of the time.
        let took = SystemClock.now - now
        nextLook =
          now + max(.milliseconds(500), HostTime.Span(nanoseconds: took.nanoseconds * 50))
      }
      front.screen?.show(at: now)
      if showsLive, nextLook <= SystemClock.now {
        StandardOutput.write("\r\u{1B}[K" + report.liveLine, to: STDERR_FILENO)
        nextLook = SystemClock.now + .seconds(1)
      }
      while let wish = front.nextSignalAction() {
        switch wish {
        case .end: isEnding = true
        case .suspend: front.suspend()
        }
      }
      if let end, end <= SystemClock.now { isEnding = true }
      if !front.hasReader { isEnding = true }
    }
    if showsLive { StandardOutput.write("\r\u{1B}[K", to: STDERR_FILENO) }
    front.closeScreen()
    var lines: [String] = []
    report.end(&lines)
    return try front.close(lines)
  }
}
