/// The direction of MIDI, from our point of view.
public enum PortUse: Hashable, Sendable {
  /// We send to it.
  case destination
  /// We receive from it.
  case source
}
