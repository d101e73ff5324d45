extension Completion {
  static var bash: String {
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
    for command in CommandDescriptor.all {
      let verb = command.verb
      let words = command.options.flatMap { spellings($0, verb) }.joined(separator: " ")
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
