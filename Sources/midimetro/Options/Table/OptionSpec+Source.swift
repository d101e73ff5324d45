internal import MIDIClock
internal import MetronomeCore

extension OptionSpec {
  /// Where a clock or taps come from.
  static let source: [OptionSpec] = [
    OptionSpec(
      .from, letter: "p", takes: "ADDR", verbs: [.follow, .tap, .monitor], offer: .sources,
      help:
        "source, named as for --to (default: follow and tap take the first port that clocks or taps,"
        + " monitor measures all; tap and monitor take several); in a log the name after @",
      .name("source") { $0.sources.append($1) }),
    OptionSpec(
      "lost-after", takes: "SECONDS", verbs: [.follow],
      help: "the silence after which the clock is lost (default: 4 pulses, at least 0.5)",
      .seconds(FollowSettings.silences) { $0.following.lostAfter = $1 }),
    OptionSpec(
      "source-ppqn", takes: "N", verbs: [.follow], offer: .words(["24", "48", "72", "96", "192"]),
      help:
        "pulses of the source per quarter note (default: 24); other boxes send 48, 72, 96 or 192",
      .choice([24, 48, 72, 96, 192].map { ("\($0)", $0) }) { $0.following.sourceResolution = $1 }),
    OptionSpec(
      "repair", verbs: [.follow],
      help: "correct the count where pulses were lost or doubled on the way",
      .flag { $0.following.repairs = true }),
    OptionSpec(
      .replay, takes: "FILE", verbs: [.follow, .tap, .monitor], offer: .files, isForConfig: false,
      help: "read a log instead of the sequencer, as fast as it reads; - is the standard input",
      .name("file") { $0.replay = $1 }),
    OptionSpec(
      .log, takes: "FILE", verbs: [.tap, .monitor], offer: .files, isForConfig: false,
      help: "write what comes in to FILE, as a log that --replay reads",
      .name("file") { $0.log = $1 }),
  ]
}
