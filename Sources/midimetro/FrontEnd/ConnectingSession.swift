internal import MIDIClock
internal import MetronomeCore

/// What can be connected and disconnected while it runs.
protocol ConnectingSession: ~Copyable {
  mutating func takePatchChange() -> Bool
  func listeners() throws(ALSAError) -> [ConnectablePort]
  func connectablePorts() throws(ALSAError) -> [ConnectablePort]
  mutating func connect(_ outlet: ConnectablePort) throws(ALSAError)
  mutating func disconnect(_ outlet: ConnectablePort, isRolling: Bool) throws(ALSAError)
}

extension PlaySession: ConnectingSession {}

extension FollowSession: ConnectingSession {}
