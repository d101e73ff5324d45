/// The name of a client or port: the bytes the kernel keeps, and text to show.
///
/// ALSA names are bytes without an encoding; nearly all are UTF-8. Names are compared by their
/// bytes, so that one that is not UTF-8 can never be mistaken for another.
public struct SequencerName: Hashable, Sendable {
  /// The name as the kernel keeps it, without the terminating zero.
  public let bytes: [UInt8]

  /// The name made of `bytes`.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The name that reads `text`.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The bytes without trailing blanks, which some drivers pad their names with.
  public var trimmed: [UInt8] { SequencerName.trimmingTrailingBlanks(bytes) }

  /// The trimmed name to show: what is not UTF-8, and control characters, as replacement marks.
  public var text: String {
    var shown = String.UnicodeScalarView()
    for scalar in String(decoding: trimmed, as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: shown.append("\u{FFFD}")
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }

  static func trimmingTrailingBlanks(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    var end = bytes.endIndex
    while end > bytes.startIndex {
      let last = bytes.index(before: end)
      guard bytes[last] == UInt8(ascii: " ") || bytes[last] == UInt8(ascii: "\t") else { break }
      end = last
    }
    return Array(bytes[..<end])
  }
}

/// Which way MIDI flows, seen from us.
public enum PortUse: Hashable, Sendable {
  /// We send to it.
  case destination
  /// We receive from it.
  case source
}

/// One port of the sequencer as it was when the list was made.
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

  /// Where it is.
  public let address: PortAddress
  /// The name of its client.
  public let clientName: SequencerName
  /// Its own name.
  public let name: SequencerName
  /// What it allows.
  public let capabilities: Capabilities
  /// What stands behind it; the `SND_SEQ_PORT_TYPE_` bits of alsa-lib's `seq.h`.
  public let typeBits: UInt32
  /// True when the client is a driver, not a program.
  public let isKernelClient: Bool
  /// The number of the sound card behind the client; `nil` when there is none.
  public let card: Int32?
  /// The thread that opened the client, which is the process when that is its main thread.
  ///
  /// `nil` for drivers. (The kernel keeps the number of the thread, not that of the process.)
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

  /// True when we can connect to it for `use`.
  public func suits(_ use: PortUse) -> Bool {
    switch use {
    case .destination: capabilities.isSuperset(of: [.writable, .writeSubscribable])
    case .source: capabilities.isSuperset(of: [.readable, .readSubscribable])
    }
  }
}

extension PortInfo: CustomStringConvertible {
  /// The address and both names, ready to be pasted back: `128:0 "FLUID Synth:Port 0"`.
  public var description: String { "\(address) \"\(clientName.text):\(name.text)\"" }
}
