internal import CALSASeq
internal import Glibc
public import MIDIClock
internal import Synchronization

/// Our client of the ALSA sequencer: its ports, its connections and what comes in.
///
/// Open one per process. The client leaves the sequencer when the last reference goes.
///
/// Sharing it between threads is sound in this way, and in no other: any thread may send through
/// `output`, because `snd_seq_event_output_direct` of a fixed-size event only reads fields of the
/// handle that never change after `snd_seq_open` and ends in one `write(2)`, which the kernel
/// serialises; one thread at a time, the main thread, does everything else, because
/// `snd_seq_event_input` keeps its read buffer in the handle. The remaining functions are
/// ioctls on records of their own. Our two stored numbers are atomics.
@safe public final class Sequencer: Sendable {
  nonisolated(unsafe) let handle: OpaquePointer
  private let announcementPort = Atomic<Int>(Sequencer.none)
  private let stampQueue = Atomic<Int>(Sequencer.none)
  private let stampOrigin = Atomic<Int64>(0)
  private static let none = -1

  /// The most events the kernel lets a client keep waiting in either direction.
  ///
  /// Source: `SNDRV_SEQ_MAX_EVENTS` and `SNDRV_SEQ_MAX_CLIENT_EVENTS`.
  public static var poolSize: Int { 2_000 }

  private init(adopting handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe _ = snd_seq_close(handle) }

  /// Opens the sequencer for both directions, without blocking, and names the client.
  ///
  /// A name longer than 63 bytes is cut between two characters. The output pool exists before
  /// this returns, so that the first event does not pay for it. Errors: `snd_seq_open` when the
  /// sequencer is missing or not permitted; source: `snd_seq_open`, `snd_seq_set_client_name`,
  /// `snd_seq_set_client_pool_output`, `snd_seq_set_client_pool_input`.
  public static func open(clientName: String) throws(ALSAError) -> Sequencer {
    _ = silenced
    var raw: OpaquePointer?
    unsafe try check(
      "snd_seq_open", snd_seq_open(&raw, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK))
    guard let opened = unsafe raw else {
      throw ALSAError(operation: "snd_seq_open", code: -ENODEV)
    }
    let sequencer = unsafe Sequencer(adopting: opened)
    let handle = unsafe sequencer.handle
    unsafe try check("snd_seq_set_client_name", snd_seq_set_client_name(handle, fit(clientName)))
    unsafe try check(
      "snd_seq_set_client_pool_output", snd_seq_set_client_pool_output(handle, poolSize))
    unsafe try check(
      "snd_seq_set_client_pool_input", snd_seq_set_client_pool_input(handle, poolSize))
    // The kernel makes the output pool at the first write; an event of type NONE goes nowhere.
    var nothing = snd_seq_event_t()
    nothing.type = snd_seq_event_type_t(SND_SEQ_EVENT_NONE.rawValue)
    unsafe try check(
      "snd_seq_event_output_direct", snd_seq_event_output_direct(handle, &nothing))
    return sequencer
  }

  /// alsa-lib would print to stderr by itself; every error reaches the user as an `ALSAError`.
  private static let silenced: Int32 = midimetro_alsa_silence()

  /// The longest beginning of `name` that ALSA can keep, ending between two characters.
  static func fit(_ name: String) -> String {
    var fitting = name
    while fitting.utf8.count > 63 { fitting.removeLast() }
    return fitting
  }

  /// The number of our client; source: `snd_seq_client_id`.
  public var clientNumber: UInt8 { unsafe UInt8(truncatingIfNeeded: snd_seq_client_id(handle)) }

  /// The sending end, for the engine's thread; keep the sequencer as long as it is in use.
  public var output: SequencerOutput { unsafe SequencerOutput(borrowing: handle) }

  /// The descriptor to poll for input; readable when `nextEvent` has something new.
  public var pollDescriptor: Int32 {
    var descriptor = pollfd()
    unsafe _ = snd_seq_poll_descriptors(handle, &descriptor, 1, Int16(POLLIN))
    return descriptor.fd
  }
}

// MARK: - Ports

extension Sequencer {
  /// Which way a port of ours faces.
  public enum Direction: Hashable, Sendable {
    /// We send from it; others may connect it to their inputs.
    case output
    /// We receive on it; others may connect their outputs to it.
    case input
    /// We receive on it; others can neither see it in a patchbay nor connect to it.
    case privateInput
  }

  /// Makes a port of ours.
  ///
  /// With `stampedBy`, events that arrive on the port carry the time that queue had when the
  /// kernel delivered them. Names longer than 63 bytes are cut between two characters.
  /// Source: `snd_seq_create_port`.
  public func createPort(
    name: String, direction: Direction, stampedBy queue: QueueNumber? = nil
  ) throws(ALSAError) -> PortNumber {
    let info = try PortRecord()
    unsafe snd_seq_port_info_set_name(info.pointer, Sequencer.fit(name))
    let capabilities: PortInfo.Capabilities =
      switch direction {
      case .output: [.readable, .readSubscribable]
      case .input: [.writable, .writeSubscribable]
      case .privateInput: [.writable, .notExported]
      }
    unsafe snd_seq_port_info_set_capability(info.pointer, capabilities.rawValue)
    unsafe snd_seq_port_info_set_type(
      info.pointer,
      UInt32(
        SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SOFTWARE
          | SND_SEQ_PORT_TYPE_APPLICATION))
    unsafe snd_seq_port_info_set_midi_channels(info.pointer, 16)
    if let queue {
      unsafe snd_seq_port_info_set_timestamping(info.pointer, 1)
      unsafe snd_seq_port_info_set_timestamp_real(info.pointer, 1)
      unsafe snd_seq_port_info_set_timestamp_queue(info.pointer, Int32(queue.value))
    }
    unsafe try check("snd_seq_create_port", snd_seq_create_port(handle, info.pointer))
    return unsafe PortNumber(
      UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(info.pointer)))
  }

  /// How many connections lead from `port` of ours to others.
  ///
  /// Source: `snd_seq_get_port_info`.
  func listeners(of port: PortNumber) throws(ALSAError) -> Int {
    let record = try PortRecord()
    unsafe try check(
      "snd_seq_get_port_info", snd_seq_get_port_info(handle, Int32(port.value), record.pointer))
    return unsafe Int(snd_seq_port_info_get_read_use(record.pointer))
  }

  /// Where the connections from `port` of ours lead.
  ///
  /// Source: `snd_seq_query_port_subscribers`, which ends with `ENOENT` after the last.
  func subscribers(of port: PortNumber) -> [PortAddress] {
    var found: [PortAddress] = []
    var query: OpaquePointer?
    guard unsafe snd_seq_query_subscribe_malloc(&query) >= 0, let query = unsafe query else {
      return []
    }
    defer { unsafe snd_seq_query_subscribe_free(query) }
    var root = snd_seq_addr_t(client: clientNumber, port: port.value)
    unsafe snd_seq_query_subscribe_set_root(query, &root)
    unsafe snd_seq_query_subscribe_set_type(query, SND_SEQ_QUERY_SUBS_READ)
    unsafe snd_seq_query_subscribe_set_index(query, 0)
    while unsafe snd_seq_query_port_subscribers(handle, query) >= 0 {
      if let address = unsafe snd_seq_query_subscribe_get_addr(query) {
        found.append(
          PortAddress(client: unsafe address.pointee.client, port: unsafe address.pointee.port))
      }
      unsafe snd_seq_query_subscribe_set_index(
        query, snd_seq_query_subscribe_get_index(query) + 1)
    }
    return found
  }

  /// Removes a port of ours with its connections; source: `snd_seq_delete_port`.
  public func deletePort(_ port: PortNumber) throws(ALSAError) {
    unsafe try check("snd_seq_delete_port", snd_seq_delete_port(handle, Int32(port.value)))
  }

  /// All ports of all clients, our own and the kernel's included, by address.
  ///
  /// Source: `snd_seq_query_next_client`, `snd_seq_query_next_port`.
  public func ports() throws(ALSAError) -> [PortInfo] {
    var found: [PortInfo] = []
    let client = try ClientRecord()
    let port = try PortRecord()
    unsafe snd_seq_client_info_set_client(client.pointer, -1)
    while unsafe snd_seq_query_next_client(handle, client.pointer) >= 0 {
      unsafe snd_seq_port_info_set_client(
        port.pointer, snd_seq_client_info_get_client(client.pointer))
      unsafe snd_seq_port_info_set_port(port.pointer, -1)
      while unsafe snd_seq_query_next_port(handle, port.pointer) >= 0 {
        found.append(PortInfo(client, port))
      }
    }
    return found.sorted { $0.address < $1.address }
  }

  /// The port at `address`; `nil` when there is none.
  ///
  /// Two system calls, where `ports()` makes one for each client and port there is: while a clock
  /// runs, each of them can make it wait, because the kernel takes one call of a client at a time.
  /// Source: `snd_seq_get_any_client_info`, `snd_seq_get_any_port_info`.
  public func port(at address: PortAddress) throws(ALSAError) -> PortInfo? {
    let client = try ClientRecord()
    let port = try PortRecord()
    let (number, place) = (Int32(address.client), Int32(address.port))
    guard unsafe snd_seq_get_any_client_info(handle, number, client.pointer) >= 0,
      unsafe snd_seq_get_any_port_info(handle, number, place, port.pointer) >= 0
    else { return nil }
    return PortInfo(client, port)
  }
}

extension PortInfo {
  /// What two of the kernel's records say together.
  fileprivate init(_ client: borrowing ClientRecord, _ port: borrowing PortRecord) {
    let number = unsafe snd_seq_client_info_get_client(client.pointer)
    let card = unsafe snd_seq_client_info_get_card(client.pointer)
    let process = unsafe snd_seq_client_info_get_pid(client.pointer)
    self.init(
      address: PortAddress(
        client: UInt8(truncatingIfNeeded: number),
        port: unsafe UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(port.pointer))),
      clientName: unsafe SequencerName(copying: snd_seq_client_info_get_name(client.pointer)),
      name: unsafe SequencerName(copying: snd_seq_port_info_get_name(port.pointer)),
      capabilities: unsafe PortInfo.Capabilities(
        rawValue: snd_seq_port_info_get_capability(port.pointer)),
      typeBits: unsafe snd_seq_port_info_get_type(port.pointer),
      isKernelClient: unsafe snd_seq_client_info_get_type(client.pointer)
        == SND_SEQ_KERNEL_CLIENT,
      card: card >= 0 ? card : nil, processID: process > 0 ? process : nil)
  }
}

extension SequencerName {
  fileprivate init(copying cString: UnsafePointer<CChar>?) {
    guard let cString = unsafe cString else {
      self.init(bytes: [])
      return
    }
    let bytes = unsafe UnsafeBufferPointer(start: cString, count: strlen(cString))
    self.init(bytes: unsafe bytes.map { UInt8(bitPattern: $0) })
  }
}

// MARK: - Connections

extension Sequencer {
  /// Connects `port` of ours to `destination`; no error when it already is.
  ///
  /// Source: `snd_seq_subscribe_port`. Errors: `EBUSY` when another program has the port to
  /// itself, `EPERM` when it takes no connections.
  public func connect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    try subscribe(sender: own(port), destination: destination)
  }

  /// Connects `source` to `port` of ours; no error when it already is.
  ///
  /// Source and errors as for `connect(_:to:)`.
  public func connect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    try subscribe(sender: source, destination: own(port))
  }

  /// Takes back `connect(_:to:)`; source: `snd_seq_unsubscribe_port`.
  public func disconnect(_ port: PortNumber, to destination: PortAddress) throws(ALSAError) {
    let record = try SubscriptionRecord(sender: own(port), destination: destination)
    unsafe try check("snd_seq_unsubscribe_port", snd_seq_unsubscribe_port(handle, record.pointer))
  }

  /// Takes back `connect(_:from:)`; source: `snd_seq_unsubscribe_port`.
  public func disconnect(_ port: PortNumber, from source: PortAddress) throws(ALSAError) {
    let record = try SubscriptionRecord(sender: source, destination: own(port))
    unsafe try check("snd_seq_unsubscribe_port", snd_seq_unsubscribe_port(handle, record.pointer))
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

  private func subscribe(
    sender: PortAddress, destination: PortAddress
  ) throws(ALSAError) {
    let record = try SubscriptionRecord(sender: sender, destination: destination)
    let result = unsafe snd_seq_subscribe_port(handle, record.pointer)
    // EBUSY says either "already so" or "somebody has it exclusively".
    if result == -EBUSY, unsafe snd_seq_get_port_subscription(handle, record.pointer) >= 0 {
      return
    }
    try check("snd_seq_subscribe_port", result)
  }
}

// MARK: - Input

/// One thing that came in from the sequencer.
public enum IncomingEvent: Hashable, Sendable {
  /// A MIDI message on our `port`; `stamp` is when the kernel delivered it, `nil` without a queue.
  case message(MIDIMessage, port: PortNumber, source: PortAddress, stamp: HostTime?)
  /// Input was lost: the kernel's buffer was full and all of it has been dropped (`ENOSPC`).
  case overrun
  /// A client has come; it has no ports and perhaps no name yet.
  case clientStarted(UInt8)
  /// A client has gone.
  case clientExited(UInt8)
  /// A port has come: the time to connect to it again.
  case portStarted(PortAddress)
  /// A port has gone, and its connections with it.
  case portExited(PortAddress)
  /// Two ports have been connected.
  case subscribed(sender: PortAddress, destination: PortAddress)
  /// Two ports have been disconnected.
  case unsubscribed(sender: PortAddress, destination: PortAddress)
  /// Something that means nothing to us, by its number in alsa-lib's `seq_event.h`.
  case other(type: UInt8)
}

extension Sequencer {
  /// The next event that has come in; `nil` when there is none now.
  ///
  /// Never waits. Call it until `nil` each time `pollDescriptor` is readable, because alsa-lib
  /// reads ahead. A tick of a queue or a word of the kernel's timer port is never a message.
  /// Source: `snd_seq_event_input`. Throws on anything but `EAGAIN` and `ENOSPC`.
  public func nextEvent() throws(ALSAError) -> IncomingEvent? {
    var pointer: UnsafeMutablePointer<snd_seq_event_t>?
    let result = unsafe snd_seq_event_input(handle, &pointer)
    if result == -EAGAIN || result == -EINTR { return nil }
    if result == -ENOSPC { return .overrun }
    try check("snd_seq_event_input", result)
    guard let event = unsafe pointer?.pointee else { return nil }

    switch event.meaning {
    case .message(let message):
      return .message(
        message, port: PortNumber(event.dest.port), source: event.sender, stamp: hostTime(event))
    case .some where Int(event.dest.port) != announcementPort.load(ordering: .relaxed):
      // The kernel also tells the port concerned, so each of these would come twice.
      return .other(type: event.type)
    case .clientStarted(let client): return .clientStarted(client)
    case .clientExited(let client): return .clientExited(client)
    case .portStarted(let address): return .portStarted(address)
    case .portExited(let address): return .portExited(address)
    case .subscribed(let sender, let destination):
      return .subscribed(sender: sender, destination: destination)
    case .unsubscribed(let sender, let destination):
      return .unsubscribed(sender: sender, destination: destination)
    case nil: return .other(type: event.type)
    }
  }

  /// Whether alsa-lib has read events ahead that `nextEvent` has not given yet.
  ///
  /// No system call. Source: `snd_seq_event_input_pending`.
  var hasReadAhead: Bool { unsafe snd_seq_event_input_pending(handle, 0) > 0 }

  /// Drops all input that has come so far, so that nothing older than now is taken for new.
  ///
  /// Source: `snd_seq_drop_input`.
  public func dropInput() { unsafe _ = snd_seq_drop_input(handle) }

  /// From now on stamps by `queue` count from `origin`, the host time of the queue's zero.
  func stamps(by queue: QueueNumber, from origin: HostTime) {
    stampOrigin.store(origin.nanoseconds, ordering: .relaxed)
    stampQueue.store(Int(queue.value), ordering: .releasing)
  }

  private func hostTime(_ event: snd_seq_event_t) -> HostTime? {
    let queue = stampQueue.load(ordering: .acquiring)
    guard queue != Sequencer.none, let stamp = event.stamp(by: UInt8(truncatingIfNeeded: queue))
    else { return nil }
    return HostTime(nanoseconds: stampOrigin.load(ordering: .relaxed))
      + HostTime.Span(nanoseconds: stamp)
  }
}

// MARK: - Records

// alsa-lib's info records are opaque and all the same type to Swift, so each kind has an owner
// of its own that frees it.

@safe private struct ClientRecord: ~Copyable {
  let pointer: OpaquePointer
  init() throws(ALSAError) {
    var raw: OpaquePointer?
    unsafe try check("snd_seq_client_info_malloc", snd_seq_client_info_malloc(&raw))
    guard let raw = unsafe raw else { throw .outOfMemory("snd_seq_client_info_malloc") }
    unsafe pointer = raw
  }
  deinit { unsafe snd_seq_client_info_free(pointer) }
}

@safe private struct PortRecord: ~Copyable {
  let pointer: OpaquePointer
  init() throws(ALSAError) {
    var raw: OpaquePointer?
    unsafe try check("snd_seq_port_info_malloc", snd_seq_port_info_malloc(&raw))
    guard let raw = unsafe raw else { throw .outOfMemory("snd_seq_port_info_malloc") }
    unsafe pointer = raw
  }
  deinit { unsafe snd_seq_port_info_free(pointer) }
}

@safe private struct SubscriptionRecord: ~Copyable {
  let pointer: OpaquePointer
  init(sender: PortAddress, destination: PortAddress) throws(ALSAError) {
    var raw: OpaquePointer?
    unsafe try check("snd_seq_port_subscribe_malloc", snd_seq_port_subscribe_malloc(&raw))
    guard let raw = unsafe raw else { throw .outOfMemory("snd_seq_port_subscribe_malloc") }
    unsafe pointer = raw
    var from = snd_seq_addr_t(client: sender.client, port: sender.port)
    unsafe snd_seq_port_subscribe_set_sender(pointer, &from)
    var to = snd_seq_addr_t(client: destination.client, port: destination.port)
    unsafe snd_seq_port_subscribe_set_dest(pointer, &to)
  }
  deinit { unsafe snd_seq_port_subscribe_free(pointer) }
}

extension ALSAError {
  static func outOfMemory(_ operation: String) -> ALSAError {
    ALSAError(operation: operation, code: -ENOMEM)
  }
}
