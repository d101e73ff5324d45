internal import MIDIClock

/// An action and when it was requested.
struct TimedAction: Hashable, Sendable {
  let action: Action
  let time: HostTime

  init(_ action: Action, at time: HostTime) {
    self.action = action
    self.time = time
  }
}
