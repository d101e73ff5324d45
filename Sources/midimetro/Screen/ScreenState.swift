internal import MIDIClock
internal import MetronomeCore

/// All that a screen can show, at one instant: plain values, no clock and no terminal.
struct ScreenState: Hashable, Sendable {
  /// Which of the program's jobs is on the screen.
  enum Job: Hashable, Sendable {
    case play, follow, tap, monitor
  }

  /// Whether the song moves.
  enum Motion: Hashable, Sendable {
    case stopped, paused, rolling
    /// Beats left before the Start.
    case countingIn(Int64)
    /// Nothing comes in, or no more.
    case silent
  }

  /// A destination, or our own ports.
  struct Line: Hashable, Sendable {
    var name: String
    /// Its number among the engine's routes.
    var route = 0
    /// What is sent, as `--send` names it.
    var contents: String
    /// Milliseconds, negative for earlier.
    var offset: Int64 = 0
    /// What the engine's offset is when `offset` is 0: sound runs ahead, to be heard in time.
    var base = HostTime.Span.zero
    var isMuted = false
    /// What is wrong with it; `nil` when nothing is.
    var trouble: String?

    init(name: String, route: Int = 0, _ settings: Route) {
      self.name = name
      self.route = route
      offset = settings.offset.nanoseconds / 1_000_000
      contents = settings.contents.spelled
      if settings.divide > 1 { contents += " :\(settings.divide)" }
      if settings.multiply > 1 { contents += " x\(settings.multiply)" }
    }
  }

  var job = Job.play
  var motion = Motion.stopped
  var pattern = ClickPattern.common
  /// What is set, or measured.
  var tempo: Tempo? = .standard
  /// The last interval's own tempo, and the measured one's uncertainty, quarter notes per minute.
  var rawBPM: Double?
  var uncertainty: Double?
  /// How good the lock is, in words.
  var quality: String?
  /// Where the song is; `nil` before the first beat.
  var position: Position?
  /// The beat that flashes, from 1, and the click of it that has come last, from 0.
  var litBeat: Int64?
  var part: Int64 = 0
  /// Clock pulses while stopped, while rolling, or none.
  var policy = ClockPolicy.always
  var lines: [Line] = []
  /// The line that `mute` and `offset` are about.
  var chosenLine = 0
  var source: String?
  /// Own lateness in tenths of a microsecond: median, 99th percentile, most.
  var lateness: [Int64]?
  /// Taps so far and their spread in milliseconds, in `tap`.
  var taps: Int64?
  var spread: Double?
  /// Rows of a histogram, in `monitor`.
  var histogram: [String] = []
  /// What is not as it should be, the latest last.
  var warnings: [String] = []
  /// What has just been done, or was not understood.
  var notice: String?
  /// What is being typed, and what for.
  var entry: String?
  var entryNamesProfile = false
  /// The beat whose accent is being chosen, from 1.
  var chosenBeat: Int64?
  /// The page of the help that is shown, from 0.
  var helpPage: Int?
  /// Percent; `nil` when nothing sounds here.
  var volume: Int64?
  var soundSet: String?

  /// `route`, number `number`, with the offset that its line shows.
  ///
  /// Whole milliseconds are shown: what is finer stays as it was unless the line has been moved.
  func moved(_ route: Route, number: Int) -> Route {
    guard let offset = lines.first(where: { $0.route == number })?.offset,
      offset != route.offset.nanoseconds / 1_000_000
    else { return route }
    var moved = route
    moved.offset = .milliseconds(offset)
    return moved
  }

  /// What is seen at first while `leader` plays what `options` say.
  init(playing options: PlayOptions, _ leader: borrowing Leader) {
    let settings = options.settings
    pattern = settings.score.passages[0].span.pattern
    tempo = options.tempo
    policy = settings.policy
    for (route, name) in leader.destinationNames.enumerated() {
      lines.append(Line(name: name, route: route, settings.destinations[route].route))
    }
    if lines.isEmpty {
      lines.append(
        Line(
          name: "\(leader.clientNumber):0, for aconnect or a patchbay; or start with --to ADDR",
          route: settings.destinations.count,
          settings.general))
    }
    warnings = leader.dispatch.warnings
  }

  /// What is seen at first while `reader` follows.
  init(following options: FollowOptions, _ reader: borrowing Reader) {
    job = .follow
    motion = .silent
    tempo = nil
    pattern = options.settings.pattern
    policy = options.settings.policy
    source = reader.sourceName
    for (route, name) in reader.destinationNames.enumerated() {
      lines.append(Line(name: name, route: route, options.settings.destinations[route].route))
    }
  }

  /// What is seen before the first tap, or the first clock to be measured.
  init(_ job: Job) {
    self.job = job
    motion = .silent
    tempo = nil
    if job == .tap, let one = Meter.choice.first { pattern = ClickPattern(plain: one) }
  }

  init() {}

  /// The meters one key away, and the present one when it is none of them.
  var meters: [Meter] {
    Meter.choice.contains(pattern.meter) ? Meter.choice : Meter.choice + [pattern.meter]
  }
}
