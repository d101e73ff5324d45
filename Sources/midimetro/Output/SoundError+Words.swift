internal import MetronomeCore

extension SoundError: CustomStringConvertible {
  /// What is wrong and what to do, on one line.
  var description: String {
    switch self {
    case .library(let reason):
      "FluidSynth cannot be opened (\(reason)); install it: sudo apt install libfluidsynth3"
    case .noFont(let tried):
      "no sound font in \(tried.joined(separator: ", "));"
        + " install one: sudo apt install fluid-soundfont-gm, leave --sound font"
        + " out, or name one with --soundfont"
    case .unusableFont(let path):
      "fluid_synth_sfload: the sound font \(path) cannot be read or is none;"
        + " name another with --soundfont"
    case .noDrums(let path):
      "the sound font \(path) has no preset for the clicks' channel (on channel 10: no drum kit),"
        + " so they would be silent; name another with --soundfont, or another --channel"
    case .silentKey(let path, let key):
      "the sound font \(path) has no sound on key \(key), so clicks would be silent;"
        + " name other keys, such as --notes 76,77,77, or another font with --soundfont"
    case .noDriver(let name?, let said):
      "new_fluid_audio_driver2: the audio driver \(name) does not work here"
        + (said.map { " (\($0))" } ?? "")
        + "; try --audio-driver pipewire, pulseaudio, jack or alsa"
    case .noDriver(nil, let said):
      "new_fluid_audio_driver2: no audio driver works here" + (said.map { " (\($0))" } ?? "")
        + "; is a sound server running?"
    case .unknownDriver("file", _):
      "--audio-driver: midimetro render writes sound files, exactly and at once"
    case .unknownDriver(let name, let built):
      "--audio-driver: FluidSynth here has no driver '\(name)'; it has"
        + " \(built.joined(separator: ", "))"
    case .noAnswer(let name):
      "new_fluid_audio_driver2: \(name ?? "the audio driver") does not answer;"
        + " is the sound server stuck? Another: --audio-driver alsa"
    case .failed(let function): "\(function) failed"
    }
  }
}
