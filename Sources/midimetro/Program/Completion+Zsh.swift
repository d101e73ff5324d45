extension Completion {
  static var zsh: String {
    var cases = ""
    for command in CommandDescriptor.all {
      let verb = command.verb
      let specs = command.options.map { "      \(zsh($0, verb)) \\\n" }.joined()
      let operand = verb == .help ? "':command:_midimetro_commands'" : "'*: :'"
      cases +=
        "    \(verb.rawValue))\n      _arguments -s -S \\\n\(specs)      \(operand)\n      ;;\n"
    }
    let commands = CommandDescriptor.all.map {
      "    '\($0.verb.rawValue):\(quoted($0.summary, escaping: ":"))'\n"
    }.joined()
    return "#compdef midimetro\n" + mark
      + """
      _midimetro_commands() {
        local -a commands=(
      \(commands)  )
        _describe command commands
      }
      _midimetro_ports() {
        local -a ports=(${(f)"$(\(ports))"})
        compadd -a ports
      }
      _midimetro_sources() {
        local -a ports=(${(f)"$(\(sources))"})
        compadd -a ports
      }
      _midimetro_profiles() {
        local -a profiles=(${(f)"$(\(profiles))"})
        compadd -a profiles
      }
      _midimetro() {
        local verb=play
        if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
          _midimetro_commands
          return
        fi
        case $words[2] in
          \(verbs.joined(separator: "|")))
            verb=$words[2]
            shift words
            (( CURRENT-- ))
            ;;
        esac
        case $verb in
      \(cases)  esac
      }
      _midimetro "$@"

      """
  }

  static func zsh(_ spec: OptionSpec, _ verb: Verb) -> String {
    let help = "[\(quoted(spec.help, escaping: "[]:"))]"
    let action: String =
      switch spec.offer {
      case .nothing: ""
      case .files: "_files"
      case .ports: "_midimetro_ports"
      case .sources: "_midimetro_sources"
      case .profiles: "_midimetro_profiles"
      case .words(let words): "(\(words.joined(separator: " ")))"
      case .list(let words): "_sequence compadd - \(words.joined(separator: " "))"
      }
    let value = spec.argument.map { ":\($0):\(action)" } ?? ""
    // Route options come once for each destination.
    let star = spec.group == .destinations ? "*" : ""
    guard let short = spec.short(for: verb) else {
      return "'\(star)\(spec.spelled)\(help)\(value)'"
    }
    let group = star.isEmpty ? "'(-\(short) \(spec.spelled))'" : "'\(star)'"
    return "\(group){-\(short),\(spec.spelled)}'\(help)\(value)'"
  }

  /// For the inside of single quotes, with a backslash before what the shell's function reads.
  private static func quoted(_ text: String, escaping special: String) -> String {
    var result = ""
    for character in text {
      if character == "'" {
        result += "'\\''"
      } else {
        result += special.contains(character) ? "\\\(character)" : "\(character)"
      }
    }
    return result
  }
}
