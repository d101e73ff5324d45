internal import ClickSound
internal import MIDIClock

/// A command from the engine to the audio driver's thread.
enum SoundCommand: Sendable {
  case click(ClickSchedule.Click)
  /// Cancels the clicks to be heard later.
  case cancel(after: HostTime)
}
