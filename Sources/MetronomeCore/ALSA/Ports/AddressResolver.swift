/// Finds the port that a user's text refers to.
///
/// It never guesses. The first of these rules that finds anything decides:
///
/// 1. If everything before the first colon, or the whole text, is digits, these are numbers:
///    `128:0`, `128` (the client's first suitable port), `128:name`. A client whose *name* consists
///    of digits can therefore only be addressed by number. `12Step:0` is a name.
/// 2. Exactly equal names: the text as a client's name (its first suitable port), or split at any
///    colon into a client's name and a port's number or name; failing these, as a port's name.
/// 3. The same with names that begin with the text, if exactly one does.
/// 4. The same as 2, then 3, ignoring case.
///
/// A port name within a client is looked up in the same order. `name#2` is the second of several
/// clients (or ports) with exactly that name, by number, unless a name really ends that way. Names
/// are compared byte by byte; trailing blanks are ignored in the text and in the names.
public struct AddressResolver: Sendable {
  private let ports: [PortInfo]
  private let use: PortUse
  private let ownClient: UInt8?

  /// Resolves to ports that suit `use`, among `ports` other than those of `ownClient`.
  public init(among ports: [PortInfo], wanting use: PortUse, excluding ownClient: UInt8?) {
    self.ports = ports.sorted { $0.address < $1.address }
    self.use = use
    self.ownClient = ownClient
  }

  /// The port that `text` refers to.
  public func resolve(_ text: String) throws(AddressError) -> PortInfo {
    try resolve(bytes: Array(text.utf8))
  }

  /// The port that `bytes` refer to, which need not be UTF-8.
  public func resolve(bytes: [UInt8]) throws(AddressError) -> PortInfo {
    let trimmed = SequencerName.trimmingTrailingBlanks(bytes)
    let text = String(decoding: trimmed, as: UTF8.self)
    guard trimmed.contains(where: { $0 != UInt8(ascii: " ") }) else { throw .empty }

    let colon = trimmed.firstIndex(of: UInt8(ascii: ":"))
    if PortAddress.isDigits(trimmed[..<(colon ?? trimmed.endIndex)]) {
      return try numeric(trimmed, colon: colon, text: text)
    }

    var failure: AddressError?
    for ordinals in [false, true] {
      for match in Match.allCases where !ordinals || match.isWhole {
        let found = candidates(trimmed, match, ordinals: ordinals)
        if let choice = try choose(found, text: text) { return choice }
        // The client exists under its full name, so one with a longer name is not meant.
        if match.isWhole, let reason = found.failure { throw reason }
        failure = failure ?? found.failure
      }
    }
    throw failure ?? notFound(text)
  }
}

// MARK: - Numbers

extension AddressResolver {
  private func numeric(
    _ bytes: [UInt8], colon: Int?, text: String
  ) throws(AddressError) -> PortInfo {
    guard let client = PortAddress.number(bytes[..<(colon ?? bytes.endIndex)]) else {
      throw notFound(text)
    }
    if client == ownClient { throw .ourselves(text: text) }
    let members = ports.filter { $0.address.client == client }
    if members.isEmpty { throw notFound(text) }
    guard let colon else {
      guard let first = members.first(where: { $0.suits(use) }) else {
        throw .unsuitable(text: text, use: use, candidates: members)
      }
      return first
    }
    let found = portsNamed(bytes[(colon + 1)...], in: members)
    if found.isEmpty { throw .noSuchPort(text: text, use: use, available: members) }
    return try only(found, text: text)
  }

  /// The one suitable port of `found`, which is not empty.
  private func only(_ found: [PortInfo], text: String) throws(AddressError) -> PortInfo {
    let suitable = found.filter { $0.suits(use) }
    guard let first = suitable.first else {
      throw .unsuitable(text: text, use: use, candidates: found)
    }
    if suitable.count > 1 { throw .ambiguous(text: text, candidates: suitable) }
    return first
  }
}

// MARK: - Names

extension AddressResolver {
  /// The ways to compare names, in the order tried.
  private enum Match: CaseIterable {
    case exact, prefix, exactFolded, prefixFolded

    var isWhole: Bool { self == .exact || self == .exactFolded }

    func accepts(_ name: SequencerName, _ wanted: [UInt8]) -> Bool {
      if wanted.isEmpty { return false }
      return switch self {
      case .exact: name.trimmed == wanted
      case .prefix: name.bytes.starts(with: wanted)
      case .exactFolded: Match.folded(name.trimmed) == Match.folded(wanted)
      case .prefixFolded: Match.folded(name.trimmed).utf8.starts(with: Match.folded(wanted).utf8)
      }
    }

    private static func folded(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self).lowercased()
    }
  }

  /// What one way of comparing found.
  private struct Found {
    /// For each matching client its matching ports, unless found by the port's own name.
    var byClient: [[PortInfo]] = []
    /// Ports found by their own name.
    var byPort: [PortInfo] = []
    /// Why nothing was found although a client of that name exists.
    var failure: AddressError?
  }

  private func candidates(_ bytes: [UInt8], _ match: Match, ordinals: Bool) -> Found {
    var found = Found()
    let text = String(decoding: bytes, as: UTF8.self)

    for client in clients(bytes, match, ordinals, text: text, &found.failure) {
      let suitable = client.filter { $0.suits(use) }
      found.byClient.append(suitable.first.map { [$0] } ?? client)
    }
    for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") {
      let left = SequencerName.trimmingTrailingBlanks(bytes[..<colon])
      for client in clients(left, match, ordinals, text: text, &found.failure) {
        let named = portsNamed(bytes[(colon + 1)...], in: client)
        if named.isEmpty {
          let failure = AddressError.noSuchPort(text: text, use: use, available: client)
          found.failure = found.failure ?? failure
        } else if !found.byClient.contains(named) {
          found.byClient.append(named)
        }
      }
    }
    if ordinals {
      guard let (name, ordinal) = splitOrdinal(bytes) else { return found }
      let named = others.filter { match.accepts($0.name, name) }
      if named.indices.contains(ordinal - 1) {
        found.byPort = [named[ordinal - 1]]
      } else if !named.isEmpty {
        found.failure = found.failure ?? .noSuchOrdinal(text: text, candidates: named)
      }
    } else {
      found.byPort = others.filter { match.accepts($0.name, bytes) }
    }
    return found
  }

  /// The port to use from what was found; `nil` if nothing was.
  private func choose(_ found: Found, text: String) throws(AddressError) -> PortInfo? {
    let groups = [found.byClient.flatMap { $0 }, found.byPort].filter { !$0.isEmpty }
    let suitable = groups.first { $0.contains { $0.suits(use) } }
    guard let group = suitable ?? groups.first else { return nil }
    return try only(group, text: text)
  }

  /// The clients of that name, each as its ports by number.
  private func clients(
    _ bytes: [UInt8], _ match: Match, _ ordinals: Bool, text: String,
    _ failure: inout AddressError?
  ) -> [[PortInfo]] {
    guard ordinals else { return clients(bytes, match) }
    guard let (name, ordinal) = splitOrdinal(bytes) else { return [] }
    let all = clients(name, match)
    if all.isEmpty { return [] }
    guard all.indices.contains(ordinal - 1) else {
      failure = failure ?? .noSuchOrdinal(text: text, candidates: all.flatMap { $0 })
      return []
    }
    return [all[ordinal - 1]]
  }

  private func clients(_ name: [UInt8], _ match: Match) -> [[PortInfo]] {
    var clients: [[PortInfo]] = []
    for port in others where match.accepts(port.clientName, name) {
      if clients.last?.last?.address.client == port.address.client {
        clients[clients.count - 1].append(port)
      } else {
        clients.append([port])
      }
    }
    return clients
  }

  /// The ports of one client that a number or name refers to.
  private func portsNamed(_ bytes: ArraySlice<UInt8>, in members: [PortInfo]) -> [PortInfo] {
    let wanted = SequencerName.trimmingTrailingBlanks(bytes)
    if PortAddress.isDigits(wanted) {
      let numbered = members.filter { $0.address.port == PortAddress.number(wanted) }
      if !numbered.isEmpty { return numbered }
    }
    for match in Match.allCases {
      let named = members.filter { match.accepts($0.name, wanted) }
      if !named.isEmpty { return named }
    }
    return []
  }

  /// Splits `name#2` into the name and 2.
  private func splitOrdinal(_ bytes: [UInt8]) -> ([UInt8], Int)? {
    guard let hash = bytes.lastIndex(of: UInt8(ascii: "#")), hash > 0,
      let ordinal = PortAddress.number(bytes[(hash + 1)...]), ordinal > 0
    else { return nil }
    return (SequencerName.trimmingTrailingBlanks(bytes[..<hash]), Int(ordinal))
  }

  private var others: [PortInfo] { ports.filter { $0.address.client != ownClient } }
}

// MARK: - Near names

extension AddressResolver {
  private func notFound(_ text: String) -> AddressError {
    let available = others.filter { $0.suits(use) && $0.address.client != 0 }
    let wanted = text.lowercased()
    var near: [(distance: Int, name: String)] = []
    for port in available {
      for name in [port.clientName.text, port.name.text] where !name.isEmpty {
        let folded = name.lowercased()
        let distance = folded.contains(wanted) ? 0 : EditDistance.between(folded, wanted)
        let isNear = distance <= min(3, max(1, wanted.count / 3))
        if isNear && !near.contains(where: { $0.name == name }) { near.append((distance, name)) }
      }
    }
    let names = near.enumerated()
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .prefix(3).map(\.element.name)
    return .notFound(text: text, use: use, near: names, available: available)
  }
}
