public import MIDIClock

/// A session that only listens: to ports by name, or to every port that can be read.
///
/// One thread at a time uses it. The stamps are the kernel's.
public struct InputSession: ~Copyable {
  private let sequencer: SequencerSession
  private var names: [PortAddress: String] = [:]
  /// The instant it began.
  public let origin: HostTime

  private init(_ sequencer: SequencerSession) {
    self.sequencer = sequencer
    origin = SystemClock.now
  }

  /// Opens the sequencer and listens to `sources`, or to all ports when there are none.
  ///
  /// - Throws: `SessionError`.
  public static func start(_ sources: [String]) throws(SessionError) -> InputSession {
    let sequencer = try SequencerSession.open(
      for: .listen, name: "midimetro", stamping: SequencerQueue.maximumResolution)
    let ports = try sequencer.ports()
    var named: [PortInfo] = []
    for text in sources {
      let info = try sequencer.find(text, as: .source, among: ports)
      // Two names may be one port's.
      if !named.contains(where: { $0.address == info.address }) { named.append(info) }
    }
    for info in named { try sequencer.connect(source: info) }
    if named.isEmpty { sequencer.listenToCandidates(among: ports) }
    return InputSession(sequencer)
  }

  /// Where the sources are that were named or adopted; empty when none was.
  public var sources: [PortAddress] { sequencer.keeper.sources }

  /// Keeps the port at `address` connected by its name from now on, as if it had been named.
  public mutating func adopt(_ address: PortAddress) {
    guard !sources.contains(address), let info = try? sequencer.clients.port(at: address)
    else { return }
    sequencer.keeper.add(info, sequencer.input, as: .source)
  }

  /// What to poll for reading: what the sources send, then what is announced.
  public var descriptors: [Int32] { sequencer.descriptors }

  /// What has come in; `nil` when there is nothing now.
  ///
  /// What a source has sent comes before the notice that it has gone.
  /// - Throws: `ALSAError` when the sequencer fails.
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
