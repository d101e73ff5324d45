/// Help, made from the table of options.
enum Help {
  static let version = "0.1.0"

  /// The overview, or a command's own page.
  static func text(_ verb: Verb?) -> String {
    guard let verb, verb != .help else { return overview }
    return Wrapping.wrap(verb.summary.capitalizedFirst + ".")
      + "\nUsage: \(verb.usage)\n\n"
      + sections(verb).map { group, specs in
        "\(group.rawValue):\n" + specs.map { line($0, verb) }.joined() + "\n"
      }.joined()
      + verb.notes.map { Wrapping.wrap($0) + "\n" }.joined()
      + "Examples:\n" + verb.examples.map(example).joined()
  }

  /// The options of a command in their groups, without the hidden ones.
  static func sections(_ verb: Verb) -> [(OptionSpec.Group, [OptionSpec])] {
    OptionSpec.Group.allCases.map { group in
      (group, verb.options.filter { $0.group == group })
    }.filter { !$0.1.isEmpty }
  }

  private static var overview: String {
    "midimetro \(version): a metronome and MIDI clock for Linux.\n\n"
      + "Usage: \(Verb.play.usage)\n       midimetro COMMAND [options]\n\nCommands:\n"
      + Verb.allCases.map { Wrapping.wrap($0.summary, indent: 12, head: "  \($0.rawValue)") }
      .joined()
      + "\nmidimetro help COMMAND explains a command and its options.\n\nExamples:\n"
      + Verb.help.examples.map(example).joined()
  }

  private static func example(_ example: Verb.Example) -> String {
    "  \(example.command)\n" + Wrapping.wrap(example.meaning, indent: 6)
  }

  private static func line(_ spec: OptionSpec, _ verb: Verb) -> String {
    let short = spec.short(for: verb).map { "-\($0), " } ?? "    "
    let head = "  " + short + spec.spelled + (spec.argument.map { " \($0)" } ?? "")
    return Wrapping.wrap(spec.help, indent: 28, head: head)
  }
}
