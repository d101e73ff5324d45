/// Why clicks cannot be played.
public enum SoundError: Error, Hashable, Sendable {
  /// The library cannot be loaded; the loader's reason.
  case library(String)
  /// No sound font was found; the paths tried.
  case noFont(tried: [String])
  /// A font that does not exist or cannot be loaded.
  case unusableFont(String)
  /// A font without a preset on the click channel (on channel 10, a drum kit); the clicks would be
  /// silent.
  case noDrums(String)
  /// A font that is silent on one of the click keys.
  case silentKey(String, key: UInt8)
  /// No audio driver works; the one requested, if any, and the library's message.
  case noDriver(String?, said: String?)
  /// A driver that the library was not built with, and those it was.
  case unknownDriver(String, built: [String])
  /// The audio driver did not start in time.
  case noAnswer(String?)
  /// Another call failed; the name of the C function.
  case failed(String)
}
