/// Completion for shells, made from the same table as help.
enum Completion {
  static func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static let mark = "# Made by midimetro help --completion; do not edit.\n"
  private static let verbs = Verb.allCases.map(\.rawValue)
  /// Shell code for the addresses of all ports that can be sent to.
  private static let ports =
    "midimetro ports 2>/dev/null | awk 'NR > 1 && ($NF == \"to\" || $(NF - 1) == \"to,\") {print $1}'"
  /// Shell code for the addresses of all ports that can be listened to.
  private static let sources =
    "midimetro ports 2>/dev/null | awk 'NR > 1 && $NF == \"from\" {print $1}'"
  /// Shell code for the profiles of the config file.
  private static let profiles =
    "sed -n 's/^[[:blank:]]*\\[[[:blank:]]*\\(.*[^[:blank:]]\\)[[:blank:]]*\\].*/\\1/p'"
    + " \"${XDG_CONFIG_HOME:-$HOME/.config}/midimetro/config\""
    + " \"${XDG_STATE_HOME:-$HOME/.local/state}/midimetro/last\" 2>/dev/null"

  /// As the option is typed after `verb`: `--to`, `-p`.
  private static func spellings(_ spec: OptionSpec, _ verb: Verb) -> [String] {
    [spec.spelled] + (spec.short(for: verb).map { ["-\($0)"] } ?? [])
  }

  /// Patterns for a command, a colon and the option as it is typed: `*:--to`, `play:-p`.
  private static func patterns(_ spec: OptionSpec) -> [String] {
    var patterns = ["*:\(spec.spelled)"]
    guard let short = spec.short else { return patterns }
    if spec.shortVerbs == spec.verbs, spec.name != .from { return patterns + ["*:-\(short)"] }
    for verb in Verb.allCases where spec.shortVerbs.contains(verb) {
      patterns.append("\(verb.rawValue):-\(short)")
    }
    return patterns
  }
}

// MARK: - bash

extension Completion {
  private static var bash: String {
    var cases = ""
    for spec in OptionSpec.all where spec.argument != nil && !spec.isHidden {
      let reply: String =
        switch spec.offer {
        case .nothing: "return"
        case .files: "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return"
        case .ports: "offered=$(\(ports))"
        case .sources: "offered=$(\(sources))"
        case .profiles: "offered=$(\(profiles))"
        case .words(let words), .list(let words): "offered='\(words.joined(separator: " "))'"
        }
      cases += "    \(patterns(spec).joined(separator: " | "))) \(reply) ;;\n"
    }
    var options = ""
    for verb in Verb.allCases {
      let words = verb.options.flatMap { spellings($0, verb) }.joined(separator: " ")
      options += "        \(verb.rawValue)) offered='\(words)' ;;\n"
    }
    return mark
      + """
      _midimetro() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} cword=$COMP_CWORD
        local words offered verb=play
        # Addresses have colons, which bash takes for the ends of words.
        if declare -F _get_comp_words_by_ref >/dev/null; then
          _get_comp_words_by_ref -n := cur prev words cword
        fi
        case ${COMP_WORDS[1]} in
          \(verbs.joined(separator: " | "))) verb=${COMP_WORDS[1]} ;;
        esac
        case $verb:$prev in
      \(cases)    *)
            case $verb in
      \(options)      esac
            if [ "$cword" = 1 ] || [ "$verb" = help ]; then
              offered="\(verbs.joined(separator: " ")) $offered"
            fi
            ;;
        esac
        mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$cur")
        if declare -F __ltrim_colon_completions >/dev/null; then
          __ltrim_colon_completions "$cur"
        fi
      }
      complete -F _midimetro midimetro

      """
  }
}

// MARK: - zsh

extension Completion {
  private static var zsh: String {
    var cases = ""
    for verb in Verb.allCases {
      let specs = verb.options.map { "      \(zsh($0, verb)) \\\n" }.joined()
      let operand = verb == .help ? "':command:_midimetro_commands'" : "'*: :'"
      cases +=
        "    \(verb.rawValue))\n      _arguments -s -S \\\n\(specs)      \(operand)\n      ;;\n"
    }
    let commands = Verb.allCases.map {
      "    '\($0.rawValue):\(quoted($0.summary, escaping: ":"))'\n"
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

  private static func zsh(_ spec: OptionSpec, _ verb: Verb) -> String {
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

// MARK: - fish

extension Completion {
  private static var fish: String {
    let seen = "__fish_seen_subcommand_from"
    var text = mark + "complete -c midimetro -f\n"
    for verb in Verb.allCases {
      text +=
        "complete -c midimetro -n '__fish_is_first_arg' -a \(verb.rawValue)"
        + " -d '\(fishQuoted(verb.summary))'\n"
    }
    let topics = verbs.joined(separator: " ")
    text += "complete -c midimetro -n '\(seen) help' -a '\(topics)'\n"
    for spec in OptionSpec.all where !spec.isHidden {
      // A letter that not all commands know is a line of its own.
      let isOne = spec.shortVerbs == spec.verbs
      let letter = spec.short.map { " -s \($0)" } ?? ""
      text += fish(spec, spec.verbs, " -l \(spec.name.rawValue)" + (isOne ? letter : ""))
      if !isOne { text += fish(spec, spec.shortVerbs, letter) }
    }
    return text
  }

  private static func fish(_ spec: OptionSpec, _ verbs: Set<Verb>, _ spelled: String) -> String {
    let seen = "__fish_seen_subcommand_from"
    var text = "complete -c midimetro"
    let others = Verb.allCases.filter { !verbs.contains($0) }.map(\.rawValue)
    if !others.isEmpty {
      // Without a command it is play.
      let own = Verb.allCases.filter { verbs.contains($0) }.map(\.rawValue)
      text +=
        verbs.contains(.play)
        ? " -n 'not \(seen) \(others.joined(separator: " "))'"
        : " -n '\(seen) \(own.joined(separator: " "))'"
    }
    text += spelled
    switch spec.offer {
    case .nothing: text += spec.argument == nil ? "" : " -x"
    case .files: text += " -r -F"
    case .ports: text += " -x -a '(\(fishQuoted(ports)))'"
    case .sources: text += " -x -a '(\(fishQuoted(sources)))'"
    case .profiles: text += " -x -a '(\(fishQuoted(fishProfiles)))'"
    case .words(let words): text += " -x -a '\(words.joined(separator: " "))'"
    case .list(let words):
      text += " -x -a '(__fish_append , \(words.joined(separator: " ")))'"
    }
    text += " -d '\(fishQuoted(spec.help))'\n"
    return text
  }

  /// As `profiles`, in fish's own language.
  private static let fishProfiles =
    "set -q XDG_CONFIG_HOME; and set -l base $XDG_CONFIG_HOME; or set -l base ~/.config;"
    + " test -r $base/midimetro/config;"
    + " and string match -r -g '^\\s*\\[\\s*(.*?)\\s*\\]' < $base/midimetro/config; echo last"

  /// For the inside of fish's single quotes.
  private static func fishQuoted(_ text: String) -> String {
    text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
  }
}
