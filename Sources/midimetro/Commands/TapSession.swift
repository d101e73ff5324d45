internal import MIDIClock
internal import MetronomeCore

/// Taps as `tap` hears them, from the sequencer or from a log: which port counts, what each hit is,
/// what is to be said.
struct TapSession: LogListener {
  private let learns: Bool
  private var input: TapInput
  private var pads = PadReader()
  private var estimator = TapEstimator()
  private var reporter: TapReporter
  /// The ports that count; empty until the first one taps.
  private var sources: [String]
  private var named: Set<String> = []
  private var others: Set<String> = []
  private var numbers: [String: Int32] = [:]
  private var shown: [Shown] = []
  private var newest: HostTime
  private let isChosen: Bool
  private let isReplay: Bool
  /// True when a hit has been learned and there is nothing left to do.
  private(set) var isDone = false

  /// Listens with `options`; `sources` are the ports as their messages name them.
  init(_ options: TapOptions, origin: HostTime, sources: [String]) {
    learns = options.learns
    input = TapInput(filter: options.tapping.filter)
    reporter = TapReporter(form: options.form, origin: origin, settings: options.tapping.steering)
    self.sources = sources
    isChosen = !sources.isEmpty
    isReplay = options.replay != nil
    newest = origin
  }

  mutating func take(_ line: LogLine, _ lines: inout [String]) {
    let port = line.port ?? ""
    newest = line.time
    guard let message = MIDIMessage(bytes: line.bytes) else { return }
    take(message, port: port, name: port, at: line.time, &lines)
  }

  /// Takes in a message that the port at `port`, called `name`, sent at `stamp`.
  mutating func take(
    _ message: MIDIMessage, port: String, name: String, at stamp: HostTime,
    _ lines: inout [String]
  ) {
    let number = numbers[port] ?? Int32(numbers.count)
    numbers[port] = number
    newest = stamp
    if isChosen, !sources.contains(port) { return }
    if learns { return learn(message, number, port, name, stamp, &lines) }
    guard let meaning = input.judge(message, from: number) else { return }
    if meaning == .tap, sources.isEmpty { sources = [port] }
    // Until the first tap, what is none is told of every port.
    guard sources.isEmpty || sources.contains(port) else {
      guard meaning == .tap, others.insert(port).inserted else { return }
      return add(reporter.other(name.isEmpty ? "a port without a name" : name, at: stamp), &lines)
    }
    if !sources.isEmpty, !port.isEmpty, named.insert(port).inserted {
      add(reporter.formatter.source(port: port, name: name, at: stamp), &lines)
    }
    switch meaning {
    case .tap:
      receive(stamp, &lines)
    case .release: add(reporter.ignored("release", stamp), &lines)
    case .filtered, .ownClick: add(reporter.ignored("filtered", stamp), &lines)
    case .control: break
    }
  }

  private mutating func receive(_ stamp: HostTime, _ lines: inout [String]) {
    let verdict = estimator.receive(stamp)
    add(reporter.line(verdict, estimator, at: stamp), &lines)
    guard verdict == .tap || verdict == .newSeries else { return }
    let tempo = estimator.bpm.map { reporter.settings.tempo(ofTaps: $0) }
    let share = tempo.map { Double($0.milliBPM) / 1_000 / (estimator.bpm ?? 1) } ?? 1
    shown.append(
      Shown(
        time: stamp, count: estimator.count, tempo: tempo,
        nextBeat: estimator.count < 3 ? nil : estimator.nextBeat,
        error: estimator.uncertainty.map { $0 * share },
        spread: estimator.spread.map { Double($0.nanoseconds) / 1e6 }))
    if shown.count > 64 { shown.removeFirst() }
  }

  /// A tap as a screen shows it.
  struct Shown {
    let time: HostTime
    let count: Int
    let tempo: Tempo?
    /// Where the next beat is due; `nil` before the third tap, which is the first to bear others out.
    let nextBeat: HostTime?
    /// Of the tempo, quarter notes per minute; of the taps, milliseconds.
    let error: Double?
    let spread: Double?
  }

  /// The oldest tap that has not been shown yet.
  mutating func nextTap() -> Shown? { shown.isEmpty ? nil : shown.removeFirst() }

  /// A tap on the keyboard.
  mutating func tap(at stamp: HostTime) {
    var lines: [String] = []
    receive(stamp, &lines)
  }

  private mutating func learn(
    _ message: MIDIMessage, _ number: Int32, _ port: String, _ name: String, _ stamp: HostTime,
    _ lines: inout [String]
  ) {
    guard !isDone, let hit = pads.read(message, from: number), hit.isPress else { return }
    isDone = true
    lines += reporter.learned(hit, port: port, name: name, at: stamp)
  }

  private func add(_ line: String?, _ lines: inout [String]) {
    if let line { lines.append(line) }
  }

  /// Forgets the taps so far, as after the program was suspended.
  mutating func reset() { estimator.reset() }

  /// Tells what is wrong.
  func warn(_ message: String, _ stamp: HostTime, _ lines: inout [String]) {
    add(reporter.formatter.warning(message, stamp), &lines)
  }

  /// Tells of sources that have gone or come back.
  func tell(_ notices: [ConnectionNotice], _ stamp: HostTime, _ lines: inout [String]) {
    for notice in notices { add(reporter.line(notice, at: stamp), &lines) }
  }

  /// The sources are at these places now, whatever their numbers were.
  mutating func follow(_ now: [String]) { sources = now }

  /// Whether there is a source: one that was named and is there, or the first that tapped.
  var hasSource: Bool { !sources.isEmpty }

  mutating func end(_ lines: inout [String]) {
    if isReplay, isChosen {
      for name in sources where numbers[name] == nil {
        add(
          reporter.formatter.warning(Replay.nothing(from: name, among: numbers.keys), newest),
          &lines)
      }
    }
    guard !learns else {
      if !isDone { add(reporter.formatter.warning("nothing was hit", newest), &lines) }
      return
    }
    add(reporter.summary(), &lines)
  }
}
