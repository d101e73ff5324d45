internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// `midimetro monitor`: measures clocks, several side by side.
struct Monitor: RunningSession, ~Copyable {
  let job = Job.monitor
  private let options: MonitorOptions
  private var listener: InputSession
  private var report: MonitorReport
  private var recorder: LogRecorder
  /// Whether a status line on the terminal shows the measurement so far.
  private let showsLive: Bool
  private var nextLook: HostTime?
  private(set) var isFinished = false

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
    let recorder = try LogRecorder(options.log)
    let listener = try InputSession.start(options.sources)
    let formatter = EventFormatter(form: options.form, origin: listener.origin)
    var loop = CommandLoop(formatter, signals, sound: nil)
    if options.form == .screen { loop.screen = LiveScreen.open(ScreenState(.monitor)) }
    let isShown = loop.screen != nil
    return try loop.run(Monitor(options, listener, recorder, isShown: isShown))
  }

  private init(
    _ options: MonitorOptions, _ listener: consuming InputSession,
    _ recorder: consuming LogRecorder, isShown: Bool
  ) {
    self.options = options
    report = MonitorReport(form: options.form, origin: listener.origin, wanted: [])
    showsLive = options.form == .plain && isatty(STDERR_FILENO) == 1
    nextLook = showsLive || isShown ? listener.origin + .seconds(1) : nil
    self.listener = listener
    self.recorder = recorder
  }

  var descriptors: [Int32] { listener.descriptors }
  var deadline: HostTime? { nextLook }
  var end: HostTime? { options.duration.map { listener.origin + $0 } }
  /// Stamps are the kernel's.
  var gathering: HostTime.Span? { .milliseconds(5) }

  mutating func takeInput(_ loop: inout CommandLoop) throws {
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
    loop.add(lines)
  }

  mutating func update(_ loop: inout CommandLoop, at now: HostTime) {
    guard let look = nextLook, look <= now else { return }
    if showsLive {
      StandardOutput.write("\r\u{1B}[K" + report.liveLine, to: STDERR_FILENO)
      nextLook = SystemClock.now + .seconds(1)
      return
    }
    loop.screen?.model.update { report.show(on: &$0) }
    // All that was measured is gone through, so after hours less often: 2 % of the time.
    let took = SystemClock.now - now
    nextLook = now + max(.milliseconds(500), HostTime.Span(nanoseconds: took.nanoseconds * 50))
  }

  mutating func end(_ loop: inout CommandLoop) { isFinished = true }

  consuming func finish(_ loop: inout CommandLoop, hasFailed: Bool) -> [String] {
    if showsLive { StandardOutput.write("\r\u{1B}[K", to: STDERR_FILENO) }
    var lines: [String] = []
    report.end(&lines)
    return lines
  }
}
