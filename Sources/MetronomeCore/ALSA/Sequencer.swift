internal import CALSASeq
internal import Glibc
internal import Synchronization

/// A client of the ALSA sequencer: its ports, its connections and its input.
///
/// The client is closed when the last reference is released.
///
/// Sharing it between threads is safe only in this way. Any thread may send through `output`: for a
/// fixed-size event `snd_seq_event_output_direct` only reads fields of the handle that never change
/// after `snd_seq_open`, and ends in one `write(2)`, which the kernel serializes. One thread at a
/// time reads, because `snd_seq_event_input` keeps its read buffer in the handle. The remaining
/// functions are ioctls on separate records. Each can delay a `write` of the same client, so none
/// is called on the clock's client while it sends (`SequencerClients`). Our own stored numbers are
/// atomics.
@safe public final class Sequencer: Sendable {
  nonisolated(unsafe) let handle: OpaquePointer
  let announcementPort = Atomic<Int>(Sequencer.none)
  let stampQueue = Atomic<Int>(Sequencer.none)
  let stampOrigin = Atomic<Int64>(0)
  static let none = -1

  /// The maximum number of events that the kernel lets a client have waiting in each direction.
  ///
  /// Source: `SNDRV_SEQ_MAX_EVENTS` and `SNDRV_SEQ_MAX_CLIENT_EVENTS`.
  public static var poolSize: Int { 2_000 }

  private init(adopting handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe _ = snd_seq_close(handle) }

  /// Opens the sequencer for both directions, non-blocking, and names the client.
  ///
  /// A name longer than 63 bytes is cut between two characters. For a client that `sends`, the
  /// output pool exists before this returns, so that creating it does not delay the first event.
  /// Errors: `snd_seq_open` if the sequencer is missing or not permitted; source: `snd_seq_open`,
  /// `snd_seq_set_client_name`, `snd_seq_set_client_pool_output`, `snd_seq_set_client_pool_input`.
  public static func open(clientName: String, sends: Bool = true) throws(ALSAError) -> Sequencer {
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
      "snd_seq_set_client_pool_input", snd_seq_set_client_pool_input(handle, poolSize))
    guard sends else { return sequencer }
    unsafe try check(
      "snd_seq_set_client_pool_output", snd_seq_set_client_pool_output(handle, poolSize))
    // The kernel creates the output pool at the first write; an event of type NONE goes nowhere.
    var nothing = snd_seq_event_t()
    nothing.type = snd_seq_event_type_t(SND_SEQ_EVENT_NONE.rawValue)
    unsafe try check(
      "snd_seq_event_output_direct", snd_seq_event_output_direct(handle, &nothing))
    return sequencer
  }

  /// alsa-lib would print to stderr itself; every error reaches the user as an `ALSAError`.
  private static let silenced: Int32 = midimetro_alsa_silence()

  /// The longest prefix of `name` that ALSA can store, ending between two characters.
  static func fit(_ name: String) -> String {
    var fitting = name
    while fitting.utf8.count > 63 { fitting.removeLast() }
    return fitting
  }

  /// Our client number; source: `snd_seq_client_id`.
  public var clientNumber: UInt8 { unsafe UInt8(truncatingIfNeeded: snd_seq_client_id(handle)) }

  /// The sending end, for the engine's thread; keep the sequencer alive while it is in use.
  public var output: SequencerOutput { unsafe SequencerOutput(borrowing: handle) }

  /// The descriptor to poll for input; readable when `nextEvent` has something new.
  public var pollDescriptor: Int32 {
    var descriptor = pollfd()
    unsafe _ = snd_seq_poll_descriptors(handle, &descriptor, 1, Int16(POLLIN))
    return descriptor.fd
  }
}
