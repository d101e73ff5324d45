# Made by midimetro help --completion; do not edit.
_midimetro() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} cword=$COMP_CWORD
  local words offered verb=play
  # Addresses have colons, which bash takes for the ends of words.
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n := cur prev words cword
  fi
  case ${COMP_WORDS[1]} in
    play | follow | tap | monitor | render | check | ports | doctor | bench | help) verb=${COMP_WORDS[1]} ;;
  esac
  case $verb:$prev in
    *:--from | follow:-p | tap:-p | monitor:-p) offered=$(midimetro ports 2>/dev/null | awk 'NR > 1 && $NF == "from" {print $1}') ;;
    *:--lost-after) return ;;
    *:--source-ppqn) offered='24 48 72 96 192' ;;
    *:--replay) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    *:--log) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    *:--bpm | *:-b) return ;;
    *:--meter | *:-m) return ;;
    *:--accents | *:-a) return ;;
    *:--subdivide) return ;;
    *:--swing) return ;;
    *:--score) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    *:--tap-from) offered=$(midimetro ports 2>/dev/null | awk 'NR > 1 && $NF == "from" {print $1}') ;;
    *:--tap-note) return ;;
    *:--tap-cc) return ;;
    *:--tap-channel) return ;;
    *:--tap-velocity) return ;;
    *:--tap-unit) offered='1/4 1/8 3/8' ;;
    *:--tap-round) return ;;
    *:--tap-min) return ;;
    *:--start-on-tap) return ;;
    *:--control) return ;;
    *:--control-from) offered=$(midimetro ports 2>/dev/null | awk 'NR > 1 && $NF == "from" {print $1}') ;;
    *:--to | play:-p) offered=$(midimetro ports 2>/dev/null | awk 'NR > 1 && ($NF == "to" || $(NF - 1) == "to,") {print $1}') ;;
    *:--send) offered='clock transport position click all' ;;
    *:--offset) return ;;
    *:--divide) return ;;
    *:--multiply) return ;;
    *:--channel) return ;;
    *:--notes) return ;;
    *:--velocities) return ;;
    *:--gate) return ;;
    *:--clock) offered='always rolling off' ;;
    *:--bars) return ;;
    *:--duration) return ;;
    *:--count-in) return ;;
    *:--start-bar) return ;;
    *:--dispatch) offered='auto precise queued' ;;
    *:--sound) offered='auto off wood beep rim font' ;;
    *:--soundfont) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    *:--audio-driver) offered='pipewire pulseaudio jack alsa' ;;
    *:--audio-period) return ;;
    *:--audio-offset) return ;;
    *:--volume) return ;;
    *:--output | *:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    *:--sample-rate) return ;;
    *:--profile) offered=$(sed -n 's/^[[:blank:]]*\[[[:blank:]]*\(.*[^[:blank:]]\)[[:blank:]]*\].*/\1/p' "${XDG_CONFIG_HOME:-$HOME/.config}/midimetro/config" "${XDG_STATE_HOME:-$HOME/.local/state}/midimetro/last" 2>/dev/null) ;;
    *)
      case $verb in
        play) offered='--bpm -b --meter -m --accents -a --subdivide --swing --score --tap-from --tap-note --tap-cc --tap-channel --tap-velocity --tap-unit --tap-round --tap-min --tap-phase --start-on-tap --control --control-from --to -p --send --offset --divide --multiply --mute --channel --notes --velocities --gate --clock --bars --duration --count-in --start-bar --dispatch --sound --soundfont --audio-driver --audio-period --audio-offset --volume --json --plain --quiet -q --no-ui --dry-run --profile --list -l --help -h --version -V' ;;
        follow) offered='--from -p --lost-after --source-ppqn --repair --replay --meter -m --accents -a --subdivide --swing --score --to --send --offset --divide --multiply --mute --channel --notes --velocities --gate --clock --duration --sound --soundfont --audio-driver --audio-period --audio-offset --volume --json --plain --quiet -q --no-ui --profile --help -h --version -V' ;;
        tap) offered='--from -p --replay --log --learn --tap-note --tap-cc --tap-channel --tap-velocity --tap-unit --tap-round --duration --sound --soundfont --audio-driver --audio-period --audio-offset --volume --json --plain --quiet -q --no-ui --profile --help -h --version -V' ;;
        monitor) offered='--from -p --replay --log --duration --json --plain --quiet -q --no-ui --profile --help -h --version -V' ;;
        render) offered='--bpm -b --meter -m --accents -a --subdivide --swing --score --channel --notes --velocities --gate --bars --duration --count-in --start-bar --sound --soundfont --volume --output -o --force -f --sample-rate --quiet -q --profile --help -h --version -V' ;;
        check) offered='--help -h --version -V' ;;
        ports) offered='--json --help -h --version -V' ;;
        doctor) offered='--soundfont --json --help -h --version -V' ;;
        bench) offered='--bpm -b --duration --dispatch --json --help -h --version -V' ;;
        help) offered='--help -h --version -V' ;;
      esac
      if [ "$cword" = 1 ] || [ "$verb" = help ]; then
        offered="play follow tap monitor render check ports doctor bench help $offered"
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$cur")
  if declare -F __ltrim_colon_completions >/dev/null; then
    __ltrim_colon_completions "$cur"
  fi
}
complete -F _midimetro midimetro
