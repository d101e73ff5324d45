internal import ClickSound
internal import MIDIClock

/// What the engine hands to the audio driver's thread.
enum SoundCommand: Sendable {
  case click(ClickSchedule.Click)
  /// Takes back what is to be heard later.
  case cancel(after: HostTime)
}
