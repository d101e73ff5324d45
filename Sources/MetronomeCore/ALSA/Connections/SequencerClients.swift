/// Our two clients of the sequencer.
///
/// The kernel serves one ioctl or `write` of a client at a time, under a mutex without priority
/// inheritance, and listing the ports can make its holder sleep until an ordinary kernel thread has
/// run. So once the clock runs, only the sending thread makes such calls on its client. Everything
/// else goes through a second client, which owns no port that anyone could connect to: it lists
/// ports, receives announcements, and connects and disconnects our ports as `aconnect` would.
///
/// Input stays with the clock's client, so that a patchbay shows our ports in one place. Reading it
/// on another thread delays no one: `read` takes the lock of the client's input queue, not the
/// mutex.
struct SequencerClients: Sendable {
  /// Owns our ports, sends and receives.
  let clock: Sequencer
  /// Lists ports, receives announcements, makes connections.
  let control: Sequencer

  /// Opens both clients; announcements arrive from now on.
  ///
  /// The clock's client is opened first and so gets the lower number.
  static func open(name: String) throws(ALSAError) -> SequencerClients {
    let clock = try Sequencer.open(clientName: name)
    let control = try Sequencer.open(clientName: "\(name) control", sends: false)
    try control.subscribeToAnnouncements()
    return SequencerClients(clock: clock, control: control)
  }

  /// The number of the client that owns our ports.
  var number: UInt8 { clock.clientNumber }

  /// The address of our `port`.
  func address(of port: PortNumber) -> PortAddress {
    PortAddress(client: number, port: port.value)
  }

  /// Every port, except those of the control client, by address.
  func ports() throws(ALSAError) -> [PortInfo] {
    let own = control.clientNumber
    return try control.ports().filter { $0.address.client != own }
  }

  /// The port at `address`; `nil` if it does not exist.
  func port(at address: PortAddress) throws(ALSAError) -> PortInfo? {
    try control.port(at: address)
  }

  /// The addresses that our `port` is connected to.
  func subscribers(of port: PortNumber) -> [PortAddress] {
    control.subscribers(of: address(of: port))
  }

  /// Connects our `port` to `destination`; not an error if it already is connected.
  func connect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try control.connect(address(of: port), to: destination)
  }

  /// Connects `source` to our `port`; not an error if it already is connected.
  func connect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try control.connect(source, to: address(of: port))
  }

  /// Removes a connection from our `port` to `destination`.
  func disconnect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try control.disconnect(address(of: port), from: destination)
  }

  /// Removes a connection from `source` to our `port`.
  func disconnect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try control.disconnect(source, from: address(of: port))
  }
}

// MARK: - Before the clock runs

extension SequencerClients {
  /// Like `connect(_:to:)`, but also connects a port that third parties may not connect.
  ///
  /// Uses the clock's client, so only before the clock runs.
  func connectAtStart(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    do throws(ALSAError) { try connect(port, to: destination) } catch {
      // What is not exported can be connected by its owner or by ours.
      guard error.isPermission else { throw error }
      try clock.connect(port, to: destination)
    }
  }

  /// Like `connect(_:from:)`, but also connects a port that third parties may not connect.
  func connectAtStart(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    do throws(ALSAError) { try connect(port, from: source) } catch {
      guard error.isPermission else { throw error }
      try clock.connect(port, from: source)
    }
  }
}
