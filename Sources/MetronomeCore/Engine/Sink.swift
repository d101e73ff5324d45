internal import MIDIClock

/// Where the messages of a route go.
///
/// An address and nothing else, so that it can be copied to the thread that sends; what stands
/// behind it is owned once, by the `RouteSender`.
enum Sink: Hashable, Sendable {
  /// Ports of ours: notes and controllers leave from `click`, all else from `clock`.
  case sequencer(clock: PortNumber, click: PortNumber)
  /// The clicks that sound here.
  case sound
  /// The session's `Recording`.
  case recording
  /// Nowhere.
  case none

  /// Our port that `message` leaves from; `nil` where none is needed.
  func port(for message: MIDIMessage) -> PortNumber? {
    guard case .sequencer(let clock, let click) = self else { return nil }
    return switch message {
    case .noteOn, .noteOff, .control: click
    case .clock, .start, .continue, .stop, .songPosition: clock
    }
  }

  /// Whether the kernel's queue can deliver to it; the engine itself does otherwise, at the time.
  var isQueued: Bool {
    if case .sequencer = self { return true }
    return false
  }
}
