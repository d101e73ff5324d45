public import MIDIClock

/// Our own clock, sent back to us and stamped by the kernel.
public struct LoopbackMeasurement: Sendable {
  /// One of our own messages as the kernel delivered it.
  public struct Arrival: Hashable, Sendable {
    /// When, by the kernel's stamp.
    public let time: HostTime
    /// What.
    public let message: MIDIMessage
  }

  /// What came back, oldest first.
  public private(set) var arrivals: [Arrival] = []
  /// How often arrivals were lost because they were not read in time.
  public private(set) var overruns = 0
  private let port: PortNumber

  /// Connects `clock` of ours to a port made for that, stamped by `queue`.
  init(of clock: PortNumber, on clients: SequencerClients, stampedBy queue: QueueNumber?)
    throws(ALSAError)
  {
    port = try clients.clock.createPort(name: "measure", direction: .input, stampedBy: queue)
    try clients.connect(clock, to: clients.address(of: port))
  }

  /// Takes in what came to one of our ports.
  mutating func take(_ event: IncomingEvent) {
    switch event {
    case .message(let message, port, _, let stamp?):
      arrivals.append(Arrival(time: stamp, message: message))
    case .overrun: overruns += 1
    default: break
    }
  }
}
