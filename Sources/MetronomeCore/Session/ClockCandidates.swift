/// The ports that are listened to because one of them may send a clock.
struct ClockCandidates: Sendable {
  private let input: PortNumber
  private var heard: Set<PortAddress> = []
  /// Not listened to: what goes out there could come back.
  private var avoided: Set<PortAddress>

  /// None yet; what they send arrives on `input` of ours.
  init(input: PortNumber, avoiding avoided: [PortAddress] = []) {
    self.input = input
    self.avoided = Set(avoided)
  }

  /// Listens to `port` if a clock may come from it; one that refuses is left alone.
  mutating func listen(to port: PortInfo, on clients: SequencerClients) {
    guard port.isClockCandidate(ownClient: clients.number), !avoided.contains(port.address) else {
      return
    }
    try? clients.connect(input, from: port.address)
    heard.insert(port.address)
  }

  /// Listens to the port that has come at `address`.
  mutating func listen(to address: PortAddress, on clients: SequencerClients) throws(ALSAError) {
    if let port = try clients.port(at: address) { listen(to: port, on: clients) }
  }

  /// No longer listens to the port at `address`.
  mutating func drop(_ address: PortAddress, on clients: SequencerClients) {
    guard heard.remove(address) != nil else { return }
    try? clients.disconnect(input, from: address)
  }

  /// Never listens to the port at `address` again.
  mutating func avoid(_ address: PortAddress, on clients: SequencerClients) {
    avoided.insert(address)
    drop(address, on: clients)
  }
}
