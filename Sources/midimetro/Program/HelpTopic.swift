/// What can be printed about the program itself.
enum HelpTopic: Hashable, Sendable {
  /// The overview, or a command's own page.
  case command(Verb?)
  case manual
  case jsonReference
  case completion(Shell)
  case version

  /// What `help` was asked.
  init(_ arguments: Arguments) throws(UsageError) {
    if let option = arguments.options.last {
      guard option.name != .man else {
        self = .manual
        return
      }
      self = .completion(
        try Values.choice(
          option.value, option.place, Shell.allCases.map { ($0.rawValue, $0) }))
      return
    }
    guard arguments.operands.count <= 1 else {
      throw UsageError(
        "help explains one command at a time; give one of '\(arguments.operands[0])' and"
          + " '\(arguments.operands[1])'")
    }
    switch arguments.operands.first {
    case nil: self = .command(nil)
    case "json": self = .jsonReference
    case let topic?:
      guard let verb = Verb(rawValue: topic) else { throw CommandLineWords.noCommand(topic) }
      self = .command(verb)
    }
  }

  static func run(_ topic: HelpTopic) throws(Failure) -> ExitStatus {
    try StandardOutput.print(topic.text)
    return .done
  }

  private var text: String {
    switch self {
    case .command(let verb): Help.text(verb)
    case .manual: Manual.text
    case .jsonReference: JSONReference.text
    case .completion(let shell): Completion.text(for: shell)
    case .version: "midimetro \(Help.version)\n"
    }
  }
}
