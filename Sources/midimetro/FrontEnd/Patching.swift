internal import MIDIClock
internal import MetronomeCore

/// What can be connected and disconnected while it runs.
protocol Patching: ~Copyable {
  mutating func takePatchChange() -> Bool
  func listeners() throws(ALSAError) -> [Outlet]
  func outlets() throws(ALSAError) -> [Outlet]
  mutating func connect(_ outlet: Outlet) throws(ALSAError)
  mutating func disconnect(_ outlet: Outlet, isRolling: Bool) throws(ALSAError)
}

extension Leader: Patching {}

extension Reader: Patching {}
