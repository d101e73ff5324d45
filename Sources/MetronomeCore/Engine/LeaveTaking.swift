internal import MIDIClock

/// The messages for a device that has just been disconnected, so that it neither sounds nor runs
/// on.
///
/// They are sent to its address alone: the other devices play on.
struct LeaveTaking: Hashable, Sendable {
  /// The route that the device received.
  let route: Route
  /// Our port that was connected to it.
  let port: PortNumber
  /// The device's address.
  let address: PortAddress
  /// Whether it was started and not stopped since.
  let isRolling: Bool

  /// Message number `step`, from 0; `nil` after the last.
  func message(_ step: Int) -> MIDIMessage? {
    var step = step
    if route.contents.contains(.click) {
      switch step {
      case 0: return noteOff(route.voice.strong)
      case 1: return noteOff(route.voice.medium)
      case 2: return noteOff(route.voice.weak)
      default: step -= 3
      }
    }
    return step == 0 && isRolling && route.contents.contains(.transport) ? .stop : nil
  }

  private func noteOff(_ note: ClickVoice.Note) -> MIDIMessage {
    .noteOff(channel: route.voice.channel, key: note.key, velocity: 0)
  }
}
