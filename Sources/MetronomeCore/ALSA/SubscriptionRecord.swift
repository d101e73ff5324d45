internal import CALSASeq

/// Owns alsa-lib's record of a connection between two ports, and frees it.
@safe struct SubscriptionRecord: ~Copyable {
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
