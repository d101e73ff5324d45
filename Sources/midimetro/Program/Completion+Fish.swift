extension Completion {
  static var fish: String {
    let seen = "__fish_seen_subcommand_from"
    var text = mark + "complete -c midimetro -f\n"
    for command in CommandDescriptor.all {
      text +=
        "complete -c midimetro -n '__fish_is_first_arg' -a \(command.verb.rawValue)"
        + " -d '\(fishQuoted(command.summary))'\n"
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

  static func fish(_ spec: OptionSpec, _ verbs: Set<Verb>, _ spelled: String) -> String {
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
