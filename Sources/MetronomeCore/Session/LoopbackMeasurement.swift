public import MIDIClock

/// Our own clock, looped back to us and stamped by the kernel.
public struct LoopbackMeasurement: Sendable {
  /// One of our own messages as delivered by the kernel.
  public struct Arrival: Hashable, Sendable {
    /// The kernel's stamp.
    public let time: HostTime
    /// The message.
    public let message: MIDIMessage
  }

  /// The messages received, oldest first.
  public private(set) var arrivals: [Arrival] = []
  /// How often input was lost because it was not read in time.
  public private(set) var overruns = 0
  private let port: PortNumber

  /// Connects our port `clock` to a new port, stamped by `queue`.
  init(of clock: PortNumber, on clients: SequencerClients, stampedBy queue: QueueNumber?)
    throws(ALSAError)
  {
    port = try clients.clock.createPort(name: "measure", direction: .input, stampedBy: queue)
    try clients.connect(clock, to: clients.address(of: port))
  }

  /// Takes in an event from one of our ports.
  mutating func take(_ event: IncomingEvent) {
    switch event {
    case .message(let message, port, _, let stamp?):
      arrivals.append(Arrival(time: stamp, message: message))
    case .overrun: overruns += 1
    default: break
    }
  }
}
