/// Completion for shells, made from the same table as help.
enum Completion {
  static func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  static let mark = "# Made by midimetro help --completion; do not edit.\n"
  static let verbs = Verb.allCases.map(\.rawValue)
  /// Shell code for the addresses of all ports that can be sent to.
  static let ports =
    "midimetro ports 2>/dev/null | awk 'NR > 1 && ($NF == \"to\" || $(NF - 1) == \"to,\") {print $1}'"
  /// Shell code for the addresses of all ports that can be listened to.
  static let sources =
    "midimetro ports 2>/dev/null | awk 'NR > 1 && $NF == \"from\" {print $1}'"
  /// Shell code for the profiles of the config file.
  static let profiles =
    "sed -n 's/^[[:blank:]]*\\[[[:blank:]]*\\(.*[^[:blank:]]\\)[[:blank:]]*\\].*/\\1/p'"
    + " \"${XDG_CONFIG_HOME:-$HOME/.config}/midimetro/config\""
    + " \"${XDG_STATE_HOME:-$HOME/.local/state}/midimetro/last\" 2>/dev/null"

  /// As the option is typed after `verb`: `--to`, `-p`.
  static func spellings(_ spec: OptionSpec, _ verb: Verb) -> [String] {
    [spec.spelled] + (spec.short(for: verb).map { ["-\($0)"] } ?? [])
  }

  /// Patterns for a command, a colon and the option as it is typed: `*:--to`, `play:-p`.
  static func patterns(_ spec: OptionSpec) -> [String] {
    var patterns = ["*:\(spec.spelled)"]
    guard let short = spec.short else { return patterns }
    if spec.shortVerbs == spec.verbs, spec.name != .from { return patterns + ["*:-\(short)"] }
    for verb in Verb.allCases where spec.shortVerbs.contains(verb) {
      patterns.append("\(verb.rawValue):-\(short)")
    }
    return patterns
  }
}
