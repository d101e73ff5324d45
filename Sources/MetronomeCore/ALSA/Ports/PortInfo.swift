/// A sequencer port as it was when listed.
public struct PortInfo: Hashable, Sendable {
  /// What a port allows; source: the `SND_SEQ_PORT_CAP_` bits of alsa-lib's `seq.h`.
  public struct Capabilities: OptionSet, Hashable, Sendable {
    /// The bits as the kernel numbers them.
    public let rawValue: UInt32
    /// The capabilities with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Events can be read from it; `SND_SEQ_PORT_CAP_READ`.
    public static let readable = Capabilities(rawValue: 1 << 0)
    /// Events can be written to it; `SND_SEQ_PORT_CAP_WRITE`.
    public static let writable = Capabilities(rawValue: 1 << 1)
    /// Others may connect from it; `SND_SEQ_PORT_CAP_SUBS_READ`.
    public static let readSubscribable = Capabilities(rawValue: 1 << 5)
    /// Others may connect to it; `SND_SEQ_PORT_CAP_SUBS_WRITE`.
    public static let writeSubscribable = Capabilities(rawValue: 1 << 6)
    /// Third parties may not connect it; `SND_SEQ_PORT_CAP_NO_EXPORT`.
    public static let notExported = Capabilities(rawValue: 1 << 7)
  }

  /// Its address.
  public let address: PortAddress
  /// The name of its client.
  public let clientName: SequencerName
  /// The port's own name.
  public let name: SequencerName
  /// What it allows.
  public let capabilities: Capabilities
  /// The kind of port; the `SND_SEQ_PORT_TYPE_` bits of alsa-lib's `seq.h`.
  public let typeBits: UInt32
  /// True if the client is a driver rather than a program.
  public let isKernelClient: Bool
  /// The number of the client's sound card; `nil` if it has none.
  public let card: Int32?
  /// The ID of the thread that opened the client; for a main thread, that is the process ID.
  ///
  /// `nil` for drivers. (The kernel records the thread, not the process.)
  public let processID: Int32?

  /// A port as the sequencer describes it.
  public init(
    address: PortAddress, clientName: SequencerName, name: SequencerName,
    capabilities: Capabilities, typeBits: UInt32 = 0, isKernelClient: Bool = false,
    card: Int32? = nil, processID: Int32? = nil
  ) {
    self.address = address
    self.clientName = clientName
    self.name = name
    self.capabilities = capabilities
    self.typeBits = typeBits
    self.isKernelClient = isKernelClient
    self.card = card
    self.processID = processID
  }

  /// True if we can connect to it for `use`.
  public func suits(_ use: PortUse) -> Bool {
    switch use {
    case .destination: capabilities.isSuperset(of: [.writable, .writeSubscribable])
    case .source: capabilities.isSuperset(of: [.readable, .readSubscribable])
    }
  }

  /// The names of client and port, as notices and listings show them.
  var fullName: String { "\(clientName.text):\(name.text)" }

  /// Whether a clock may come from this port: any source except the kernel's own timer and
  /// announcement ports, and our own ports.
  func isClockCandidate(ownClient: UInt8) -> Bool {
    suits(.source) && address.client != 0 && address.client != ownClient
  }
}

extension PortInfo: CustomStringConvertible {
  /// The address and both names, in a form that can be pasted back: `128:0 "FLUID Synth:Port 0"`.
  public var description: String { "\(address) \"\(fullName)\"" }
}
