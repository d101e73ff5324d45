/// What happened to a destination while we play.
public enum ConnectionNotice: Hashable, Sendable {
  /// It has gone; the rest play on, and it is connected again when it comes back.
  case lost(name: String)
  /// It is back, under whatever number, and connected again.
  case found(name: String, address: PortAddress)
  /// Another program disconnected it; it stays so until someone connects it again.
  case released(name: String)
  /// It came back but could not be connected.
  case failed(name: String, ALSAError)
  /// It is the source, and somebody connected one of our ports to it: that has been undone.
  case feedbackLoop(name: String)
}
