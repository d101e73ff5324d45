internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// `follow --replay`: what a follower would have said about a log.
struct FollowReplay: ~Copyable, LogListener {
  private var follower: ClockFollower
  private var choice: SourceChoice
  private var reporter: FollowReporter
  private let wanted: String?
  /// The ports by their names; one without a name has the empty one.
  private var numbers: [String: Int32] = [:]
  private var hasNamedSource = false
  private var newest = HostTime.zero

  /// Follows the log at `path`.
  static func run(_ options: FollowOptions, _ path: String) throws(Failure) -> ExitStatus {
    var replay = FollowReplay(options)
    return try Replay.run(path, duration: options.duration, &replay)
  }

  /// Listens with `options`.
  init(_ options: FollowOptions) {
    let settings = options.settings
    follower = ClockFollower(
      meters: settings.meters, repairs: settings.repairs, lostAfter: settings.lostAfter,
      divisor: settings.sourceResolution / 24)
    // A log's names are written after an @, and some will type it.
    let source = settings.source.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
    wanted = source
    choice = SourceChoice(source: source == nil ? nil : 0)
    if let source { numbers[source] = 0 }
    reporter = FollowReporter(
      form: options.form, origin: .zero, score: options.score)
  }

  mutating func take(_ line: LogLine, _ lines: inout [String]) {
    let name = line.port ?? ""
    let port = numbers[name] ?? Int32(numbers.count)
    numbers[name] = port
    newest = line.time
    guard let message = MIDIMessage(bytes: line.bytes) else {
      follower.elapse(to: line.time)
      return takeReports(&lines)
    }
    switch choice.judge(message, from: port, at: line.time) {
    case .follow:
      nameSource(name, line.time, &lines)
      receive(message, line.time, &lines)
    case .taken:
      nameSource(name, line.time, &lines)
      while let early = choice.nextEarly() { receive(early.message, early.stamp, &lines) }
      receive(message, line.time, &lines)
    case .other:
      follower.elapse(to: line.time)
      takeReports(&lines)
      let said = reporter.other(name.isEmpty ? "a port without a name" : "@" + name, at: line.time)
      lines += said.map { [$0] } ?? []
    case .ignore:
      follower.elapse(to: line.time)
      takeReports(&lines)
    }
  }

  mutating func end(_ lines: inout [String]) {
    if let wanted, !hasNamedSource {
      let said = reporter.formatter.warning(
        Replay.nothing(from: wanted, among: numbers.keys.filter { $0 != wanted }), newest)
      lines += said.map { [$0] } ?? []
    }
    lines += reporter.summary(FollowTally(&follower)).map { [$0] } ?? []
  }

  private mutating func nameSource(_ name: String, _ stamp: HostTime, _ lines: inout [String]) {
    guard !hasNamedSource else { return }
    hasNamedSource = true
    guard !name.isEmpty else { return }
    lines += reporter.formatter.source(port: name, name: name, at: stamp).map { [$0] } ?? []
  }

  private mutating func receive(
    _ message: MIDIMessage, _ stamp: HostTime, _ lines: inout [String]
  ) {
    follower.receive(message, at: stamp)
    takeReports(&lines)
  }

  private mutating func takeReports(_ lines: inout [String]) {
    while let report = follower.nextReport() {
      if let line = reporter.line(report) { lines.append(line) }
    }
  }
}
