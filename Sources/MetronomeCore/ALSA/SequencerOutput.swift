internal import CALSASeq
public import MIDIClock

/// The sending end of a sequencer client, small enough to live on the engine's thread.
///
/// Plain old data: copying it does not count references. It borrows the handle of the `Sequencer`
/// it came from, which must outlive it; whatever starts a thread that sends keeps the `Sequencer`
/// until that thread is joined.
///
/// Every event is one `write(2)` of 28 bytes. alsa-lib's own output buffer is never used, so there
/// is nothing to drain, nothing that can be sent in part and nothing to lose on close.
@safe public struct SequencerOutput: Sendable {
  // Safe to share: see `Sequencer`.
  private nonisolated(unsafe) let handle: OpaquePointer

  init(borrowing handle: OpaquePointer) { unsafe self.handle = handle }

  /// Sends `message` from `port` to its subscribers, at once.
  ///
  /// Real-time safe: one system call, no allocation, no reference counting, no lock of ours. (The
  /// kernel holds the client's mutex during the call, as it does for the ioctls of the same client:
  /// see `SequencerClients`.) Returns 0, or a negative errno; source:
  /// `snd_seq_event_output_direct`. The error may concern only one subscriber, such as a program
  /// that no longer reads (`-ENOMEM`, `-EAGAIN`); the others have received the event, so never send
  /// it again.
  @_semantics("no_performance_analysis")
  public func send(_ message: MIDIMessage, from port: PortNumber) -> Int32 {
    var event = snd_seq_event_t(message)
    event.address(from: port)
    return unsafe min(0, snd_seq_event_output_direct(handle, &event))
  }

  /// Sends `message` from `port` to `destination` alone, subscribed or not, at once.
  ///
  /// Real-time safe, with the same errors as `send(_:from:)`; `-EPERM` if the destination is not
  /// writable.
  @_semantics("no_performance_analysis")
  public func send(
    _ message: MIDIMessage, from port: PortNumber, to destination: PortAddress
  ) -> Int32 {
    var event = snd_seq_event_t(message)
    event.address(from: port, to: destination)
    return unsafe min(0, snd_seq_event_output_direct(handle, &event))
  }
}
