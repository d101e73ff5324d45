internal import MIDIClock

/// The click sounds of a user's sound font.
enum FontVoices {
  /// Renders the strong, medium and weak click with the font at `path`.
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
