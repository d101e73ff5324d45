/// Our two clients of the sequencer.
///
/// The kernel serves one ioctl or `write` of a client at a time, under a mutex without priority
/// inheritance, and a listing of the ports sleeps in it for an ordinary kernel thread. So once the
/// clock runs, the thread that sends is the only one to make such calls on its client. Everything
/// else is asked of a second client, which owns no port that anybody could connect to: it lists,
/// hears announcements, and connects and disconnects our ports as `aconnect` would.
///
/// Input stays with the clock's client, so that a patchbay shows our ports in one place. Reading it
/// on another thread delays nobody: `read` takes the lock of the client's input queue, not the mutex.
struct SequencerClients: Sendable {
  /// Owns our ports, sends and receives.
  let clock: Sequencer
  /// Asks, listens for announcements, connects.
  let control: Sequencer

  /// Opens both; announcements are heard from here on.
  ///
  /// The clock's client comes first and so gets the lower number.
  static func open(name: String) throws(ALSAError) -> SequencerClients {
    let clock = try Sequencer.open(clientName: name)
    let control = try Sequencer.open(clientName: "\(name) control", sends: false)
    try control.subscribeToAnnouncements()
    return SequencerClients(clock: clock, control: control)
  }

  /// The number of the client that owns our ports.
  var number: UInt8 { clock.clientNumber }

  /// Where `port` of ours is.
  func address(of port: PortNumber) -> PortAddress {
    PortAddress(client: number, port: port.value)
  }

  /// Every port there is but the control client's, by address.
  func ports() throws(ALSAError) -> [PortInfo] {
    let own = control.clientNumber
    return try control.ports().filter { $0.address.client != own }
  }

  /// The port at `address`; `nil` when there is none.
  func port(at address: PortAddress) throws(ALSAError) -> PortInfo? {
    try control.port(at: address)
  }

  /// Where the connections from `port` of ours lead.
  func subscribers(of port: PortNumber) -> [PortAddress] {
    control.subscribers(of: address(of: port))
  }

  /// Connects `port` of ours to `destination`; no error when it already is.
  func connect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try control.connect(address(of: port), to: destination)
  }

  /// Connects `source` to `port` of ours; no error when it already is.
  func connect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try control.connect(source, to: address(of: port))
  }

  /// Takes back `connect(_:to:)`.
  func disconnect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try control.disconnect(address(of: port), from: destination)
  }

  /// Takes back `connect(_:from:)`.
  func disconnect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try control.disconnect(source, from: address(of: port))
  }
}

// MARK: - Before the clock runs

extension SequencerClients {
  /// `connect(_:to:)`, also to a port that third parties may not connect.
  func connectAtStart(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    do throws(ALSAError) { try connect(port, to: destination) } catch {
      // What is not exported can be connected by its owner or by ours.
      guard error.isPermission else { throw error }
      try clock.connect(port, to: destination)
    }
  }

  /// `connect(_:from:)`, also from a port that third parties may not connect.
  func connectAtStart(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    do throws(ALSAError) { try connect(port, from: source) } catch {
      guard error.isPermission else { throw error }
      try clock.connect(port, from: source)
    }
  }
}
