internal import MIDIClock
internal import MetronomeCore

extension OptionSpec {
  /// Where messages go, and which; each belongs to the destination before it.
  static let destinations: [OptionSpec] = [
    OptionSpec(
      .to, letter: "p", takes: "ADDR", verbs: [.play, .follow], shortVerbs: [.play], offer: .ports,
      help: "destination: 128:0, 128, a client's name, client:port; repeat for more"
        + " (default: $ALSA_OUTPUT_PORTS)",
      OptionStore { values, option throws(UsageError) in
        try values.addDestination(option.value, option.place)
      }),
    OptionSpec(
      "send", takes: "LIST", verbs: [.play, .follow],
      offer: .list(Route.Contents.named.map(\.name)),
      help: "any of clock,transport,position,click, or all (default all)",
      OptionStore { values, option throws(UsageError) in
        var contents: Route.Contents = []
        for word in option.value.split(separator: ",", omittingEmptySubsequences: false) {
          contents.formUnion(try Values.choice(String(word), option.place, contentsByName))
        }
        values.edit { $0.contents = contents }
      },
      kept: { $0.playing.general.contents.spelled }),
    OptionSpec(
      "offset", takes: "MS", verbs: [.play, .follow],
      help: "send earlier (below 0) or later, RANGE milliseconds (default 0)",
      .milliseconds(Route.offsets) { values, offset in values.edit { $0.offset = offset } },
      kept: { Values.milliseconds($0.playing.general.offset) }),
    OptionSpec(
      "divide", takes: "N", verbs: [.play, .follow],
      help: "one clock pulse for every N, RANGE (default 1)",
      .whole(Route.factors) { values, factor in values.edit { $0.divide = factor } },
      kept: { "\($0.playing.general.divide)" }),
    OptionSpec(
      "multiply", takes: "N", verbs: [.play, .follow],
      help: "N clock pulses for every one, RANGE (default 1)",
      .whole(Route.factors) { values, factor in values.edit { $0.multiply = factor } },
      kept: { "\($0.playing.general.multiply)" }),
    OptionSpec(
      "mute", verbs: [.play, .follow],
      help: "leave the clicks out, everything else goes on; on the screen of play u brings them in",
      // For one destination it is taken back for that one, and not for all.
      OptionStore { values, option in values.edit { $0.isMuted = option.value != "no" } },
      kept: { $0.playing.general.isMuted ? "yes" : "no" }),
  ]

  private static let contentsByName = Route.Contents.named.map {
    (name: $0.name, value: $0.contents)
  }
}
