internal import MetronomeCore

/// A command with values that are all valid.
enum Command {
  case play(PlayOptions)
  case follow(FollowOptions)
  case tap(TapOptions)
  case monitor(MonitorOptions)
  case render(RenderOptions)
  case check(path: String)
  case ports(isJSON: Bool)
  case doctor(DoctorOptions)
  case bench(BenchOptions)
  case help(Verb?)
  case manual
  case jsonReference
  case completion(Shell)
  case version

  /// Reads a command line, without the program's name, and the config file for what begins with it.
  init(_ words: [String], environment: Environment) throws(Failure) {
    let line = try Failure.onUsage { () throws(UsageError) in try CommandLineWords(words) }
    var config: [GivenOption] = []
    if line.readsConfig {
      config = try Self.config(line.arguments.value(.profile), environment)
      // What is for other commands only.
      config.removeAll { OptionSpec.spec($0.name)?.verbs.contains(line.verb ?? .play) != true }
    }
    self = try Failure.onUsage { () throws(UsageError) in
      guard line.plays else { return try Self.other(line, config, environment) }
      var options = try PlayOptions(
        line.arguments, config: config, outputPorts: environment.outputPorts,
        contents: environment.contents)
      options.values.showScreen(on: environment)
      return .play(options)
    }
  }

  /// Every command but `play`.
  private static func other(
    _ line: CommandLineWords, _ config: [GivenOption], _ environment: Environment
  ) throws(UsageError) -> Command {
    let arguments = line.arguments
    if arguments.has(.help) { return .help(line.verb) }
    if arguments.has(.version) { return .version }
    switch line.verb ?? .play {
    case .play: return try list(arguments)
    case .follow:
      try line.refuseOperands()
      var options = try FollowOptions(
        arguments, config: config, outputPorts: environment.outputPorts,
        contents: environment.contents)
      options.values.showScreen(on: environment)
      return .follow(options)
    case .tap:
      try line.refuseOperands()
      var options = try TapOptions(arguments, config: config)
      options.values.showScreen(on: environment)
      return .tap(options)
    case .monitor:
      try line.refuseOperands()
      var options = try MonitorOptions(arguments, config: config)
      options.values.showScreen(on: environment)
      return .monitor(options)
    case .render:
      return .render(try RenderOptions(arguments, config: config, environment))
    case .check:
      guard let path = arguments.operands.first, arguments.operands.count == 1 else {
        throw UsageError("which score? write: midimetro check FILE")
      }
      return .check(path: path)
    case .ports:
      try line.refuseOperands()
      return .ports(isJSON: arguments.has(.json))
    case .doctor:
      try line.refuseOperands()
      return .doctor(try DoctorOptions(arguments, environment))
    case .bench: return .bench(try BenchOptions(arguments))
    case .help: return try help(arguments)
    }
  }

  /// `play --list`, which does nothing else that `play` could be asked.
  private static func list(_ arguments: Arguments) throws(UsageError) -> Command {
    let fitting: Set<OptionName> = [.list, .json, .plain, .noUI]
    let extra =
      arguments.operands.first ?? arguments.options.first { !fitting.contains($0.name) }?.place
    if let extra {
      throw UsageError(
        "--list only lists the ports: leave out '\(extra)'")
    }
    try arguments.refuseTogether([.json, .plain])
    return .ports(isJSON: arguments.has(.json))
  }

  private static func help(_ arguments: Arguments) throws(UsageError) -> Command {
    if let option = arguments.options.last {
      if option.name == .man { return .manual }
      return .completion(
        try Values.choice(
          option.value, option.place, Shell.allCases.map { ($0.rawValue, $0) }))
    }
    guard arguments.operands.count <= 1 else {
      throw UsageError(
        "help explains one command at a time; give one of '\(arguments.operands[0])' and"
          + " '\(arguments.operands[1])'"
      )
    }
    guard let topic = arguments.operands.first else { return .help(nil) }
    if topic == "json" { return .jsonReference }
    guard let verb = Verb(rawValue: topic) else { throw CommandLineWords.noCommand(topic) }
    return .help(verb)
  }

  /// The config file's options; without a file there are none.
  private static func config(
    _ profile: String?, _ environment: Environment
  ) throws(Failure) -> [GivenOption] {
    guard let path = environment.configPath else {
      guard let profile else { return [] }
      if profile == Profile.last { return try last(after: nil, environment) }
      throw Failure("--profile \(profile): HOME is not set, so there is no config file", .usage)
    }
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try environment.contents(path) } catch {
      throw Failure(
        "the config file \(path) cannot be read: \(error); fix it or move it away", .inputOutput)
    }
    let file = bytes.map { ConfigFile($0, path: path) }
    if profile == Profile.last, file?.profiles.contains(Profile.last) != true {
      return try last(after: file, environment)
    }
    return try Failure.onUsage { () throws(UsageError) in
      guard let file else {
        guard let profile else { return [] }
        throw UsageError(
          "--profile: there is no config file \(path) with a profile '\(profile)'; write it, or"
            + " leave --profile out")
      }
      return try file.options(profile: profile)
    }
  }

  /// What was set when the screen was last left, after the lines of the config file that always hold.
  private static func last(
    after config: ConfigFile?, _ environment: Environment
  ) throws(Failure) -> [GivenOption] {
    guard let path = environment.lastPath else {
      throw Failure("--profile last: HOME is not set, so no settings have been kept", .usage)
    }
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try environment.contents(path) } catch {
      throw Failure(
        "the last settings, \(path), cannot be read: \(error); fix it or move it away",
        .inputOutput)
    }
    return try Failure.onUsage { () throws(UsageError) in
      guard let bytes else {
        throw UsageError(
          "--profile last: no settings have been kept in \(path) yet; they are when the screen of"
            + " play is left")
      }
      return try (config ?? ConfigFile([], path: path))
        .options(before: ConfigFile(bytes, path: path), profile: Profile.last)
    }
  }
}
