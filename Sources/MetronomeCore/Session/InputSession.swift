public import MIDIClock

/// A session that only listens, to named ports or to every readable port.
///
/// Used by one thread at a time. Stamps come from the kernel.
public struct InputSession: ~Copyable {
  private let sequencer: SequencerSession
  private var names: [PortAddress: String] = [:]
  /// The instant it began.
  public let origin: HostTime

  private init(_ sequencer: SequencerSession) {
    self.sequencer = sequencer
    origin = SystemClock.now
  }

  /// Opens the sequencer and listens to `sources`, or to all ports if there are none.
  ///
  /// - Throws: `SessionError`.
  public static func start(_ sources: [String]) throws(SessionError) -> InputSession {
    let sequencer = try SequencerSession.open(
      for: .listen, name: "midimetro", stamping: SequencerQueue.maximumResolution)
    let ports = try sequencer.ports()
    var named: [PortInfo] = []
    for text in sources {
      let info = try sequencer.find(text, as: .source, among: ports)
      // Two names may refer to the same port.
      if !named.contains(where: { $0.address == info.address }) { named.append(info) }
    }
    for info in named { try sequencer.connect(source: info) }
    if named.isEmpty { sequencer.listenToCandidates(among: ports) }
    return InputSession(sequencer)
  }

  /// The addresses of the named or adopted sources.
  public var sources: [PortAddress] { sequencer.keeper.sources }

  /// Keeps the port at `address` connected by name from now on, as if it had been named.
  public mutating func adopt(_ address: PortAddress) {
    guard !sources.contains(address), let info = try? sequencer.clients.port(at: address)
    else { return }
    sequencer.keeper.add(info, sequencer.input, as: .source)
  }

  /// The descriptors to poll for reading: input, then announcements.
  public var descriptors: [Int32] { sequencer.descriptors }

  /// The next arrival; `nil` if there is none at the moment.
  ///
  /// What a source sent is returned before the notice that it has gone.
  /// - Throws: `ALSAError` if the sequencer fails.
  public mutating func next() throws(ALSAError) -> Arrival? {
    while let event = try sequencer.clients.clock.nextEvent() {
      switch event {
      case .message(let message, sequencer.input, let sender, let stamp):
        guard sender.client != sequencer.clientNumber else { continue }
        return .message(message, source: sender, stamp: stamp ?? SystemClock.now)
      case .overrun: return .overrun
      default: continue
      }
    }
    while let (_, notices) = try sequencer.nextAnnouncement() {
      if !notices.isEmpty { return .notices(notices) }
    }
    return nil
  }

  /// The name of the port at `address`, as `client:port`.
  public mutating func name(of address: PortAddress) -> String {
    if let known = names[address] { return known }
    let name = sequencer.name(of: address)
    names[address] = name
    return name
  }

  /// A message or notice that arrived.
  public enum Arrival: Sendable {
    /// A message from a source.
    case message(MIDIMessage, source: PortAddress, stamp: HostTime)
    /// Input was lost.
    case overrun
    /// Sources have disappeared or returned.
    case notices([ConnectionNotice])
  }
}
