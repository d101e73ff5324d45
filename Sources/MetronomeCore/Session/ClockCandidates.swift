/// The ports we listen to because one of them may send a clock.
struct ClockCandidates: Sendable {
  private let input: PortNumber
  private var heard: Set<PortAddress> = []
  /// Ports we do not listen to, because our own output could come back from them.
  private var avoided: Set<PortAddress>

  /// No candidates yet; what they send arrives on our port `input`.
  init(input: PortNumber, avoiding avoided: [PortAddress] = []) {
    self.input = input
    self.avoided = Set(avoided)
  }

  /// Listens to `port` if it may send a clock; a port that refuses is skipped.
  mutating func listen(to port: PortInfo, on clients: SequencerClients) {
    guard port.isClockCandidate(ownClient: clients.number), !avoided.contains(port.address) else {
      return
    }
    try? clients.connect(input, from: port.address)
    heard.insert(port.address)
  }

  /// Listens to the new port at `address`.
  mutating func listen(to address: PortAddress, on clients: SequencerClients) throws(ALSAError) {
    if let port = try clients.port(at: address) { listen(to: port, on: clients) }
  }

  /// Stops listening to the port at `address`.
  mutating func drop(_ address: PortAddress, on clients: SequencerClients) {
    guard heard.remove(address) != nil else { return }
    try? clients.disconnect(input, from: address)
  }

  /// Stops listening to the port at `address` for good.
  mutating func avoid(_ address: PortAddress, on clients: SequencerClients) {
    avoided.insert(address)
    drop(address, on: clients)
  }
}
