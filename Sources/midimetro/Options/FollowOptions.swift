internal import MIDIClock
internal import MetronomeCore

/// What `follow` was asked, all of it valid.
struct FollowOptions: Sendable {
  var settings = FollowSettings()
  /// Whose bars are counted; its tempos are the source's affair.
  var score: Score
  var form = OutputForm.plain
  /// Whether lines are wanted even on a terminal.
  var wantsLines = false
  /// The log to be read instead of the sequencer; `-` for the standard input.
  var replay: String?
  var duration: HostTime.Span?
  var sound = SoundOptions()

  /// Checks and combines what was given.
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
    try arguments.refuseTogether([.json, .plain, .quiet])
    // A replay opens no sequencer, so nothing can be sent.
    try arguments.refuseTogether([.replay, .to])
    try SoundOptions.refuseContradictions(arguments)
    var draft = PlayOptions.OptionValues()
    for option in arguments.unreplaced(config) { try draft.take(option) }
    draft.hasOwnDestination = false
    for option in arguments.options { try draft.take(option) }
    if draft.replay == nil { try draft.addUsualDestinations(outputPorts) }
    if let path = draft.score {
      let reading = try ScoreOption.read(path, draft, arguments, contents)
      score = reading.score
    } else {
      score = Score(pattern: try draft.pattern(), tempo: .standard)
    }
    form = draft.form
    wantsLines = draft.wantsLines || draft.replay != nil
    replay = draft.replay
    duration = draft.duration
    sound = draft.sound
    sound.settings.notes = draft.voice
    let named = arguments.options.count { $0.name == .from }
    guard named < 2 else {
      throw UsageError(
        "--from: one clock is followed; give one, and midimetro monitor measures several")
    }
    settings.source = draft.sources.last
    try draft.refuseRepeatedDestinations()
    settings.destinations = draft.routedDestinations
    settings.general = draft.voiced(draft.common)
    // Nothing brings them in while it follows.
    if settings.general.isMuted { settings.general.contents.remove(.click) }
    for index in settings.destinations.indices where settings.destinations[index].route.isMuted {
      settings.destinations[index].route.contents.remove(.click)
    }
    settings.policy = draft.policy
    settings.meters = try ScoreOption.meters(of: score, draft.score)
    settings.repairs = draft.repairs
    settings.lostAfter = draft.lostAfter
  }
}
