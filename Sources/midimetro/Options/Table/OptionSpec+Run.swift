internal import MIDIClock
internal import MetronomeCore

extension OptionSpec {
  /// When it starts and stops, and how messages are sent.
  static let run: [OptionSpec] = [
    OptionSpec(
      "clock", takes: "WHEN", verbs: [.play, .follow],
      offer: .words(ClockPolicy.allCases.map { "\($0)" }),
      help: "always (pulses while stopped too), rolling, or off (default always)",
      .choice(ClockPolicy.allCases.map { ("\($0)", $0) }) { $0.policy = $1 },
      kept: { "\($0.policy)" }),
    OptionSpec(
      "bars", takes: "N", verbs: [.play, .render],
      help: "stop after N bars, the count-in not counted",
      .whole(PlaySettings.bars) { $0.bars = $1 }),
    OptionSpec(
      "duration", takes: "SECONDS", verbs: [.play, .bench, .follow, .tap, .monitor, .render],
      help: "stop after so many seconds",
      .seconds(PlaySettings.durations) { $0.duration = $1 }),
    OptionSpec(
      "count-in", takes: "BARS", verbs: [.play, .render],
      help: "bars of clicks before Start goes out (default 0)",
      .whole(PlaySettings.countIns) { $0.playing.countInBars = $1 }),
    OptionSpec(
      .startBar, takes: "N", verbs: [.play, .render],
      help: "begin at bar N: Song Position, then Continue (default 1)",
      .whole(PlaySettings.bars) { $0.playing.startBar = $1 }),
    OptionSpec(
      "dispatch", takes: "WAY", verbs: [.play, .bench],
      offer: .words(DispatchMode.allCases.map(\.rawValue)),
      help: "precise (own real-time thread), queued (kernel queue), or auto (default)",
      .choice(DispatchMode.allCases.map { ($0.rawValue, $0) }) { $0.playing.dispatch = $1 }),
  ]
}
