internal import MIDIClock
internal import MetronomeCore

/// All that a screen can show, at one instant: plain values, no clock and no terminal.
struct ScreenState: Hashable, Sendable {
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
    /// Whether Start and Stop are among it.
    var startsAndStops: Bool
    /// Negative for earlier.
    var offset = HostTime.Span.zero
    var isMuted = false
    /// What is wrong with it; `nil` when nothing is.
    var trouble: String?
    /// Whether it is only there for who listens, and nobody does.
    var isHidden = false

    init(name: String, route: Int = 0, _ settings: Route) {
      self.name = name
      self.route = route
      offset = settings.offset
      isMuted = settings.isMuted
      contents = settings.contents.spelled
      startsAndStops = settings.contents.contains(.transport)
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
  /// The name of the score's part that it is in.
  var section: String?
  /// The beat that flashes, from 1, and the click of it that has come last, from 0.
  var litBeat: Int64?
  var part: Int64 = 0
  /// Clock pulses while stopped, while rolling, or none.
  var policy = ClockPolicy.always
  var lines: [Line] = []
  /// The line that `mute` and `offset` are about.
  var chosenLine = 0
  /// The line of the ports that anybody may connect to; `nil` where there is none.
  var generalLine: Int?
  /// What that of the ports says while nobody listens.
  var invitation = ""
  /// The ports to connect; `nil` while they are not shown.
  var portList: PortList?
  var source: String?
  /// Own lateness in tenths of a microsecond: median, 99th percentile, most.
  var lateness: [Int64]?
  /// How many taps start what does not play; `nil` when they start nothing.
  var startTaps: Int?
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

  /// Tells who is connected to the ports that anybody may connect to.
  mutating func tell(listeners: [ConnectablePort]) {
    guard let index = generalLine, lines.indices.contains(index) else { return }
    let names = listeners.map { $0.link == .gone ? "\($0.name) (gone)" : $0.name }
    lines[index].name =
      switch names.count {
      case 0: invitation
      case 1: names[0]
      // The number first, for names may be cut.
      default: "\(names.count): \(names.joined(separator: ", "))"
      }
    let isAllGone = !listeners.isEmpty && listeners.allSatisfy { $0.link == .gone }
    lines[index].trouble = isAllGone ? "gone" : nil
    lines[index].isHidden = listeners.isEmpty && lines.contains { $0.route < lines[index].route }
    if lines[chosenLine].isHidden { chosenLine = 0 }
  }

  /// The lines that are seen, with their places among all.
  var shownLines: [(offset: Int, element: Line)] {
    lines.enumerated().filter { !$0.element.isHidden }
  }

  /// What is seen at first while `leader` plays what `options` say.
  init(playing options: PlayOptions, _ leader: borrowing PlaySession) {
    let settings = options.settings
    pattern = options.opening.span.pattern
    tempo = options.tempo
    policy = settings.policy
    for (route, name) in leader.destinationNames.enumerated() {
      lines.append(Line(name: name, route: route, settings.destinations[route].route))
    }
    addGeneral(
      Line(name: "", route: leader.table.general, settings.general),
      client: leader.clientNumber)
    warnings = leader.dispatch.warnings.map(\.words)
  }

  /// What is seen at first while `reader` follows.
  init(following options: FollowOptions, _ reader: borrowing FollowSession) {
    job = .follow
    motion = .silent
    tempo = nil
    pattern = options.score.passages[0].span.pattern
    policy = options.settings.policy
    source = reader.sourceName
    for (route, name) in reader.destinationNames.enumerated() {
      lines.append(Line(name: name, route: route, options.settings.destinations[route].route))
    }
    addGeneral(
      Line(name: "", route: reader.table.general, options.settings.general),
      client: reader.clientNumber)
  }

  /// Adds the line of the ports that anybody may connect to.
  mutating func addGeneral(_ line: Line, client: UInt8?) {
    invitation = client.map { "nobody yet; p connects, or aconnect to \($0):0" } ?? "nobody"
    generalLine = lines.count
    lines.append(line)
    tell(listeners: [])
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
