internal import MIDIClock
internal import MetronomeCore

extension ScreenModel {
  /// The result of a key: an action, or a request about a port in the list.
  enum Request: Hashable, Sendable {
    case action(Action)
    /// Tell what ports there are to connect.
    case listPorts
    case connect(ConnectablePort)
    case disconnect(ConnectablePort)
  }
}
