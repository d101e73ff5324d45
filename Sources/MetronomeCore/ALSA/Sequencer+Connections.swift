internal import CALSASeq
internal import Synchronization

extension Sequencer {
  /// Connects our `port` to `destination`; not an error if it already is connected.
  ///
  /// Source: `snd_seq_subscribe_port`. Errors: `EBUSY` if another program uses the port
  /// exclusively, `EPERM` if the port does not accept connections.
  public func connect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try connect(own(port), to: destination)
  }

  /// Connects `source` to our `port`; not an error if it already is connected.
  ///
  /// Source and errors as for `connect(_:to:)`.
  public func connect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try connect(source, to: own(port))
  }

  /// Removes a connection from our `port` to `destination`; source: `snd_seq_unsubscribe_port`.
  public func disconnect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try disconnect(own(port), from: destination)
  }

  /// Removes a connection from `source` to our `port`; source: `snd_seq_unsubscribe_port`.
  public func disconnect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try disconnect(source, from: own(port))
  }

  /// Delivers announcements of created, deleted, connected and disconnected ports through
  /// `nextEvent`.
  ///
  /// Uses a private port; a second call has no effect.
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

  /// Connects two ports of any clients; not an error if they already are connected.
  ///
  /// Source: `snd_seq_subscribe_port`. Errors as for `connect(_:to:)`; also `EPERM` if neither port
  /// is ours and one is not exported.
  func connect(_ sender: PortAddress, to destination: PortAddress) throws(ALSAError) {
    let record = try SubscriptionRecord(sender: sender, destination: destination)
    let result = unsafe snd_seq_subscribe_port(handle, record.pointer)
    // EBUSY means either "already connected" or "used exclusively by another".
    if result == -EBUSY, unsafe snd_seq_get_port_subscription(handle, record.pointer) >= 0 {
      return
    }
    try check("snd_seq_subscribe_port", result)
  }

  /// Removes a connection between two ports; source: `snd_seq_unsubscribe_port`.
  func disconnect(_ sender: PortAddress, from destination: PortAddress) throws(ALSAError) {
    let record = try SubscriptionRecord(sender: sender, destination: destination)
    unsafe try check("snd_seq_unsubscribe_port", snd_seq_unsubscribe_port(handle, record.pointer))
  }
}
