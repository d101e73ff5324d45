internal import MIDIClock
internal import MetronomeCore

extension OptionSpec {
  /// Which pads and pedals tap, and what the others do.
  static let taps: [OptionSpec] = [
    OptionSpec(
      .learn, verbs: [.tap], isForConfig: false,
      help: "wait for one hit and print the options that name its pad or pedal",
      .flag { $0.learns = true }),
    OptionSpec(
      .tapFrom, takes: "ADDR", offer: .sources, repeats: true,
      help: "source whose taps set the tempo: a pad, keyboard or pedal; repeat for more",
      .name("source") { $0.tapping.sources.append($1) }),
    OptionSpec(
      "tap-note", takes: "N", verbs: [.play, .tap], repeats: true,
      help:
        "the key that taps, RANGE; repeat for more (default: every key, and the pedals 64, 66 and"
        + " 67)",
      .whole(MIDIMessage.numbers) { $0.tapping.filter.choose(key: UInt8($1)) }),
    OptionSpec(
      "tap-cc", takes: "N", verbs: [.play, .tap], repeats: true,
      help: "the controller that taps, RANGE, when it rises to 64 or above; repeat for more",
      .whole(MIDIMessage.numbers) { $0.tapping.filter.choose(controller: UInt8($1)) }),
    OptionSpec(
      "tap-channel", takes: "N", verbs: [.play, .tap], repeats: true,
      help: "the channel that taps, RANGE; repeat for more (default: every channel)",
      .whole(MIDIMessage.channels) { $0.tapping.filter.choose(channel: UInt8($1 - 1)) }),
    OptionSpec(
      "tap-velocity", takes: "N", verbs: [.play, .tap],
      help: "the softest hit that taps, RANGE (default 1)",
      .whole(MIDIMessage.velocities) { $0.tapping.filter.softest = UInt8($1) }),
    OptionSpec(
      "tap-unit", takes: "NOTE", verbs: [.play, .tap], offer: .words(["1/4", "1/8", "3/8"]),
      help: "the note value that is tapped: 1/4, 1/8, 3/8 (default 1/4)",
      OptionStore { values, option throws(UsageError) in
        guard let unit = NoteValue(text: option.value) else {
          throw UsageError(
            "\(option.place): '\(option.value)' is not a note value, such as 1/4, 1/8 or 3/8")
        }
        values.tapping.steering.unit = unit
      }),
    OptionSpec(
      "tap-round", takes: "BPM", verbs: [.play, .tap],
      help: "round the tempo to a multiple of this: 1, 0.5 (default: not)",
      .decimal(TapSteering.Settings.steps, "quarters per minute") {
        $0.tapping.steering.step = $1
      }),
    OptionSpec(
      "tap-min", takes: "N",
      help: "so many taps before the tempo changes, RANGE (default 4)",
      .whole(TapSteering.Settings.counts) { $0.tapping.steering.least = Int($1) }),
    OptionSpec(
      "tap-phase",
      help: "taps set the beat too: the nearest one is moved onto them",
      .flag { $0.tapping.steering.setsPhase = true }),
    OptionSpec(
      "start-on-tap", takes: "N",
      help: "wait; N taps count in, RANGE, and the song starts on the next beat",
      .whole(TapSteering.Settings.counts) { $0.tapping.steering.startTaps = Int($1) }),
    OptionSpec(
      .control, takes: "PAD=ACTION", repeats: true,
      help: "a pad or pedal that does something else: note:37=toggle, note:37@10=stop (channel 10),"
        + " cc:64=restart; also continue and tap; repeat for more",
      OptionStore { values, option throws(UsageError) in
        guard let binding = PadControls.Binding(text: option.value) else {
          let actions = PadControls.Action.allCases.map(\.rawValue).joined(separator: ", ")
          throw UsageError(
            "\(option.place): '\(option.value)' binds no pad: write note:37=toggle, note:37@10=stop"
              + " (channel 10) or cc:64=restart; the actions are \(actions)")
        }
        values.tapping.controls.bindings.append(binding)
      }),
    OptionSpec(
      .controlFrom, takes: "ADDR", offer: .sources, repeats: true,
      help: "source of --control that does not tap (default: those of --tap-from)",
      .name("source") { $0.tapping.controlSources.append($1) }),
  ]
}
