internal import MIDIClock
internal import MetronomeCore

/// What `play` was asked, all of it valid.
struct PlayOptions: CommandOptions {
  var values: OptionValues
  /// The tempo that it begins with.
  let tempo: Tempo

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
    let kept = arguments.unreplaced(config)
    values = try OptionValues(kept, arguments.options)
    if let tempoText { values.tempo = try Values.tempo(tempoText, "tempo") }
    try values.addUsualDestinations(outputPorts)
    try values.refuseRepeatedDestinations()
    var score = try ScoreOption.score(&values, arguments, tempo: values.tempo, contents)
    try values.checkStart(in: score)
    let startBar = values.playing.startBar
    if let bars = values.bars {
      let end = score.start(ofBar: startBar + bars)
      score.end = min(score.end ?? end, end)
    }
    if values.isDryRun, score.end == nil, values.duration == nil {
      throw UsageError("--dry-run would never end: give --bars or --duration too")
    }
    try values.tapping.check(
      kept + arguments.options, isDryRun: values.isDryRun, countIn: values.playing.countInBars)
    tempo = score.passages[score.index(at: score.start(ofBar: startBar))].pace.tempo
    values.playing.score = score
    values.playing.sources = values.tapping.inputs
    values.playing.waits = values.tapping.steering.startTaps != nil
    values.tapping.filter.ignore(clicksOf: values.voice)
  }

  /// What is played, and where to.
  var settings: PlaySettings {
    get { values.playing }
    set { values.playing = newValue }
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
}
