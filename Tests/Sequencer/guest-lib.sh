# shellcheck shell=bash
# guest-lib.sh: helpers for the cases of Tests/Sequencer/cases, sourced before each of them by guest-cases, in the
# guest. A case is a bash file; comment lines in it may say
#   # needs: PACKAGE...        Debian packages it uses
#   # limit: SECONDS           its time limit in guest time, default 120; 'LIMIT BENCH' when it is longer with --bench
#   # takes: SECONDS           of one processor of the machine it was measured on, to share cases out among guests
#   # guest: smp|no-sequencer  the kind of guest, default the one in virtual time (see Scripts/vm/run)
# It finds set:
#   MIDIMETRO   the program under test (may be unset)
#   CASE        the case's name
#   RESULTS     the folder for what is worth keeping; WORK a folder in memory, the current one, gone with the case
# Both are in the guest's memory, as everything is; what a case leaves in RESULTS reaches the host at the case's end.
#
#   receiver_start [--as NAME] [RECEIVER OPTION...]   sets RECEIVER (client number); see receiver.c for the options
#   receiver_signal SIGNAL NAME                       to end it while others go on
#   receiver_stop [NAME]                              ends it, sets LOG (default name: receiver)
#   play [ARGUMENT...]                                the program with --json, to its end: sets SAID (the file with its
#                                                     lines), STATUS, ORIGIN (ns of pulse 0) and COMMAND
#   play_start, play_end SIGNAL                       the same in the background: sets PLAYER (process), then the rest;
#                                                     play_end '' waits for it to end by itself
#   command_was TEXT                                  sets COMMAND, for what was not started by play
#   figure WHAT TEXT                                  a row of the table of figures, with COMMAND
#   measured WHAT ARGUMENT...                         check WHAT analyse ARGUMENT..., and its figures into the table
#   bench                                             succeeds when long measurements are wanted (run-cases --bench)
#   now                                               prints seconds of CLOCK_MONOTONIC, cut to hundredths
#   ticks_start, ticks_stop                           the kernel's own ticks meanwhile (see tick.c): sets TICKS, a file
#                                                     for analyse grid --ticks
#   sender ARGUMENT...                                see sender.c
#   analyse ARGUMENT...                               see analyse.py
#   hogs_on, hogs_off                                 three busy loops at normal priority
#   without_rights COMMAND...                         as a user without real-time priority or locked memory
#   wait_for SECONDS COMMAND...                       until COMMAND succeeds, at most so long
#   client_of NAME                                    prints the number of the sequencer client of that name (a pattern)
#   check WHAT COMMAND...                             one test: passes if COMMAND does; prints ok or not ok. The host
#                                                     runs analyse when the guest has ended; check.output is not its
#   check_fails WHAT STATUS COMMAND...                passes if COMMAND exits with STATUS
# exit: (of a case) whatever; what counts is its checks and that it comes to its end

COMMAND=''
command_was() { COMMAND=$*; }
bench() { [ -n "${MIDIMETRO_BENCH:-}" ]; }
now() { cut -d ' ' -f 1 /proc/uptime; }

# The row is COMMAND, so that a reader can do it again.
figure() { printf '%s\t%s\t%s\t%s\n' "$CASE" "$1" "$2" "$COMMAND" >>"$RESULTS/$CASE.figures"; }

measured() {
  judge_later "$1" 0 measured "${@:2}"
}

# judge_later WHAT STATUS check|measured ARGUMENT...: keeps what analyse.py needs; the host runs it when the guest has
# ended, for there it takes a tenth of the time. The files among the arguments must have all they will have.
judge_later() {
  local what=$1 wanted=$2 kind=$3 argument kept arguments
  arguments=("$4") # analyse.py's own command, which a file may be named like
  shift 4
  for argument in "$@"; do
    if [ -e "$argument" ] && [ ! -d "$argument" ] && [ "${argument#"$RESULTS"/}" = "$argument" ]; then
      kept=$RESULTS/$CASE.input.$((judged_inputs += 1)).log
      cat "$argument" >"$kept"
      argument=$kept
    fi
    arguments+=("$argument")
  done
  printf '%q ' "$CASE" "$what" "$wanted" "$kind" "$COMMAND" "${arguments[@]}" >>"$RESULTS/$CASE.judge"
  echo >>"$RESULTS/$CASE.judge"
  echo later >>"$TALLY"
}
judged_inputs=0

play() {
  play_start "$@"
  play_end ''
}

play_start() {
  SAID=$WORK/said
  COMMAND="midimetro $*"
  : >"$SAID"
  "$MIDIMETRO" --json "$@" >"$SAID" 2>"$WORK/said.err" &
  PLAYER=$!
}

play_end() {
  [ -z "$1" ] || kill "-$1" "$PLAYER"
  wait "$PLAYER"
  STATUS=$?
  ORIGIN=$(sed -n 's/.*"origin_ns":\([0-9]*\).*/\1/p' "$SAID")
  { echo "--- $COMMAND (exit $STATUS)" && cat "$SAID" "$WORK/said.err"; } >>"$RESULTS/$CASE.log"
  if [ "$STATUS" != 0 ]; then report not_ok "$COMMAND" "exit $STATUS: $(tail -n 2 "$WORK/said.err" | paste -sd ' ')"; fi
  # A run that could not start has no grid to be held against.
  ORIGIN=${ORIGIN:-0}
}

# report ok|not_ok WHAT [REASON]: one line for people and one mark for the count
report() {
  if [ "$1" = ok ]; then
    echo "ok $CASE: $2"
  else
    echo "not ok $CASE: $2: ${3:-failed}"
  fi
  echo "$1" >>"$TALLY"
}

check() {
  check_fails "$1" 0 "${@:2}"
}

check_fails() {
  local what=$1 wanted=$2 status=0 output=$WORK/check.output
  shift 2
  if [ "$1" = analyse ]; then
    judge_later "$what" "$wanted" check "${@:2}"
    return
  fi
  "$@" >"$output" 2>&1 || status=$?
  { echo "--- $what (exit $status): $*" && cat "$output"; } >>"$RESULTS/$CASE.log"
  if [ "$status" = "$wanted" ]; then
    report ok "$what"
  elif [ "$wanted" = 0 ]; then
    report not_ok "$what" "exit $status: $(tail -n 3 "$output" | paste -sd ' ')"
  else
    report not_ok "$what" "exit $status, asked $wanted: $(tail -n 3 "$output" | paste -sd ' ')"
  fi
}

wait_for() {
  local tries=$(($1 * 20))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$((tries -= 1))" -gt 0 ] || return 1
    sleep 0.05
  done
}

declare -A receiver_pids=()

receiver_start() {
  local as=receiver
  if [ "${1:-}" = --as ]; then
    as=$2
    shift 2
  fi
  : >"$WORK/$as.err" # what an earlier one said is not this one's
  "$BIN/receiver" --name "$as" "$@" >"$WORK/$as.log" 2>"$WORK/$as.err" &
  receiver_pids[$as]=$!
  if ! wait_for 20 grep -q '^ready ' "$WORK/$as.err"; then
    report not_ok "the receiver $as starts" "$(paste -sd ' ' "$WORK/$as.err")"
    return 1
  fi
  # shellcheck disable=SC2034 # for the cases
  RECEIVER=$(sed -n 's/^ready //p' "$WORK/$as.err")
}

receiver_signal() { kill "-$1" "${receiver_pids[$2]}"; }

receiver_stop() {
  local as=${1:-receiver}
  LOG=$WORK/$as.log
  kill -TERM "${receiver_pids[$as]}" 2>/dev/null # it may have ended by --seconds
  wait "${receiver_pids[$as]}"
  # A case may use one receiver several times: keep every log.
  local kept=$RESULTS/$CASE.$as.log number=1
  while [ -e "$kept" ]; do kept=$RESULTS/$CASE.$as.$((number += 1)).log; done
  cp "$LOG" "$kept"
  LOG=$kept
}

sender() { "$BIN/sender" "$@"; }

ticks_start() {
  TICKS=$WORK/ticks
  : >"$WORK/ticks.err"
  "$BIN/tick" >"$TICKS" 2>"$WORK/ticks.err" &
  TICKER=$!
  wait_for 20 grep -q '^ready' "$WORK/ticks.err" || report not_ok "the ticks are found" "$(paste -sd ' ' "$WORK/ticks.err")"
}

ticks_stop() {
  kill -TERM "$TICKER"
  wait "$TICKER"
  local kept=$RESULTS/$CASE.ticks number=1
  while [ -e "$kept.log" ]; do kept=$RESULTS/$CASE.ticks.$((number += 1)); done
  cp "$TICKS" "$kept.log"
  TICKS=$kept.log
}

analyse() { python3 -I -S "$TESTS/analyse.py" "$@"; }

hogs=()
hogs_on() {
  local i
  for i in 1 2 3; do
    bash -c 'while :; do :; done' &
    hogs[i]=$!
  done
}
hogs_off() {
  kill "${hogs[@]}" 2>/dev/null
  wait "${hogs[@]}" 2>/dev/null
  hogs=()
}

without_rights() {
  prlimit --rtprio=0:0 --memlock=65536:65536 -- \
    setpriv --reuid=65534 --regid=65534 --groups="$(getent group audio | cut -d: -f3)" --bounding-set=-all --inh-caps=-all -- \
    env HOME=/dev/null "$@"
}

client_of() {
  local number
  number=$(sed -nE "s/^Client +([0-9]+) : \"${1//\//\\/}\".*/\1/p" /proc/asound/seq/clients | head -n 1)
  [ -n "$number" ] && echo "$number"
}
