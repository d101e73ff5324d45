/// Why a text names no port.
public enum AddressError: Error, Hashable, Sendable {
  /// The text is empty, or blank.
  case empty
  /// Nothing has that number or name; `near` are names like it, `available` what there is.
  case notFound(text: String, use: PortUse, near: [String], available: [PortInfo])
  /// There is such a client, but it has no such port; `available` are its ports.
  case noSuchPort(text: String, use: PortUse, available: [PortInfo])
  /// More than one port goes by that name.
  case ambiguous(text: String, candidates: [PortInfo])
  /// `#` asks for one more than there are; `candidates` are all of that name.
  case noSuchOrdinal(text: String, candidates: [PortInfo])
  /// The ports are there, but none takes a connection for `use`.
  case unsuitable(text: String, use: PortUse, candidates: [PortInfo])
  /// It is our own client.
  case ourselves(text: String)
  /// It is the port of an earlier address too, and would get the same from both.
  case repeated(text: String, first: String, port: PortInfo)
}
