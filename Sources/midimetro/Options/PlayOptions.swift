internal import MIDIClock
internal import MetronomeCore

/// How results are printed.
enum OutputForm: Sendable {
  case plain, json, quiet
}

/// Whether clicks are voiced.
struct SoundOptions: Hashable, Sendable {
  /// `false` only after `--sound off`.
  var isWanted = true
  /// True when a font or a driver was named: then its absence is an error, not a warning.
  var isRequired = false
  var soundfont: String?
  var driver: String?
  /// Percent, 0 to 200.
  var volume: Int64 = 100
}

/// What `play` was asked, all of it valid.
struct PlayOptions: Sendable {
  static let tempoRange = Tempo.rangeText

  var tempo = Tempo.standard
  var settings: LeaderSettings
  var form = OutputForm.plain
  var isDryRun = false
  var sound = SoundOptions()

  /// Checks and combines what was given: the config file's options first, then the command line.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - config: The config file's options, weaker than the command line's.
  ///   - outputPorts: `ALSA_OUTPUT_PORTS`, used when no `--to` is given.
  init(_ arguments: Arguments, config: [GivenOption] = [], outputPorts: String? = nil)
    throws(UsageError)
  {
    guard arguments.operands.count <= 1 else {
      throw UsageError(
        "one tempo only: '\(arguments.operands[0])' or '\(arguments.operands[1])'?"
          + " Options come with two dashes; see midimetro help")
    }
    var draft = Draft()
    let hasDestination = arguments.options.contains { $0.name == .to }
    // A destination on the command line replaces those of the config file and their routes.
    let weaker = hasDestination ? Self.withoutDestinations(config) : config
    for option in weaker + arguments.options { try draft.take(option) }
    if let text = arguments.operands.first { try draft.setTempo(text, "tempo") }
    if draft.destinations.isEmpty, let outputPorts {
      for text in outputPorts.split(separator: ",") {
        try draft.addDestination(String(text), "ALSA_OUTPUT_PORTS")
      }
    }
    let pattern = try draft.pattern()
    var score = Score(pattern: pattern, tempo: draft.tempo)
    let start = score.start(ofBar: draft.startBar)
    guard draft.startBar == 1 || SongPosition(exactly: start) != nil else {
      throw UsageError(Self.unreachable(draft.startBar, score, pattern.meter))
    }
    if let bars = draft.bars { score.end = score.start(ofBar: draft.startBar + bars) }
    if draft.isDryRun, draft.bars == nil, draft.duration == nil {
      throw UsageError("--dry-run would never end: give --bars or --duration too")
    }
    tempo = draft.tempo
    form = draft.form
    isDryRun = draft.isDryRun
    sound = draft.sound
    settings = LeaderSettings(score: score)
    settings.policy = draft.policy
    settings.startBar = draft.startBar
    settings.countInBars = draft.countIn
    settings.duration = draft.duration
    settings.dispatch = draft.dispatch
    settings.general = draft.voiced(draft.common)
    settings.destinations = draft.destinations.map { address, route in
      LeaderSettings.Destination(address: address, route: draft.voiced(route))
    }
  }

  /// The options before the first `to`; those after it belong to destinations.
  private static func withoutDestinations(_ options: [GivenOption]) -> [GivenOption] {
    let routed: Set<OptionName> = [.to, .send, .offset, .divide, .multiply]
    let first = options.firstIndex { $0.name == .to } ?? options.endIndex
    return options.enumerated().filter { index, option in
      index < first || !routed.contains(option.name)
    }.map(\.element)
  }

  /// Why Song Position cannot name a bar, and which it can.
  private static func unreachable(_ bar: Int64, _ score: Score, _ meter: Meter) -> String {
    if score.start(ofBar: bar).count % Resolution.ticksPerMIDIBeat != 0 {
      return "--start-bar \(bar): in \(meter) that bar does not begin on a sixteenth, which is all"
        + " that Song Position can name"
    }
    let last = Int64(SongPosition.maximum) * Resolution.ticksPerMIDIBeat / meter.ticksPerBar + 1
    return "--start-bar \(bar) is beyond what Song Position can name; in \(meter) the last bar is"
      + " \(last)"
  }
}

extension PlayOptions {
  /// Options being gathered.
  private struct Draft {
    var tempo = Tempo.standard
    var meter = Meter.common
    var accents: AccentPattern?
    var subdivision: Int64 = 1
    var swing: Int64 = 50_000
    var voice = ClickVoice.standard
    var common = Route()
    var destinations: [(address: String, route: Route)] = []
    var policy = ClockPolicy.always
    var bars: Int64?
    var duration: HostTime.Span?
    var countIn: Int64 = 0
    var startBar: Int64 = 1
    var dispatch = DispatchChoice.auto
    var form = OutputForm.plain
    var isDryRun = false
    var sound = SoundOptions()

    mutating func take(_ option: GivenOption) throws(UsageError) {
      let (value, place) = (option.value, option.place)
      switch option.name {
      case .bpm: try setTempo(value, place)
      case .meter:
        do throws(Meter.TextError) { meter = try Meter(text: value) } catch {
          throw UsageError("\(place): \(error)")
        }
      case .accents:
        guard let pattern = AccentPattern(text: value) else {
          throw UsageError(
            "\(place): '\(value)' is not an accent pattern: write one letter a click,"
              + " X strong, m medium, x weak, . silent, at most \(AccentPattern.capacity)")
        }
        accents = pattern
      case .subdivide: subdivision = try whole(value, place, ClickPattern.subdivisions)
      case .swing: swing = try decimal(value, place, ClickPattern.swings, "percent")
      case .to: try addDestination(value, place)
      case .send:
        let contents = try Self.contents(value, place)
        edit { $0.contents = contents }
      case .offset:
        let offset = try decimal(value, place, -500_000...500_000, "milliseconds")
        edit { $0.offset = .microseconds(offset) }
      case .divide:
        let divide = try whole(value, place, 1...24)
        edit { $0.divide = divide }
      case .multiply:
        let multiply = try whole(value, place, 1...24)
        edit { $0.multiply = multiply }
      case .channel: voice.channel = UInt8(try whole(value, place, 1...16) - 1)
      case .notes:
        let keys = try three(value, place, 0...127, "keys")
        (voice.strong.key, voice.medium.key, voice.weak.key) = (keys[0], keys[1], keys[2])
      case .velocities:
        let forces = try three(value, place, 1...127, "velocities")
        voice.strong.velocity = forces[0]
        voice.medium.velocity = forces[1]
        voice.weak.velocity = forces[2]
      case .gate:
        voice.gate = .microseconds(try decimal(value, place, 1_000...5_000_000, "milliseconds"))
      case .clock:
        policy = try choice(value, place, ClockPolicy.allCases.map { ("\($0)", $0) })
      case .bars: bars = try whole(value, place, 1...1_000_000)
      case .duration:
        duration = .milliseconds(try decimal(value, place, 1...1_000_000_000, "seconds"))
      case .countIn: countIn = try whole(value, place, 0...99)
      case .startBar: startBar = try whole(value, place, 1...1_000_000)
      case .dispatch:
        dispatch = try choice(value, place, DispatchChoice.allCases.map { ($0.rawValue, $0) })
      case .sound: sound.isWanted = try choice(value, place, [("auto", true), ("off", false)])
      case .soundfont:
        sound.soundfont = value
        sound.isRequired = true
      case .audioDriver:
        sound.driver = value
        sound.isRequired = true
      case .volume: sound.volume = try whole(value, place, 0...200)
      case .json: form = .json
      case .plain, .noUI: if form == .quiet { form = .plain }
      case .quiet: form = .quiet
      case .dryRun: isDryRun = true
      case .profile, .list, .help, .version: break
      }
    }

    mutating func setTempo(_ text: String, _ place: String) throws(UsageError) {
      do throws(Tempo.TextError) { tempo = try Tempo(text: text) } catch {
        throw UsageError("\(place): \(error)")
      }
    }

    mutating func addDestination(_ text: String, _ place: String) throws(UsageError) {
      guard text.contains(where: { $0 != " " }) else {
        throw UsageError("\(place): an empty address; midimetro ports lists what there is")
      }
      guard destinations.count < LeaderSettings.maximumDestinations else {
        throw UsageError(
          "\(place): more than \(LeaderSettings.maximumDestinations) destinations; join some with"
            + " aconnect to the ports of midimetro")
      }
      destinations.append((text, common))
    }

    /// Changes the route of the last destination, or of all when none has been named yet.
    private mutating func edit(_ change: (inout Route) -> Void) {
      if destinations.isEmpty {
        change(&common)
      } else {
        change(&destinations[destinations.count - 1].route)
      }
    }

    /// The click notes are the same for all routes.
    func voiced(_ route: Route) -> Route {
      var route = route
      route.voice = voice
      return route
    }

    func pattern() throws(UsageError) -> ClickPattern {
      do throws(ClickPattern.Mismatch) {
        return try ClickPattern(
          meter: meter, accents: accents, subdivision: subdivision, swing: swing)
      } catch { throw UsageError("\(error)") }
    }

    // MARK: Values

    private func whole(_ text: String, _ place: String, _ range: ClosedRange<Int64>)
      throws(UsageError) -> Int64
    {
      guard let value = Thousandths.parseSigned(text), value % 1_000 == 0,
        range.contains(value / 1_000)
      else {
        throw UsageError(
          "\(place): '\(text)' is not a whole number from \(range.lowerBound) to"
            + " \(range.upperBound)")
      }
      return value / 1_000
    }

    /// A decimal number as thousandths.
    private func decimal(
      _ text: String, _ place: String, _ range: ClosedRange<Int64>, _ unit: String
    ) throws(UsageError) -> Int64 {
      guard let value = Thousandths.parseSigned(text), range.contains(value) else {
        throw UsageError(
          "\(place): '\(text)' is not a number of \(unit) from"
            + " \(Thousandths.text(range.lowerBound)) to \(Thousandths.text(range.upperBound)),"
            + " with at most three decimals")
      }
      return value
    }

    private func three(
      _ text: String, _ place: String, _ range: ClosedRange<Int64>, _ what: String
    ) throws(UsageError) -> [UInt8] {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let values = parts.compactMap { Thousandths.parse($0) }
        .filter { $0 % 1_000 == 0 && range.contains($0 / 1_000) }.map { UInt8($0 / 1_000) }
      guard parts.count == 3, values.count == 3 else {
        throw UsageError(
          "\(place): '\(text)' is not three \(what) (strong,medium,weak) from"
            + " \(range.lowerBound) to \(range.upperBound)")
      }
      return values
    }

    private func choice<Value>(
      _ text: String, _ place: String, _ choices: [(name: String, value: Value)]
    ) throws(UsageError) -> Value {
      guard let found = choices.first(where: { $0.name == text }) else {
        let names = choices.map(\.name)
        throw UsageError(
          "\(place): '\(text)' is none of \(names.joined(separator: ", "))"
            + Spelling.hint(text, among: names))
      }
      return found.value
    }

    private static func contents(_ text: String, _ place: String) throws(UsageError)
      -> Route.Contents
    {
      var contents: Route.Contents = []
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let found = Route.Contents.named.first(where: { $0.name == word }) else {
          let names = Route.Contents.named.map(\.name)
          throw UsageError(
            "\(place): '\(word)' is none of \(names.joined(separator: ", "))"
              + Spelling.hint(String(word), among: names))
        }
        contents.formUnion(found.contents)
      }
      return contents
    }
  }
}
