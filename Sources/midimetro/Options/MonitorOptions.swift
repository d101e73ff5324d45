internal import MIDIClock
internal import MetronomeCore

/// What `monitor` was asked, all of it valid.
struct MonitorOptions: Sendable {
  var sources: [String] = []
  var form = OutputForm.plain
  /// Whether lines are wanted even on a terminal.
  var wantsLines = false
  /// The log to be read instead of the sequencer; `-` for the standard input.
  var replay: String?
  /// The log to be written.
  var log: String?
  var duration: HostTime.Span?

  /// Checks and combines what was given: the config file's options first, then the command line.
  ///
  /// - Throws: `UsageError` for the first thing that is wrong.
  init(_ arguments: Arguments, config: [GivenOption] = []) throws(UsageError) {
    try arguments.refuseTogether([.json, .plain, .quiet])
    try arguments.refuseTogether([.replay, .log])
    var draft = PlayOptions.OptionValues()
    for option in arguments.unreplaced(config) + arguments.options { try draft.take(option) }
    sources = draft.sources
    form = draft.form
    wantsLines = draft.wantsLines || draft.replay != nil
    replay = draft.replay
    log = draft.log
    duration = draft.duration
  }
}
