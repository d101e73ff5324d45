internal import MIDIClock

/// A user's font's sounds for the clicks.
enum FontVoices {
  /// Strong, medium and weak as the font at `path` has them.
  static func render(
    _ library: FluidSynth, path: String, notes: ClickVoice, rate: Int
  ) throws(SoundError) -> [StereoFrames] {
    let synth = try Synth.open(library, font: path, rate: rate)
    var sounds: [StereoFrames] = []
    for note in [notes.strong, notes.medium, notes.weak] {
      sounds.append(try synth.render(note, channel: notes.channel, gate: notes.gate))
    }
    return sounds
  }
}
