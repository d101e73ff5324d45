internal import CALSASeq
internal import Synchronization

extension Sequencer {
  /// Connects `port` of ours to `destination`; no error when it already is.
  ///
  /// Source: `snd_seq_subscribe_port`. Errors: `EBUSY` when another program has the port to
  /// itself, `EPERM` when it takes no connections.
  public func connect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try connect(own(port), to: destination)
  }

  /// Connects `source` to `port` of ours; no error when it already is.
  ///
  /// Source and errors as for `connect(_:to:)`.
  public func connect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try connect(source, to: own(port))
  }

  /// Takes back `connect(_:to:)`; source: `snd_seq_unsubscribe_port`.
  public func disconnect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try disconnect(own(port), from: destination)
  }

  /// Takes back `connect(_:from:)`; source: `snd_seq_unsubscribe_port`.
  public func disconnect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try disconnect(source, from: own(port))
  }

  /// Makes clients and ports that come, go, connect or disconnect known through `nextEvent`.
  ///
  /// Uses a private port of its own; a second call changes nothing.
  public func subscribeToAnnouncements() throws(ALSAError) {
    guard announcementPort.load(ordering: .relaxed) == Sequencer.none else { return }
    let port = try createPort(name: "announcements", direction: .privateInput)
    announcementPort.store(Int(port.value), ordering: .relaxed)
    try connect(
      port,
      from: PortAddress(
        client: UInt8(truncatingIfNeeded: SND_SEQ_CLIENT_SYSTEM),
        port: UInt8(truncatingIfNeeded: SND_SEQ_PORT_SYSTEM_ANNOUNCE)))
  }

  private func own(_ port: PortNumber) -> PortAddress {
    PortAddress(client: clientNumber, port: port.value)
  }

  /// Connects two ports, whoever owns them; no error when they already are.
  ///
  /// Source: `snd_seq_subscribe_port`. Errors as for `connect(_:to:)`; `EPERM` also when neither is
  /// ours and one is not exported.
  func connect(_ sender: PortAddress, to destination: PortAddress) throws(ALSAError) {
    let record = try SubscriptionRecord(sender: sender, destination: destination)
    let result = unsafe snd_seq_subscribe_port(handle, record.pointer)
    // EBUSY says either "already so" or "somebody has it exclusively".
    if result == -EBUSY, unsafe snd_seq_get_port_subscription(handle, record.pointer) >= 0 {
      return
    }
    try check("snd_seq_subscribe_port", result)
  }

  /// Takes back `connect(_:to:)` of two ports; source: `snd_seq_unsubscribe_port`.
  func disconnect(_ sender: PortAddress, from destination: PortAddress) throws(ALSAError) {
    let record = try SubscriptionRecord(sender: sender, destination: destination)
    unsafe try check("snd_seq_unsubscribe_port", snd_seq_unsubscribe_port(handle, record.pointer))
  }
}
