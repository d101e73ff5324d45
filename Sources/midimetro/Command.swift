internal import Glibc

/// What the surroundings contribute to a command.
struct Environment {
  var outputPorts: String?
  var configHome: String?
  var home: String?

  static var current: Environment {
    Environment(
      outputPorts: read("ALSA_OUTPUT_PORTS"), configHome: read("XDG_CONFIG_HOME"),
      home: read("HOME"))
  }

  static func read(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

/// A command with values that are all valid.
enum Command {
  case play(PlayOptions)
  case ports(isJSON: Bool)
  case help(Verb?)
  case version

  /// Reads a command line, without the program's name.
  init(_ words: [String], environment: Environment) throws(UsageError) {
    let verb = words.first.flatMap { Verb(rawValue: $0) }
    let rest = verb == nil ? words : Array(words.dropFirst())
    if let first = words.first, verb == nil { try Self.refuseUnknownCommand(first) }
    let arguments = try Arguments.parse(rest, for: verb ?? .play)
    if arguments.has(.help) {
      self = .help(verb)
      return
    }
    if arguments.has(.version) {
      self = .version
      return
    }
    if verb != .play, verb != nil, verb != .help, verb != .bench,
      let extra = arguments.operands.first
    {
      throw UsageError("'\(extra)' means nothing to midimetro \(verb?.rawValue ?? "")")
    }
    switch verb ?? .play {
    case .play:
      if arguments.has(.list) {
        self = .ports(isJSON: arguments.has(.json))
        return
      }
      self = .play(
        try PlayOptions(arguments, outputPorts: environment.outputPorts))
    case .ports: self = .ports(isJSON: arguments.has(.json))
    case .help:
      guard let topic = arguments.operands.first else {
        self = .help(nil)
        return
      }
      guard let verb = Verb(rawValue: topic) else {
        throw UsageError("no command '\(topic)'" + Spelling.hint(topic, among: Verb.names))
      }
      self = .help(verb)
    case .doctor, .bench: throw UsageError("not yet")
    }
  }

  /// A first word of letters alone is meant as a command, not as a tempo.
  private static func refuseUnknownCommand(_ word: String) throws(UsageError) {
    guard word.count > 1, word.allSatisfy({ $0.isLetter }), word != "nan", word != "inf" else {
      return
    }
    throw UsageError(
      "no command '\(word)'" + Spelling.hint(word, among: Verb.names)
        + "; the commands are \(Verb.names.joined(separator: ", "))")
  }
}

extension Verb {
  static var names: [String] { allCases.map(\.rawValue) }
}
