/// Which way MIDI flows, seen from us.
public enum PortUse: Hashable, Sendable {
  /// We send to it.
  case destination
  /// We receive from it.
  case source

  /// The word for such a port.
  public var noun: String { self == .destination ? "destination" : "source" }
}
