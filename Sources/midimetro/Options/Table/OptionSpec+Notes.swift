internal import MIDIClock
internal import MetronomeCore

extension OptionSpec {
  /// The notes of the clicks.
  static let notes: [OptionSpec] = [
    OptionSpec(
      "channel", takes: "N", verbs: [.play, .follow, .render],
      help: "MIDI channel, RANGE (default 10)",
      .whole(MIDIMessage.channels) { $0.voice.channel = UInt8($1 - 1) },
      kept: { "\(Int($0.voice.channel) + 1)" }),
    OptionSpec(
      "notes", takes: "S,M,W", verbs: [.play, .follow, .render],
      help: "keys of strong, medium and weak clicks (default 34,33,33)",
      .three(MIDIMessage.numbers, "keys") { values, keys in
        values.voice.strong.key = keys[0]
        values.voice.medium.key = keys[1]
        values.voice.weak.key = keys[2]
      },
      kept: { "\($0.voice.strong.key),\($0.voice.medium.key),\($0.voice.weak.key)" }),
    OptionSpec(
      "velocities", takes: "S,M,W", verbs: [.play, .follow, .render],
      help: "their velocities (default 127,100,80)",
      .three(MIDIMessage.velocities, "velocities") { values, velocities in
        values.voice.strong.velocity = velocities[0]
        values.voice.medium.velocity = velocities[1]
        values.voice.weak.velocity = velocities[2]
      },
      kept: { "\($0.voice.strong.velocity),\($0.voice.medium.velocity),\($0.voice.weak.velocity)" }),
    OptionSpec(
      "gate", takes: "MS", verbs: [.play, .follow, .render],
      help: "how long a click's note lasts, RANGE (default 40); ends before the next of its key",
      .milliseconds(ClickVoice.gates) { $0.voice.gate = $1 },
      kept: { Values.milliseconds($0.voice.gate) }),
  ]
}
