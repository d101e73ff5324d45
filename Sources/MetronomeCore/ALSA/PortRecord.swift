internal import CALSASeq

/// Owns alsa-lib's record of a port, and frees it.
@safe struct PortRecord: ~Copyable {
  let pointer: OpaquePointer
  init() throws(ALSAError) {
    var raw: OpaquePointer?
    unsafe try check("snd_seq_port_info_malloc", snd_seq_port_info_malloc(&raw))
    guard let raw = unsafe raw else { throw .outOfMemory("snd_seq_port_info_malloc") }
    unsafe pointer = raw
  }
  deinit { unsafe snd_seq_port_info_free(pointer) }
}
