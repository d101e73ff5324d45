/// Why clicks cannot be voiced.
public enum SoundError: Error, Hashable, Sendable {
  /// The library cannot be opened; the loader's reason.
  case library(String)
  /// No sound font: the places that were looked at.
  case noFont(tried: [String])
  /// A font that is not there or cannot be loaded.
  case unusableFont(String)
  /// A font without a preset on the clicks' channel (without a drum kit, on channel 10), which
  /// would be silent.
  case noDrums(String)
  /// A font that is silent on one of the clicks' keys.
  case silentKey(String, key: UInt8)
  /// No audio driver works: what was asked for, if anything was, and what the library said.
  case noDriver(String?, said: String?)
  /// A driver that the library was not built with, and those that it was.
  case unknownDriver(String, built: [String])
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
