internal import MIDIClock
internal import MetronomeCore

/// What `tap` was asked, all of it valid.
struct TapOptions: Sendable {
  var sources: [String] = []
  var tapping = Tapping()
  var form = OutputForm.plain
  /// Whether lines are wanted even on a terminal.
  var wantsLines = false
  /// The log to be read instead of the sequencer; `-` for the standard input.
  var replay: String?
  /// The log to be written.
  var log: String?
  var duration: HostTime.Span?
  /// Whether the first hit is only told, with the options that name it.
  var learns = false
  /// Clicks on the beats that the taps foretell, when a sound is named.
  var sound = SoundOptions()

  /// Checks and combines what was given: the config file's options first, then the command line.
  ///
  /// - Throws: `UsageError` for the first thing that is wrong.
  init(_ arguments: Arguments, config: [GivenOption] = []) throws(UsageError) {
    try arguments.refuseTogether([.json, .plain, .quiet])
    try arguments.refuseTogether([.replay, .log])
    try arguments.refuseTogether([.learn, .quiet])
    var draft = PlayOptions.OptionValues()
    // A source in the file is a clock's.
    for option in arguments.unreplaced(config) + arguments.options
    where option.name != .from
      || arguments.options.contains(option)
    {
      try draft.take(option)
    }
    sources = draft.sources
    tapping = draft.tapping
    form = draft.form
    replay = draft.replay
    log = draft.log
    duration = draft.duration
    learns = arguments.has(.learn)
    sound = draft.sound
    sound.settings.notes = draft.voice
    wantsLines = draft.wantsLines || replay != nil || learns
  }
}
