internal import MIDIClock
internal import MetronomeCore

/// What pads and pedals do to `play`: taps steer the tempo, others start and stop.
struct PlayPads {
  private var input: TapInput
  private var steering: TapSteering
  private var reporter: TapReporter
  /// What came before is of an earlier run, or of before a pause.
  private var since: HostTime
  private var hasToldOwnClick = false
  /// Whether the song moves, by what was asked last.
  private(set) var isPlaying: Bool

  /// Pads that do what `options` say.
  init(_ options: PlayOptions, origin: HostTime) {
    input = TapInput(filter: options.tapping.filter, controls: options.tapping.controls)
    steering = TapSteering(options.tapping.steering)
    reporter = TapReporter(
      form: options.form, origin: origin, settings: options.tapping.steering)
    since = SystemClock.now
    isPlaying = !options.settings.waits
  }

  /// What a message of a source changes, and the line that tells of it.
  mutating func receive(_ hearing: PlaySession.Hearing) -> (changes: [PlanChange], line: String?) {
    guard since <= hearing.time else { return ([], nil) }
    let meaning = input.judge(
      hearing.message, from: Int32(hearing.source.client) << 8 | Int32(hearing.source.port),
      canTap: hearing.canTap)
    switch meaning {
    case .tap?:
      let (verdict, change) = steering.receive(hearing.time, isPlaying: isPlaying)
      if case .startOnBeat? = change { isPlaying = true }
      let line = reporter.line(verdict, steering.estimator, at: hearing.time)
      return (change.map { [$0] } ?? [], line)
    case .release?: return ([], reporter.ignored("release", hearing.time))
    case .ownClick(let hit)? where !hasToldOwnClick:
      hasToldOwnClick = true
      return ([], reporter.ownClick(hit, at: hearing.time))
    case .filtered?, .ownClick?: return ([], reporter.ignored("filtered", hearing.time))
    case .control(let action)?:
      return (changes(action), reporter.control(action, at: hearing.time))
    case nil: return ([], nil)
    }
  }

  /// What a tap on the keyboard at `stamp` changes.
  mutating func tap(at stamp: HostTime) -> [PlanChange] {
    let (_, change) = steering.receive(stamp, isPlaying: isPlaying)
    if case .startOnBeat? = change { isPlaying = true }
    return change.map { [$0] } ?? []
  }

  /// How many taps the present series has.
  var tapCount: Int { steering.estimator.count }

  /// How many taps in a row do something now, and what.
  var tapsWanted: (count: Int, purpose: String) {
    if !isPlaying, let taps = steering.settings.startTaps { return (taps, "a start") }
    return (steering.settings.least, "a tempo")
  }

  /// Learns of a change that was not a pad's doing.
  mutating func note(_ change: PlanChange) {
    guard case .transport(let request) = change else { return }
    switch request {
    case .start, .continue: isPlaying = true
    case .stop: isPlaying = false
    case .locate: break
    }
  }

  private mutating func changes(_ action: PadControls.Action) -> [PlanChange] {
    switch action {
    case .toggle: return changes(isPlaying ? .stop : .continue)
    case .stop:
      isPlaying = false
      // The taps of the next song are not those of the last.
      steering.reset()
      return [.transport(.stop)]
    case .continue:
      isPlaying = true
      return [.transport(.continue)]
    case .restart:
      isPlaying = true
      return [.transport(.start)]
    case .tap: return []
    }
  }

  /// Forgets the taps before `instant`, those that have not been read yet as well.
  mutating func forget(before instant: HostTime) {
    since = instant
    steering.reset()
  }

  /// The line for a source that has gone or come back.
  func line(_ notice: ConnectionNotice, at stamp: HostTime) -> String? {
    reporter.line(notice, at: stamp)
  }
}
