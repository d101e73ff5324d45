internal import MIDIClock
internal import MetronomeCore

/// What `follow` was asked, all of it valid.
struct FollowOptions: CommandOptions {
  var values: OptionValues
  /// Whose bars are counted; its tempos are the source's affair.
  let score: Score

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
    values = try OptionValues(arguments.unreplaced(config), arguments.options)
    if values.replay == nil {
      try values.addUsualDestinations(outputPorts)
    } else {
      values.wantsLines = true
    }
    score = try ScoreOption.score(&values, arguments, tempo: .standard, contents)
    let named = arguments.options.count { $0.name == .from }
    guard named < 2 else {
      throw UsageError(
        "--from: one clock is followed; give one, and midimetro monitor measures several")
    }
    try values.refuseRepeatedDestinations()
    values.following.source = values.sources.last
    values.following.destinations = values.playing.destinations
    values.following.general = values.playing.general
    values.following.policy = values.policy
    values.following.meters = try ScoreOption.meters(of: score, values.scorePath)
    values.following.leaveOutMutedClicks()
  }

  /// Which clock is followed, and where it is passed on to.
  var settings: FollowSettings { values.following }
}

extension FollowSettings {
  /// Nothing brings muted clicks in while it follows.
  fileprivate mutating func leaveOutMutedClicks() {
    if general.isMuted { general.contents.remove(.click) }
    for index in destinations.indices where destinations[index].route.isMuted {
      destinations[index].route.contents.remove(.click)
    }
  }
}
