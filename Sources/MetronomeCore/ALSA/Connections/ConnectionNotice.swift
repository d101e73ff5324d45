/// A change in the connection to a destination or source while running.
public enum ConnectionNotice: Hashable, Sendable {
  /// It disappeared; the others continue, and it will be reconnected when it returns.
  case lost(name: String)
  /// It returned, under any number, and is connected again.
  case found(name: String, address: PortAddress)
  /// Another program disconnected it; it stays disconnected until someone connects it.
  case released(name: String)
  /// It returned but could not be connected.
  case failed(name: String, ALSAError)
  /// It is the source, and someone connected one of our ports to it: that has been undone.
  case feedbackLoop(name: String)
}
