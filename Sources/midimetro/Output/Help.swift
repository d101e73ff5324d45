/// Help, made from the table of options.
enum Help {
  static let version = "0.1.0"

  /// The overview, or a command's own page.
  static func text(_ verb: Verb?) -> String {
    guard let verb, verb != .help else { return overview }
    let usage: String =
      switch verb {
      case .play: "midimetro [play] [options] [TEMPO]"
      case .ports: "midimetro ports [options]"
      case .doctor: "midimetro doctor [options]"
      case .bench: "midimetro bench [options] [TEMPO]"
      case .help: "midimetro help [COMMAND]"
      }
    let sections = OptionSpec.Group.allCases.compactMap { group -> String? in
      let specs = OptionSpec.all.filter { $0.group == group && $0.verbs.contains(verb) }
      return specs.isEmpty
        ? nil : "\(group.rawValue):\n" + specs.map(line).joined()
    }
    let notes =
      verb == .play
      ? """

      --send, --offset, --divide and --multiply apply to the --to before them, or to every
      destination when they come before the first --to. Long options can be kept in
      ~/.config/midimetro/config, one "name = value" a line, [profile] sections picked with
      --profile.

      """ : ""
    return "\(verb.summary.capitalizedFirst).\n\nUsage: \(usage)\n\n"
      + sections.joined(separator: "\n") + notes + "\nExamples:\n" + examples(verb)
  }

  private static var overview: String {
    let verbs = Verb.allCases.map { verb in
      "  " + verb.rawValue.padded(to: 10) + verb.summary + "\n"
    }.joined()
    return """
      midimetro \(version): a metronome and MIDI clock for Linux.

      Usage: midimetro [play] [options] [TEMPO]
             midimetro COMMAND [options]

      Commands:
      \(verbs)
      midimetro help COMMAND explains a command and its options.

      Examples:
      \(examples(.play))
      """
  }

  private static func examples(_ verb: Verb) -> String {
    let lines: [(String, String)] =
      switch verb {
      case .play, .help:
        [
          ("midimetro 120 --to TR-8S --to Volca", "click and clock two machines"),
          ("midimetro 3/8=80 -m 6/8 --to 128:0", "80 dotted quarters a minute"),
          (
            "midimetro 133.7 --to A --offset -10 --to B --send clock", "A 10 ms early, B clock only"
          ),
          ("midimetro 97.5 --bars 2 --dry-run", "see what would be sent"),
          ("midimetro 120 --start-bar 11 --to Synth", "from bar 11"),
        ]
      case .ports: [("midimetro ports", "what --to can name")]
      case .doctor: [("midimetro doctor", "is this machine ready?")]
      case .bench: [("midimetro bench 133.7", "how good is the clock here?")]
      }
    return lines.map { "  " + $0.0.padded(to: 58) + "# " + $0.1 + "\n" }.joined()
  }

  /// One option, its help wrapped to 80 columns.
  private static func line(_ spec: OptionSpec) -> String {
    let short = spec.short.map { "-\($0), " } ?? "    "
    let head = "  " + short + spec.spelled + (spec.argument.map { " \($0)" } ?? "")
    let column = 28
    var lines = [head.count < column - 1 ? head.padded(to: column) : head]
    if lines[0].count > column { lines.append(String(repeating: " ", count: column)) }
    for word in spec.help.split(separator: " ") {
      let last = lines[lines.count - 1]
      let isFresh = last.count <= column
      if !isFresh, last.count + 1 + word.count > 79 {
        lines.append(String(repeating: " ", count: column) + word)
      } else {
        lines[lines.count - 1] = last + (isFresh ? "" : " ") + word
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// Followed by blanks up to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// With its first letter as a capital.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
