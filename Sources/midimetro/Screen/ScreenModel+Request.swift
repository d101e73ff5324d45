internal import MIDIClock
internal import MetronomeCore

extension ScreenModel {
  /// What a key asks of the outside: an action, or something about the ports that only the list of
  /// them can name.
  enum Request: Hashable, Sendable {
    case action(Action)
    /// Tell what ports there are to connect.
    case listPorts
    case connect(ConnectablePort)
    case disconnect(ConnectablePort)
  }
}
