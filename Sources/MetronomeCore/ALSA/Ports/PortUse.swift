/// Which way MIDI flows, seen from us.
public enum PortUse: Hashable, Sendable {
  /// We send to it.
  case destination
  /// We receive from it.
  case source
}
