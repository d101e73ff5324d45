internal import MIDIClock
internal import MetronomeCore

/// What `play` was asked, all of it valid.
struct PlayOptions: Sendable {
  var tempo = Tempo.standard
  var settings: PlaySettings
  var form = OutputForm.plain
  /// The file that the score was read from.
  var scorePath: String?
  /// Whether lines are wanted even on a terminal.
  var wantsLines = false
  var isDryRun = false
  var sound = SoundOptions()
  var tapping = Tapping()

  /// Checks and combines what was given: the config file's options first, then the command line.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - config: The config file's options, weaker than the command line's.
  ///   - outputPorts: `ALSA_OUTPUT_PORTS`, used when no `--to` is given.
  ///   - contents: The content of a file; `nil` when there is none.
  /// - Throws: `UsageError` for the first thing that is wrong.
  init(
    _ arguments: Arguments, config: [GivenOption] = [], outputPorts: String? = nil,
    contents: (String) throws(SystemError) -> [UInt8]? = { _ in nil }
  ) throws(UsageError) {
    let tempoText = try arguments.tempoOperand()
    try Self.refuseContradictions(arguments)
    var draft = OptionValues()
    let kept = arguments.unreplaced(config)
    for option in kept { try draft.take(option) }
    // Route options of the command line are for all that the config file names.
    draft.hasOwnDestination = false
    for option in arguments.options { try draft.take(option) }
    if let tempoText { draft.tempo = try Values.tempo(tempoText, "tempo") }
    try draft.addUsualDestinations(outputPorts)
    try draft.refuseRepeatedDestinations()
    var score: Score
    if let path = draft.score {
      let reading = try ScoreOption.read(path, draft, arguments, contents)
      score = reading.score
      scorePath = path
    } else {
      score = Score(pattern: try draft.pattern(), tempo: draft.tempo)
    }
    try draft.checkStart(in: score)
    if let bars = draft.bars {
      let end = score.start(ofBar: draft.startBar + bars)
      score.end = min(score.end ?? end, end)
    }
    if draft.isDryRun, score.end == nil, draft.duration == nil {
      throw UsageError("--dry-run would never end: give --bars or --duration too")
    }
    try draft.tapping.check(
      kept + arguments.options, isDryRun: draft.isDryRun, countIn: draft.countIn)
    tapping = draft.tapping
    tempo = score.passages[score.index(at: score.start(ofBar: draft.startBar))].pace.tempo
    form = draft.form
    wantsLines = draft.wantsLines
    isDryRun = draft.isDryRun
    sound = draft.sound
    sound.settings.notes = draft.voice
    settings = PlaySettings(score: score)
    settings.policy = draft.policy
    settings.startBar = draft.startBar
    settings.countInBars = draft.countIn
    settings.duration = draft.duration
    settings.dispatch = draft.dispatch
    settings.general = draft.voiced(draft.common)
    settings.destinations = draft.routedDestinations
    settings.sources =
      tapping.sources.map { InputSource(address: $0, canTap: true) }
      + tapping.controlSources.map { InputSource(address: $0, canTap: false) }
    settings.waits = tapping.steering.startTaps != nil
    tapping.filter.ignore(clicksOf: draft.voice)
  }

  private static func refuseContradictions(_ arguments: Arguments) throws(UsageError) {
    try arguments.refuseTogether([.json, .plain, .quiet])
    // The log has one form.
    try arguments.refuseTogether([.dryRun, .json])
    try arguments.refuseTogether([.dryRun, .quiet])
    try SoundOptions.refuseContradictions(arguments)
  }

  /// The passage that it begins with.
  var opening: Score.Passage {
    let score = settings.score
    return score.passages[score.index(at: score.start(ofBar: settings.startBar))]
  }

  /// What is wrong with an option by itself; `nil` when nothing is.
  static func complaint(about option: GivenOption) -> String? {
    var draft = OptionValues()
    do throws(UsageError) {
      try draft.take(option)
      return nil
    } catch { return error.message }
  }
}
