internal import CALSASeq

/// Owns alsa-lib's record of a client, and frees it.
///
/// alsa-lib's info records are opaque and all have the same type in Swift, so each kind has its own
/// owner.
@safe struct ClientRecord: ~Copyable {
  let pointer: OpaquePointer
  init() throws(ALSAError) {
    var raw: OpaquePointer?
    unsafe try check("snd_seq_client_info_malloc", snd_seq_client_info_malloc(&raw))
    guard let raw = unsafe raw else { throw .outOfMemory("snd_seq_client_info_malloc") }
    unsafe pointer = raw
  }
  deinit { unsafe snd_seq_client_info_free(pointer) }
}
