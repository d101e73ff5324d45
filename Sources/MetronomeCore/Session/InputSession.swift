public import MIDIClock

/// A sequencer client that only listens: to ports by name, or to every port that can be read.
///
/// One thread at a time uses it. The stamps are the kernel's.
public struct InputSession: ~Copyable {
  private let sequencer: Sequencer
  private let input: PortNumber
  private var connections: ConnectionKeeper
  private let listensToAll: Bool
  // Kept so that the stamps go on.
  private let stamping: SequencerQueue?
  private var names: [PortAddress: String] = [:]
  /// The instant it began.
  public let origin: HostTime

  private init(
    sequencer: Sequencer, input: PortNumber, connections: ConnectionKeeper, listensToAll: Bool,
    stamping: consuming SequencerQueue?
  ) {
    self.sequencer = sequencer
    self.input = input
    self.connections = connections
    self.listensToAll = listensToAll
    self.stamping = stamping
    origin = SystemClock.now
  }

  /// Opens the sequencer and listens to `sources`, or to all ports when there are none.
  ///
  /// - Throws: `SessionError`.
  public static func start(_ sources: [String]) throws(SessionError) -> InputSession {
    let sequencer: Sequencer
    let input: PortNumber
    var queue: SequencerQueue?
    let available: [PortInfo]
    do throws(ALSAError) {
      sequencer = try Sequencer.open(clientName: "midimetro")
      let stamping = try SequencerQueue.open(on: sequencer, name: "midimetro")
      input = try sequencer.createPort(
        name: "in", direction: .input, stampedBy: stamping.number)
      queue = consume stamping
      try sequencer.subscribeToAnnouncements()
      available = try sequencer.ports()
    } catch { throw .sequencer(error) }
    var named: [PortInfo] = []
    do throws(AddressError) {
      let resolver = AddressResolver(
        among: available, wanting: .source, excluding: sequencer.clientNumber)
      for text in sources {
        let info = try resolver.resolve(text)
        // Two names may be one port's.
        if !named.contains(where: { $0.address == info.address }) { named.append(info) }
      }
    } catch { throw .address(error) }
    var connections = ConnectionKeeper()
    do throws(ALSAError) {
      for info in named {
        try sequencer.connect(input, from: info.address)
        connections.add(info, input, as: .source)
      }
    } catch { throw .sequencer(error) }
    if named.isEmpty {
      for info in available where info.isClockCandidate(ownClient: sequencer.clientNumber) {
        try? sequencer.connect(input, from: info.address)
      }
    }
    return InputSession(
      sequencer: sequencer, input: input, connections: connections, listensToAll: named.isEmpty,
      stamping: queue)
  }

  /// Where the sources are that were named or adopted; empty when none was.
  public var sources: [PortAddress] { connections.sources }

  /// Keeps the port at `address` connected by its name from now on, as if it had been named.
  public mutating func adopt(_ address: PortAddress) {
    guard !connections.sources.contains(address), let info = try? sequencer.port(at: address)
    else { return }
    connections.add(info, input, as: .source)
  }

  /// Readable when something has come.
  public var descriptor: Int32 { sequencer.pollDescriptor }

  /// What has come in; `nil` when there is nothing now.
  ///
  /// - Throws: `ALSAError` when the sequencer fails.
  public mutating func next() throws(ALSAError) -> Arrival? {
    while let event = try sequencer.nextEvent() {
      switch event {
      case .message(let message, let port, let sender, let stamp):
        guard port == input, sender.client != sequencer.clientNumber else { continue }
        return .message(message, source: sender, stamp: stamp ?? SystemClock.now)
      case .overrun: return .overrun
      case .clientStarted, .other: continue
      case .clientExited, .portStarted, .portExited, .subscribed, .unsubscribed:
        if listensToAll, case .portStarted(let address) = event,
          let info = try sequencer.ports().first(where: { $0.address == address }),
          info.isClockCandidate(ownClient: sequencer.clientNumber)
        {
          try? sequencer.connect(input, from: address)
        }
        let notices = try connections.keep(event, on: sequencer)
        if !notices.isEmpty { return .notices(notices) }
      }
    }
    return nil
  }

  /// The name of the port at `address`, as `client:port`.
  public mutating func name(of address: PortAddress) -> String {
    if let known = names[address] { return known }
    let info = try? sequencer.ports().first { $0.address == address }
    let name = info.map { "\($0.clientName.text):\($0.name.text)" } ?? address.description
    names[address] = name
    return name
  }

  /// One thing that has come in.
  public enum Arrival: Sendable {
    /// A message of a source.
    case message(MIDIMessage, source: PortAddress, stamp: HostTime)
    /// Input was lost.
    case overrun
    /// Sources have gone or come back.
    case notices([ConnectionNotice])
  }
}
