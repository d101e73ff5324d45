internal import MIDIClock
internal import MetronomeCore

/// What the commands that run have in common: signals, lines on their way out, the sound, the screen,
/// and when to wake for each of them.
///
/// Main thread only. A command asks in each turn of its loop what is wished and what is to be told,
/// in the order that suits it.
struct CommandLoop: ~Copyable {
  /// What somebody at the keyboard or another process wants.
  enum SignalAction: Hashable {
    case end
    /// To be stopped for a while (Ctrl-Z).
    case suspend
  }

  private let formatter: EventFormatter
  private let signals: SignalInbox
  private let sound: SoundStartup.Started?
  private let soundReporter: SoundReporter
  var screen: LiveScreen?
  private var output = OutputBacklog()
  /// What the sound said before there was anyone to tell.
  private var earlyNews: [SoundNews]
  private var wishesToEnd = false

  init(_ formatter: EventFormatter, _ signals: consuming SignalInbox, sound: SoundStartup.Started?)
  {
    self.formatter = formatter
    self.signals = signals
    self.sound = sound
    soundReporter = SoundReporter(form: formatter.form)
    earlyNews = sound?.news ?? []
  }

  /// What voices the clicks, if anything does.
  var player: ClickPlayer? { sound?.player }

  /// Whether anybody can still be told anything.
  var hasReader: Bool { output.failure == nil }

  // MARK: - Waiting

  /// What to wait for: `descriptors`, and what is the front end's own, the signals first.
  mutating func pollSet(_ descriptors: [Int32]) -> PollSet {
    PollSet(
      [signals.descriptor] + descriptors + (player.map { [$0.descriptor] } ?? [])
        + (screen?.descriptors ?? []))
  }

  /// What to wait for where only signals matter.
  var calmSet: PollSet { PollSet([signals.descriptor]) }

  /// The first of `deadline` and what the front end itself wakes for.
  mutating func wake(by deadline: HostTime?) -> HostTime? {
    var until = deadline
    // A line that could not be written at once is tried again soon.
    if !output.isEmpty {
      let retry = SystemClock.now + .milliseconds(20)
      until = min(until ?? retry, retry)
    }
    if let due = screen?.wake { until = min(until ?? due, due) }
    return until
  }

  // MARK: - Telling

  mutating func add(_ line: String?) {
    if let line { output.add(line) }
  }

  mutating func add(_ lines: [String]) {
    for line in lines { output.add(line) }
  }

  mutating func warn(_ message: String) { add(formatter.warning(message, SystemClock.now)) }

  /// Tells that a message was refused by the destination `route` of those with `names`.
  mutating func tellRefused(_ name: String?, code: Int32) {
    warn(
      "\(name ?? "our own ports"): a message was refused:"
        + " \(ALSAError(operation: "snd_seq_event_output_direct", code: code))")
  }

  /// Tells what the sound has to say.
  mutating func tellSound() {
    let news = earlyNews + (player?.takeNews() ?? [])
    earlyNews = []
    for said in news {
      switch soundReporter.say(said) {
      case .line(let line)?:
        if screen == nil { add(line) } else { screen?.model.say(line, at: SystemClock.now) }
      case .warning(let message)?: warn(message)
      case nil: break
      }
    }
  }

  /// Writes what can be written without waiting.
  mutating func flush() { output.flush() }

  // MARK: - Wishes

  /// The next thing that a signal asks for; what concerns the screen alone is done.
  mutating func nextSignalAction() -> SignalAction? {
    while let signal = signals.next() {
      switch signal {
      case .interrupt, .terminate:
        // Asked twice, go at once; the first time is quick enough to be waited for.
        if wishesToEnd {
          screen = nil
          SignalInbox.takeDefaultAction(of: signal)
        }
        wishesToEnd = true
        return .end
      // Not asked twice: the kernel and the shell both tell it.
      case .hangUp:
        wishesToEnd = true
        return .end
      case .suspend: return .suspend
      case .windowChange: screen?.resize()
      case .resume, .brokenPipe: break
      }
    }
    return nil
  }

  /// Stops the process until it is continued; the terminal is its owner's meanwhile.
  mutating func suspend() {
    output.flush()
    screen?.leave()
    SignalInbox.takeDefaultAction(of: .suspend)
    screen?.comeBack()
  }

  /// What was asked for at the keys.
  mutating func requests(at now: HostTime) -> [ScreenModel.Request] {
    screen?.takeInput(at: now) ?? []
  }

  // MARK: - The end

  /// Gives the terminal back, before anything is printed.
  mutating func closeScreen() { screen = nil }

  /// Ends the sound and gives the last lines, the sound's own and `lines`, to a reader that still
  /// reads.
  consuming func close(_ lines: [String]) throws(Failure) -> ExitStatus {
    screen = nil
    let (player, soundReporter) = (self.player, self.soundReporter)
    var output = self.output
    let isQuiet = SoundStartup.stop(player)
    if let player, let line = soundReporter.summary(player.tally) { output.add(line) }
    for line in lines { output.add(line) }
    let status = try Self.drain(output)
    if !isQuiet { SoundStartup.leave(status) }
    return status
  }

  /// For a second at most; a terminal, of which somebody waits to get it back, for a quarter of one.
  static func drain(_ backlog: OutputBacklog) throws(Failure) -> ExitStatus {
    var output = backlog
    let deadline = SystemClock.now + (StandardOutput.isTerminal ? .milliseconds(250) : .seconds(1))
    while !output.isEmpty, output.failure == nil, SystemClock.now < deadline {
      output.flush()
      SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
    }
    // What did not fit while nobody read is missing in what was read then.
    if output.dropped > 0, output.failure == nil {
      StandardOutput.complain(
        "\(Words.count(output.dropped, "line")) left out: the output was not read in time")
    }
    if let code = output.failure {
      let error = SystemError(operation: "write", code: code)
      guard StandardOutput.isUnread(error) else {
        throw Failure("the output cannot be written: \(error)", .inputOutput)
      }
    }
    return .done
  }
}
