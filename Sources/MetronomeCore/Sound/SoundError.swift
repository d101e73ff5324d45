/// Why clicks cannot be voiced.
public enum SoundError: Error, Hashable, Sendable {
  /// The library cannot be opened; the loader's reason.
  case library(String)
  /// No sound font: the places that were looked at.
  case noFont(tried: [String])
  /// A font that is not there or cannot be loaded.
  case unusableFont(String)
  /// A font without a drum kit, which would be silent.
  case noDrums(String)
  /// No audio driver works; what was asked for, if anything was.
  case noDriver(String?)
  /// The audio driver did not come up in the time given.
  case noAnswer(String?)
  /// Another call that failed, by the name of the C function.
  case failed(String)
}

extension SoundError: CustomStringConvertible {
  /// One line: what, where, what to do.
  public var description: String {
    switch self {
    case .library(let reason):
      "FluidSynth cannot be opened (\(reason)); install it: sudo apt install libfluidsynth3"
    case .noFont(let tried):
      "no sound font in \(tried.joined(separator: ", "));"
        + " install one: sudo apt install fluid-soundfont-gm, or name one with --soundfont"
    case .unusableFont(let path):
      "fluid_synth_sfload: the sound font \(path) cannot be read or is none;"
        + " name another with --soundfont"
    case .noDrums(let path):
      "the sound font \(path) has no drum kit on channel 10, so clicks would be silent;"
        + " name another with --soundfont"
    case .noDriver(let name?):
      "new_fluid_audio_driver: the audio driver \(name) does not work here;"
        + " try --audio-driver pulseaudio, pipewire, jack or alsa"
    case .noDriver(nil):
      "new_fluid_audio_driver: no audio driver works here; is a sound server running?"
    case .noAnswer(let name):
      "new_fluid_audio_driver: \(name ?? "the audio driver") does not answer;"
        + " is the sound server stuck? Another: --audio-driver alsa"
    case .failed(let function): "\(function) failed"
    }
  }
}
