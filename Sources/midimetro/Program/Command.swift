/// A command with values that are all valid, ready to be run.
struct Command: Sendable {
  /// The values, of the command's own type.
  let options: any Sendable
  private let body: @Sendable () throws(Failure) -> ExitStatus

  init<Options: Sendable>(
    _ options: Options, run: @escaping @Sendable (Options) throws(Failure) -> ExitStatus
  ) {
    self.options = options
    body = { () throws(Failure) in try run(options) }
  }

  /// Reads a command line, without the program's name, and the config file for what begins with it.
  init(_ words: [String], environment: Environment) throws(Failure) {
    let line = try Failure.onUsage { () throws(UsageError) in try CommandLineWords(words) }
    let verb = line.verb ?? .play
    var config: [GivenOption] = []
    if line.readsConfig {
      config = try Self.config(line.arguments.value(.profile), environment)
      // What is for other commands only.
      config.removeAll { OptionSpec.spec($0.name)?.verbs.contains(verb) != true }
    }
    if line.arguments.has(.help) {
      self.init(HelpTopic.command(line.verb), run: HelpTopic.run)
    } else if line.arguments.has(.version) {
      self.init(HelpTopic.version, run: HelpTopic.run)
    } else {
      let request = CommandRequest(line: line, config: config, environment: environment)
      self = try Failure.onUsage { () throws(UsageError) in
        try CommandDescriptor.of(verb).read(request)
      }
    }
  }

  func run() throws(Failure) -> ExitStatus {
    for warning in (options as? any CommandOptions)?.values.warnings ?? [] {
      StandardOutput.complain(warning)
    }
    return try body()
  }
}
