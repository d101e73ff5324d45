internal import MetronomeCore

extension AddressError: CustomStringConvertible {
  /// One line: what is wrong, what there is, what to do.
  var description: String {
    switch self {
    case .empty:
      return "an empty port address; give a number or a name from midimetro ports"
    case .notFound(let text, let use, let near, let available):
      let hint =
        near.isEmpty
        ? "" : " (did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?)"
      let rest =
        available.isEmpty
        ? "there is none at all, so connect or start the \(noun(use))"
        : "choose from \(list(available))"
      return "no \(noun(use)) \(quoted(text))\(hint); \(rest)"
    case .noSuchPort(let text, let use, let available):
      return "no \(noun(use)) \(quoted(text)): the client has \(list(available)); give one of these"
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

  private func noun(_ use: PortUse) -> String { use == .destination ? "destination" : "source" }

  private func quoted(_ text: String) -> String { "\"\(SequencerName(text).text)\"" }

  private func list(_ ports: [PortInfo]) -> String {
    ports.isEmpty ? "no ports" : ports.map(\.description).joined(separator: ", ")
  }

  /// `#2` helps only among several clients of one name.
  private func ordinalHint(_ candidates: [PortInfo]) -> String {
    guard let name = candidates.first?.clientName,
      candidates.allSatisfy({ $0.clientName.trimmed == name.trimmed }),
      Set(candidates.map(\.address.client)).count == candidates.count
    else { return "" }
    return ", or \"\(name.text)#2\" for the second"
  }
}
