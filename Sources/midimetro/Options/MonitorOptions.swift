/// What `monitor` was asked, all of it valid.
struct MonitorOptions: CommandOptions {
  var values: OptionValues

  /// Checks and combines what was given: the config file's options first, then the command line.
  ///
  /// - Throws: `UsageError` for the first thing that is wrong.
  init(_ arguments: Arguments, config: [GivenOption] = []) throws(UsageError) {
    try arguments.refuseTogether([.json, .plain, .quiet])
    try arguments.refuseTogether([.replay, .log])
    values = try OptionValues(arguments.unreplaced(config), arguments.options)
    if values.replay != nil { values.wantsLines = true }
  }
}
