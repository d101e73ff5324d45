internal import MIDIClock

/// The output that a route goes to.
///
/// A plain value, so that it can be copied to the sending thread; the output itself is owned once,
/// by the `RouteSender`.
enum Sink: Hashable, Sendable {
  /// Our ports: notes and controllers are sent from `click`, everything else from `clock`.
  case sequencer(clock: PortNumber, click: PortNumber)
  /// Our own click sound.
  case sound
  /// The session's `Recording`.
  case recording
  /// Nowhere.
  case none

  /// Our port for `message`; `nil` if it needs none.
  func port(for message: MIDIMessage) -> PortNumber? {
    guard case .sequencer(let clock, let click) = self else { return nil }
    return switch message {
    case .noteOn, .noteOff, .control: click
    case .clock, .start, .continue, .stop, .songPosition: clock
    }
  }

  /// Whether the kernel's queue can deliver to it; otherwise the engine does so when it is due.
  var isQueued: Bool {
    if case .sequencer = self { return true }
    return false
  }
}
