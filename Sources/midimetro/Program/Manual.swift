/// The manual page in man(7), made from the same table as help.
enum Manual {
  static var text: String {
    var page = """
      .\\" Made by midimetro help --man; do not edit.
      .TH MIDIMETRO 1 "" "midimetro \(Help.version)" "User Commands"
      .nh
      .SH NAME
      midimetro \\- a metronome and MIDI clock for Linux

      """
    page += ".SH SYNOPSIS\n"
    page += CommandDescriptor.all.map { ".B \(escaped($0.usage))\n" }.joined(separator: ".br\n")
    page += ".SH DESCRIPTION\n"
    page += line(
      "midimetro clicks, and leads drum machines, synthesizers and programs by MIDI clock through"
        + " the ALSA sequencer. Without a command it plays until it is interrupted.")
    for command in CommandDescriptor.all {
      page += ".SS midimetro \(command.verb.rawValue)\n"
      page += line(command.summary.capitalizedFirst + ".")
      page += command.notes.map { ".PP\n" + line($0) }.joined()
    }
    page += ".SH OPTIONS\n"
    for group in OptionSpec.Group.allCases {
      page += ".SS \(escaped(group.rawValue))\n"
      for spec in OptionSpec.all where spec.group == group && !spec.isHidden {
        page += option(spec)
      }
    }
    page += ".SH EXIT STATUS\n" + exits.map { tagged($0.0, $0.1) }.joined()
    page += ".SH ENVIRONMENT\n" + variables.map { tagged($0.0, $0.1) }.joined()
    page += ".SH FILES\n"
    page += tagged(
      "~/.config/midimetro/config",
      "The options that play, follow, tap, monitor and render start with, one a line:")
    page += ".RS\n.PP\n.nf\n" + sample.map { escaped($0) + "\n" }.joined() + ".fi\n.RE\n.IP\n"
    page += line(
      "Lines before the first [profile] always hold, those below it with --profile. Flags stand"
        + " alone or as \"name = yes\"; \"name = no\" takes one back. A # begins a comment where it"
        + " begins the line. Every bad line is reported with its number, and nothing is sent.")
    page += tagged(
      "~/.local/state/midimetro/last",
      "What was set when the screen of play was last left in order, as a section [last]: tempo, meter,"
        + " accents, subdivision, swing, clock, sound, volume, click notes, and the destinations with"
        + " their offsets and whether they are muted, those connected on the screen included. It is"
        + " written each time and read for --profile last alone, after the lines of the config file"
        + " that always hold and instead of their destinations. A section [last] of the config file is"
        + " taken instead of it.")
    page += ".SH LOGS\n"
    page += line(
      "What --dry-run prints, --log writes and --replay reads is one message a line: the time in"
        + " seconds, with several destinations an @ and the number of the destination (or with"
        + " several sources the address of the source), then the bytes in hexadecimal. Time 0 is the first pulse of the song;"
        + " count-in, Start and negative offsets come before it. A # begins a comment.")
    page += ".SH EXAMPLES\n"
    for command in CommandDescriptor.all where command.verb != .help {
      page += command.examples.map { example in
        let meaning = example.meaning.capitalizedFirst
        return tagged(example.command, meaning.hasSuffix("?") ? meaning : meaning + ".")
      }.joined()
    }
    return page + ".SH SEE ALSO\n.BR aconnect (1),\n.BR aseqdump (1),\n.BR fluidsynth (1)\n"
  }

  static let exits = [
    ("0", "Done, also after Ctrl-C."),
    ("64", "The command line or the config file cannot be used."),
    ("65", "A log, a score or a MIDI file has something in it that cannot be read."),
    ("66", "A file that was named, such as a sound font, is not there or cannot be used."),
    ("69", "The sequencer or a port is not there."),
    ("70", "A fault of midimetro itself."),
    ("74", "Something could not be read or written."),
    ("77", "No permission."),
  ]

  private static let variables = [
    ("ALSA_OUTPUT_PORTS", "Destinations when no --to is given, separated by commas."),
    ("MIDIMETRO_SOUNDFONT", "The sound font when no --soundfont and no set is given."),
    ("XDG_CONFIG_HOME", "Where the folder midimetro with the config file is; else ~/.config."),
    (
      "XDG_STATE_HOME",
      "Where the folder midimetro with the last settings is; else ~/.local/state."
    ),
  ]

  private static let sample = [
    "# always", "to = TR-8S", "offset = -4.5", "", "[live]", "count-in = 1", "quiet",
  ]

  private static func option(_ spec: OptionSpec) -> String {
    let some = spec.shortVerbs == spec.verbs ? "" : " (\(names(spec.shortVerbs)))"
    let short = spec.short.map { "\\fB\\-\($0)\\fR\(some), " } ?? ""
    let argument = spec.argument.map { " \\fI\(escaped($0))\\fR" } ?? ""
    let isPlain = spec.verbs == [.play] || spec.verbs.count == Verb.allCases.count
    let whose = isPlain ? "" : " (\(names(spec.verbs)))"
    return ".TP\n\(short)\\fB\(escaped(spec.spelled))\\fR\(argument)\n"
      + line(spec.help + whose + ".")
  }

  private static func names(_ verbs: Set<Verb>) -> String {
    Verb.allCases.filter(verbs.contains).map(\.rawValue).joined(separator: ", ")
  }

  private static func tagged(_ tag: String, _ text: String) -> String {
    ".TP\n.B \(escaped(tag))\n" + line(text)
  }

  private static func line(_ text: String) -> String { escaped(text) + "\n" }

  /// Text as roff takes it literally; a dash is one that can be pasted into a shell.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case ".": result += "."
      default: result.append(character)
      }
    }
    // A line of text that begins like a request would be taken for one.
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
