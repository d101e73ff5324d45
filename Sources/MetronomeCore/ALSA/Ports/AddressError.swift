/// Why a text does not identify a port.
///
/// Each description is one line that ends in what to do.
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

extension AddressError: CustomStringConvertible {
  /// One line: what is wrong, what there is, what to do.
  public var description: String {
    switch self {
    case .empty:
      return "an empty port address; give a number or a name from midimetro ports"
    case .notFound(let text, let use, let near, let available):
      let hint =
        near.isEmpty
        ? "" : " (did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?)"
      let rest =
        available.isEmpty
        ? "there is none at all, so connect or start the \(use.noun)"
        : "choose from \(list(available))"
      return "no \(use.noun) \(quoted(text))\(hint); \(rest)"
    case .noSuchPort(let text, let use, let available):
      return "no \(use.noun) \(quoted(text)): the client has \(list(available)); give one of these"
    case .ambiguous(let text, let candidates):
      let number = candidates.first.map { ", such as \($0.address)" } ?? ""
      return
        "\(quoted(text)) is ambiguous: \(list(candidates)); "
        + "give the number\(number)\(ordinalHint(candidates))"
    case .noSuchOrdinal(let text, let candidates):
      return "\(quoted(text)) asks for more than there are: \(list(candidates)); give one of these"
    case .unsuitable(let text, let use, let candidates):
      let verb = use == .destination ? "sent to" : "listened to"
      return
        "\(quoted(text)) cannot be \(verb): \(list(candidates)); "
        + "choose another from midimetro ports"
    case .ourselves(let text):
      return "\(quoted(text)) is midimetro itself; choose another from midimetro ports"
    case .repeated(let text, let first, let port):
      let both =
        text == first
        ? "\(quoted(text)) is given twice"
        : "\(quoted(first)) and"
          + " \(quoted(text)) are both \(port)"
      return "\(both) and would get everything twice; give it once, or say with --send what each"
        + " address is for"
    }
  }

  private func quoted(_ text: String) -> String { "\"\(SequencerName(text).text)\"" }

  private func list(_ ports: [PortInfo]) -> String {
    ports.isEmpty ? "no ports" : ports.map(\.description).joined(separator: ", ")
  }

  /// `#2` helps only among several clients of the same name.
  private func ordinalHint(_ candidates: [PortInfo]) -> String {
    guard let name = candidates.first?.clientName,
      candidates.allSatisfy({ $0.clientName.trimmed == name.trimmed }),
      Set(candidates.map(\.address.client)).count == candidates.count
    else { return "" }
    return ", or \"\(name.text)#2\" for the second"
  }
}
