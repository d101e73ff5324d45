/// A command line taken apart, with what it may add from the config file and the surroundings.
struct CommandRequest: Sendable {
  let line: CommandLineWords
  /// The config file's options that are for this command.
  let config: [GivenOption]
  let environment: Environment

  var arguments: Arguments { line.arguments }

  func refuseOperands() throws(UsageError) { try line.refuseOperands() }

  func ports() throws(UsageError) -> Command {
    Command(try OptionValues([], arguments.options)) { values throws(Failure) in
      try Ports.run(isJSON: values.isJSON)
    }
  }

  /// `play --list`, which does nothing else that `play` could be asked.
  func list() throws(UsageError) -> Command {
    let fitting: Set<OptionName> = [.list, .json, .plain, .noUI]
    let extra =
      arguments.operands.first ?? arguments.options.first { !fitting.contains($0.name) }?.place
    if let extra {
      throw UsageError("--list only lists the ports: leave out '\(extra)'")
    }
    try arguments.refuseTogether([.json, .plain])
    return try ports()
  }
}
