internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// What listens to a log being read.
protocol LogListener: ~Copyable {
  /// Takes in one message and adds what is to be said about it to `lines`.
  mutating func take(_ line: LogLine, _ lines: inout [String])
  /// Adds what is to be said at the end.
  mutating func end(_ lines: inout [String])
}

/// `--replay`: a log read as fast as it can be, through to its end or a signal.
enum Replay {
  /// Reads the log at `path` (`-` for the standard input) to `listener`.
  ///
  /// - Parameters:
  ///   - path: The log.
  ///   - duration: How much of the log is read, from its first message on; `nil` for all.
  ///   - listener: What listens.
  /// - Returns: The exit status.
  /// - Throws: `Failure` when there is no log, a line is bad, or the output cannot be written.
  static func run<Listener: LogListener & ~Copyable>(
    _ path: String, duration: HostTime.Span?, _ listener: inout Listener
  ) throws(Failure) -> ExitStatus {
    let signals: SignalInbox
    do throws(SystemError) { signals = try SignalInbox.open() } catch {
      throw Failure("\(error)", .internalError)
    }
    let name = path == "-" ? "the standard input" : path
    let source = path == "-" ? "standard input" : path
    var reader = try open(path, name)
    var set = PollSet([signals.descriptor, reader.descriptor])
    var latest: HostTime?
    var isOpen = true
    while isOpen {
      var lines: [String] = []
      do throws(SystemError) {
        _ = try set.wait()
        if endsWaiting(signals) { break }
        isOpen = try reader.fill()
      } catch  where error.code == EFBIG {
        throw Failure(
          "\(source):\(reader.number + 1): a line of more than \(LineReader.longestLine) bytes;"
            + " this is no log", .badData)
      } catch { throw Failure("\(name) cannot be read: \(error)", .inputOutput) }
      var fault: LogLine.TextError?
      do throws(LogLine.TextError) {
        while let text = reader.next() {
          guard let line = try LogLine.parse(text) else { continue }
          if let latest, latest < line.time {
            isOpen = false
            break
          }
          if latest == nil, let duration { latest = line.time + duration }
          listener.take(line, &lines)
        }
      } catch { fault = error }
      guard try write(lines, signals) else { return .done }
      if let fault {
        throw Failure("\(source):\(reader.number): \(fault)", .badData)
      }
    }
    var lines: [String] = []
    listener.end(&lines)
    _ = try write(lines, signals)
    return .done
  }

  /// What to say when none of the `names` in a log is the one that was `wanted`.
  static func nothing(from wanted: String, among names: some Sequence<String>) -> String {
    let there = names.filter { !$0.isEmpty }.sorted().map { "@" + $0 }
    return "nothing in the log is from @\(wanted); "
      + (there.isEmpty ? "no port is named there" : "it has \(there.joined(separator: ", "))")
  }

  private static func open(_ path: String, _ name: String) throws(Failure) -> LineReader {
    do throws(SystemError) { return try LineReader.open(path) } catch {
      guard error.isMissingFile else {
        throw Failure("\(name) cannot be read: \(error)", .inputOutput)
      }
      throw Failure("--replay: there is no file \(name)", .noInput)
    }
  }

  /// Whether a signal asks for the end; Ctrl-Z is answered on the way.
  private static func endsWaiting(_ signals: borrowing SignalInbox) -> Bool {
    while let signal = signals.next() {
      switch signal {
      case .interrupt, .terminate, .hangUp: return true
      case .suspend: SignalInbox.takeDefaultAction(of: .suspend)
      case .resume, .windowChange, .brokenPipe: break
      }
    }
    return false
  }

  /// Writes all of `lines`; false when the reader has gone or a signal came while it did not read.
  private static func write(
    _ lines: [String], _ signals: borrowing SignalInbox
  ) throws(Failure) -> Bool {
    guard !lines.isEmpty else { return true }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    var start = 0
    while start < bytes.count {
      guard PollSet.isWritable(STDOUT_FILENO) else {
        if endsWaiting(signals) { return false }
        SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
        continue
      }
      let part = Array(bytes[start..<min(bytes.count, start + Standard.piece)])
      let count = unsafe Glibc.write(STDOUT_FILENO, part, part.count)
      if count >= 0 {
        start += count
        continue
      }
      if errno == EINTR || errno == EAGAIN { continue }
      let error = SystemError(operation: "write", code: errno)
      if Standard.isUnread(error) { return false }
      throw Failure("the output cannot be written: \(error)", .inputOutput)
    }
    return true
  }
}

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
      meters: settings.meters, repairs: settings.repairs, lostAfter: settings.lostAfter)
    // A log's names are written after an @, and some will type it.
    let source = settings.source.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
    wanted = source
    choice = SourceChoice(source: source == nil ? nil : 0)
    if let source { numbers[source] = 0 }
    reporter = FollowReporter(
      form: options.form, origin: .zero, score: options.score, labels: options.labels)
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
      let said = reporter.warning(
        Replay.nothing(from: wanted, among: numbers.keys.filter { $0 != wanted }), newest)
      lines += said.map { [$0] } ?? []
    }
    lines += reporter.summary(ReaderTally(&follower)).map { [$0] } ?? []
  }

  private mutating func nameSource(_ name: String, _ stamp: HostTime, _ lines: inout [String]) {
    guard !hasNamedSource else { return }
    hasNamedSource = true
    guard !name.isEmpty else { return }
    lines += reporter.source(port: name, name: name, at: stamp).map { [$0] } ?? []
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
