/// Help, made from the table of options.
enum Help {
  static let version = "0.1.0"

  /// The overview, or a command's own page.
  static func text(_ verb: Verb?) -> String {
    guard let verb, verb != .help else { return overview }
    let command = CommandDescriptor.of(verb)
    return Wrapping.wrap(command.summary.capitalizedFirst + ".")
      + "\nUsage: \(command.usage)\n\n"
      + sections(command).map { group, specs in
        "\(group.rawValue):\n" + specs.map { line($0, verb) }.joined() + "\n"
      }.joined()
      + command.notes.map { Wrapping.wrap($0) + "\n" }.joined()
      + "Examples:\n" + command.examples.map(example).joined()
  }

  /// The options of a command in their groups, without the hidden ones.
  static func sections(_ command: CommandDescriptor) -> [(OptionSpec.Group, [OptionSpec])] {
    OptionSpec.Group.allCases.map { group in
      (group, command.options.filter { $0.group == group })
    }.filter { !$0.1.isEmpty }
  }

  private static var overview: String {
    "midimetro \(version): a metronome and MIDI clock for Linux.\n\n"
      + "Usage: \(CommandDescriptor.of(.play).usage)\n       midimetro COMMAND [options]\n\nCommands:\n"
      + CommandDescriptor.all.map {
        Wrapping.wrap($0.summary, indent: 12, head: "  \($0.verb.rawValue)")
      }
      .joined()
      + "\nmidimetro help COMMAND explains a command and its options.\n\nExamples:\n"
      + CommandDescriptor.of(.help).examples.map(example).joined()
  }

  private static func example(_ example: CommandDescriptor.Example) -> String {
    "  \(example.command)\n" + Wrapping.wrap(example.meaning, indent: 6)
  }

  private static func line(_ spec: OptionSpec, _ verb: Verb) -> String {
    let short = spec.short(for: verb).map { "-\($0), " } ?? "    "
    let head = "  " + short + spec.spelled + (spec.argument.map { " \($0)" } ?? "")
    return Wrapping.wrap(spec.help, indent: 28, head: head)
  }
}
