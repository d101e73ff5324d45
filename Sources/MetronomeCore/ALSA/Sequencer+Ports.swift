internal import CALSASeq
internal import Glibc

extension Sequencer {
  /// The direction of one of our ports.
  public enum Direction: Hashable, Sendable {
    /// We send from it; others may connect it to their inputs.
    case output
    /// We receive on it; others may connect their outputs to it.
    case input
    /// We receive on it; others can neither see it in a patchbay nor connect to it.
    case privateInput
  }

  /// Creates a port.
  ///
  /// With `stampedBy`, events that arrive on the port carry the time of that queue when the kernel
  /// delivered them. Names longer than 63 bytes are cut between two characters. Source:
  /// `snd_seq_create_port`.
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

  /// The addresses that `port`, of any client, is connected to; empty if the query fails.
  ///
  /// Source: `snd_seq_query_port_subscribers`, which ends with `ENOENT` after the last.
  func subscribers(of port: PortAddress) -> [PortAddress] {
    var found: [PortAddress] = []
    var query: OpaquePointer?
    guard unsafe snd_seq_query_subscribe_malloc(&query) >= 0, let query = unsafe query else {
      return []
    }
    defer { unsafe snd_seq_query_subscribe_free(query) }
    var root = snd_seq_addr_t(client: port.client, port: port.port)
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

  /// Deletes one of our ports and its connections; source: `snd_seq_delete_port`.
  public func deletePort(_ port: PortNumber) throws(ALSAError) {
    unsafe try check("snd_seq_delete_port", snd_seq_delete_port(handle, Int32(port.value)))
  }

  /// All ports of all clients, including our own and the kernel's, by address.
  ///
  /// Ends silently at the first error of a query, as at the end of the list. Source:
  /// `snd_seq_query_next_client`, `snd_seq_query_next_port`.
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

  /// The port at `address`; `nil` if it does not exist.
  ///
  /// Two system calls, whereas `ports()` makes one per client and port. Source:
  /// `snd_seq_get_any_client_info`, `snd_seq_get_any_port_info`.
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
