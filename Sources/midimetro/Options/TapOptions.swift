/// What `tap` was asked, all of it valid.
struct TapOptions: CommandOptions {
  var values: OptionValues

  /// Checks and combines what was given: the config file's options first, then the command line.
  ///
  /// - Throws: `UsageError` for the first thing that is wrong.
  init(_ arguments: Arguments, config: [GivenOption] = []) throws(UsageError) {
    try arguments.refuseTogether([.json, .plain, .quiet])
    try arguments.refuseTogether([.replay, .log])
    try arguments.refuseTogether([.learn, .quiet])
    // A source in the file is a clock's.
    let kept = arguments.unreplaced(config).filter { $0.name != .from }
    values = try OptionValues(kept, arguments.options)
    if values.replay != nil || values.learns { values.wantsLines = true }
  }
}
