internal import MIDIClock
internal import MetronomeCore

/// The values of all options, of whatever command, as the rows of the table store them.
///
/// What the core needs as it is typed is stored in the core's own settings.
struct OptionValues: Sendable {
  var playing = PlaySettings(score: Score(pattern: .common, tempo: .standard))
  var following = FollowSettings()
  var sound = SoundOptions()
  var tapping = Tapping()

  var tempo = Tempo.standard
  var meter = Meter.common
  var accents: AccentPattern?
  var subdivision: Int64 = 1
  var swing: Int64 = 50_000
  /// The file that the score is read from.
  var scorePath: String?
  /// What is unusual about that file.
  var warnings: [String] = []
  var bars: Int64?

  /// The sources of clocks or taps.
  var sources: [String] = []
  /// The log to be read instead of the sequencer; `-` for the standard input.
  var replay: String?
  /// The log to be written.
  var log: String?
  /// Whether the first hit is only told, with the options that name it.
  var learns = false

  var form = OutputForm.plain
  /// Whether lines are wanted even on a terminal.
  var wantsLines = false
  var isDryRun = false
  /// The file that `render` writes.
  var outputPath: String?
  /// Whether it may replace a file without asking.
  var isForced = false
  /// Frames per second.
  var sampleRate = 48_000

  /// Where each destination was given, for messages.
  private var destinationPlaces: [String] = []
  /// True when route options belong to the last destination, not to all of them.
  private var hasOwnDestination = false
  private var places: [OptionName: String] = [:]

  init() {}

  /// The config file's options, then the command line's.
  ///
  /// Route options of the command line are for all destinations that the config file names.
  init(_ config: [GivenOption], _ arguments: [GivenOption]) throws(UsageError) {
    for option in config { try take(option) }
    hasOwnDestination = false
    for option in arguments { try take(option) }
    spreadVoice()
  }

  var policy: ClockPolicy {
    get { playing.policy }
    set { playing.policy = newValue }
  }

  var duration: HostTime.Span? {
    get { playing.duration }
    set { playing.duration = newValue }
  }

  /// The click notes.
  var voice: ClickVoice {
    get { playing.general.voice }
    set { playing.general.voice = newValue }
  }

  var isJSON: Bool { form == .json }

  mutating func take(_ option: GivenOption) throws(UsageError) {
    places[option.name] = option.place
    try OptionSpec.spec(option.name)?.store.take(&self, option)
  }

  /// What is wrong with an option by itself; `nil` when nothing is.
  static func complaint(about option: GivenOption) -> String? {
    var values = OptionValues()
    do throws(UsageError) {
      try values.take(option)
      return nil
    } catch { return error.message }
  }

  /// Prints lines of `form`, also on a terminal.
  mutating func print(_ form: OutputForm) {
    self.form = form
    wantsLines = true
  }

  /// Shows the screen where somebody sits at a terminal and no lines were asked for.
  mutating func showScreen(on environment: Environment) {
    if environment.isInteractive, !wantsLines { form = .screen }
  }

  private func place(of name: OptionName) -> String { places[name] ?? "" }

  /// Refuses a first bar that is not there or that Song Position cannot name.
  func checkStart(in score: Score) throws(UsageError) {
    let startBar = playing.startBar
    let start = score.start(ofBar: startBar)
    if let end = score.end, !(start < end) {
      let bars = score.passages[score.passages.count - 1].span.position(of: end).bar - 1
      throw UsageError("\(place(of: .startBar)): the score has \(Words.count(bars, "bar"))")
    }
    guard startBar > 1, SongPosition(exactly: start) == nil else { return }
    let reachable = score.lastBar(notAfter: startBar) ?? 1
    let meter = score.passages[score.index(at: start)].span.pattern.meter
    guard start.count <= Int64(SongPosition.maximum) * Resolution.ticksPerMIDIBeat else {
      throw UsageError(
        "\(place(of: .startBar)): bar \(startBar) is beyond what Song Position can name; in \(meter) the"
          + " last is \(reachable)")
    }
    throw UsageError(
      "\(place(of: .startBar)): in \(meter) bar \(startBar) does not begin on a sixteenth, which is all"
        + " that Song Position can name; the last before it that does is \(reachable)")
  }

  mutating func addDestination(_ text: String, _ place: String) throws(UsageError) {
    guard text.contains(where: { $0 != " " }) else {
      throw UsageError("\(place): an empty address; midimetro ports lists what there is")
    }
    guard playing.destinations.count < PlaySettings.maximumDestinations else {
      throw UsageError(
        "\(place): more than \(PlaySettings.maximumDestinations) destinations; join some with"
          + " aconnect to the ports of midimetro")
    }
    playing.destinations.append(Destination(address: text, route: playing.general))
    destinationPlaces.append(place)
    hasOwnDestination = true
  }

  /// Those of `ALSA_OUTPUT_PORTS`, when none has been named.
  mutating func addUsualDestinations(_ list: String?) throws(UsageError) {
    guard playing.destinations.isEmpty, let list else { return }
    for text in list.split(separator: ",") {
      try addDestination(String(text.drop { $0 == " " }), "ALSA_OUTPUT_PORTS")
    }
  }

  /// Refuses an address that is given twice and would get the same from both.
  ///
  /// Two that are spelled differently are found to be one port when they are looked up.
  func refuseRepeatedDestinations() throws(UsageError) {
    for (later, destination) in playing.destinations.enumerated() {
      let isRepeated = playing.destinations[..<later].contains {
        $0.address == destination.address
          && !$0.route.contents.isDisjoint(with: destination.route.contents)
      }
      guard isRepeated else { continue }
      throw UsageError(
        "\(destinationPlaces[later]): '\(destination.address)' is given twice and would get"
          + " everything twice; give it once, or say with --send what each is for")
    }
  }

  /// Changes the route of the last destination, or of all when none has been named yet.
  mutating func edit(_ change: (inout Route) -> Void) {
    guard hasOwnDestination else {
      change(&playing.general)
      for index in playing.destinations.indices { change(&playing.destinations[index].route) }
      return
    }
    change(&playing.destinations[playing.destinations.count - 1].route)
  }

  /// Gives every route and the sound the click notes, which are the same for all.
  private mutating func spreadVoice() {
    for index in playing.destinations.indices { playing.destinations[index].route.voice = voice }
    sound.settings.notes = voice
  }

  func pattern() throws(UsageError) -> ClickPattern {
    do throws(ClickPattern.Mismatch) {
      return try ClickPattern(
        meter: meter, accents: accents, subdivision: subdivision, swing: swing)
    } catch {
      switch error {
      case .swingNeedsPairs(let count):
        throw UsageError(
          "\(place(of: .swing)): swing moves the second click of each pair, and"
            + " \(Words.count(count, "click")) a beat make\(count == 1 ? "s" : "") no pairs;"
            + " give --subdivide 2 or another even number")
      case .accents(let count, let beats, let clicks):
        throw UsageError(
          "\(place(of: .accents)): \(Words.count(count, "accent")) for a bar of \(meter);"
            + " give \(beats), one per beat"
            + (clicks == beats ? "" : ", or \(clicks), one per click"))
      case .subdivision, .swing: throw UsageError("\(error)")
      }
    }
  }
}
