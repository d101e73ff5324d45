/// A change in the state of the sound.
public enum SoundNews: Hashable, Sendable {
  /// The sound is open.
  case ready(SoundOpened)
  /// The sound cannot be opened.
  case failed(SoundError)
  /// The driver has stopped requesting frames; it is retried every two seconds.
  case lost(driver: String)
  /// The stream dropped out; the number of dropouts so far.
  case interrupted(Int)
}
