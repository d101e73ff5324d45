/// Tracks the connections of our ports, so that none leads back to the source.
struct FeedbackGuard: Sendable {
  private var leading: [PortAddress: Set<UInt8>] = [:]

  /// Creates a guard without connections.
  init() {}

  /// Records a connection from a port of `ownClient` that was made or removed; false for other
  /// events.
  mutating func note(_ event: IncomingEvent, ownClient: UInt8) -> Bool {
    switch event {
    case .subscribed(let sender, let receiver) where sender.client == ownClient:
      leading[receiver, default: []].insert(sender.port)
    case .unsubscribed(let sender, let receiver) where sender.client == ownClient:
      leading[receiver]?.remove(sender.port)
    default: return false
    }
    return true
  }

  /// Disconnects our ports from `source`, whoever connected them; returns whether there were any.
  mutating func breakLoop(with source: PortAddress, on clients: SequencerClients) -> Bool {
    var isBroken = false
    for port in leading.removeValue(forKey: source) ?? [] {
      do throws(ALSAError) {
        try clients.disconnect(PortNumber(port), to: source)
        isBroken = true
      } catch { continue }
    }
    return isBroken
  }
}
