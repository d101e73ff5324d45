internal import MIDIClock
internal import MetronomeCore

extension OptionSpec {
  /// What is heard, and how.
  static let sound: [OptionSpec] = [
    OptionSpec(
      .sound, takes: "WHICH", verbs: [.tap, .play, .follow, .render],
      offer: .words(SoundOptions.choices.map(\.name)),
      help: "auto (when there is no --to), off, a built-in set (wood, beep, rim), or font (default"
        + " auto, which is wood)",
      .choice(SoundOptions.choices) { $0.sound.choose($1) }),
    OptionSpec(
      .soundfont, takes: "FILE", verbs: [.tap, .play, .follow, .render, .doctor], offer: .files,
      help: "a sound font for the clicks instead of a built-in set",
      .name("file") { $0.sound.choose(font: $1) }),
    OptionSpec(
      .audioDriver, takes: "NAME", verbs: [.tap, .play, .follow], offer: .words(AudioDriver.order),
      help:
        "FluidSynth's driver, with its device if wanted: pipewire, pulseaudio, jack, alsa, alsa:hw:1"
        + " (default: the first that works)",
      .name("driver") { $0.sound.settings.driver = AudioDriver(text: $1) }),
    OptionSpec(
      "audio-period", takes: "FRAMES", verbs: [.tap, .play, .follow],
      help:
        "frames that the driver takes at once, RANGE (default 256); clicks are as even with any",
      .whole(AudioPlan.periods) { $0.sound.settings.plan = AudioPlan(period: Int($1)) }),
    OptionSpec(
      "audio-offset", takes: "MS", verbs: [.tap, .play, .follow],
      help: "clicks are heard earlier (below 0) or later, RANGE milliseconds (default 0)",
      .milliseconds(Route.offsets) { $0.sound.settings.offset = $1 }),
    OptionSpec(
      "volume", takes: "PERCENT", verbs: [.tap, .play, .follow, .render],
      help: "RANGE (default 100)",
      .whole(SoundSettings.volumes) { $0.sound.settings.volume = $1 }),
  ]
}
