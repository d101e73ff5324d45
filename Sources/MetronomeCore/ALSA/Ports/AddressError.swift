/// Why a text names no port.
public enum AddressError: Error, Hashable, Sendable {
  /// The text is empty or blank.
  case empty
  /// No client or port has that number or name; `near` are similar names, `available` the existing
  /// ports.
  case notFound(text: String, use: PortUse, near: [String], available: [PortInfo])
  /// The client exists, but not this port; `available` are its ports.
  case noSuchPort(text: String, use: PortUse, available: [PortInfo])
  /// Several ports have that name.
  case ambiguous(text: String, candidates: [PortInfo])
  /// The number after `#` is too high; `candidates` are all ports of that name.
  case noSuchOrdinal(text: String, candidates: [PortInfo])
  /// The ports exist, but none accepts a connection for `use`.
  case unsuitable(text: String, use: PortUse, candidates: [PortInfo])
  /// The port belongs to our own client.
  case ourselves(text: String)
  /// An earlier address refers to the same port, which would get everything twice.
  case repeated(text: String, first: String, port: PortInfo)
}
