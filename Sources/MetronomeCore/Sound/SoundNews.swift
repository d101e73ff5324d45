/// What the sound has to say.
public enum SoundNews: Hashable, Sendable {
  /// It can be heard.
  case ready(SoundOpened)
  /// It cannot.
  case failed(SoundError)
  /// The driver has stopped asking for frames; it is tried again every two seconds.
  case lost(driver: String)
  /// The stream was interrupted; how often by now.
  case interrupted(Int)
}
