internal import CALSASeq
internal import Glibc
internal import MIDIClock
internal import Synchronization

extension Sequencer {
  /// The next incoming event; `nil` if there is none at the moment.
  ///
  /// Never blocks. Call it until it returns `nil` each time `pollDescriptor` is readable, because
  /// alsa-lib reads ahead. Queue ticks and events of the kernel's timer port are never returned as
  /// messages. Source: `snd_seq_event_input`. Throws on anything but `EAGAIN` and `ENOSPC`.
  public func nextEvent() throws(ALSAError) -> IncomingEvent? {
    var pointer: UnsafeMutablePointer<snd_seq_event_t>?
    let result = unsafe snd_seq_event_input(handle, &pointer)
    if result == -EAGAIN || result == -EINTR { return nil }
    if result == -ENOSPC { return .overrun }
    try check("snd_seq_event_input", result)
    guard let event = unsafe pointer?.pointee else { return nil }

    let incoming = event.incoming(stamp: hostTime(event))
    switch incoming {
    case .message, .other, .overrun: return incoming
    default:
      // The kernel also notifies the port concerned, so each of these would arrive twice.
      guard Int(event.dest.port) == announcementPort.load(ordering: .relaxed) else {
        return .other(type: event.type)
      }
      return incoming
    }
  }

  /// Whether alsa-lib has read events ahead that `nextEvent` has not returned yet.
  ///
  /// No system call. Source: `snd_seq_event_input_pending`.
  var hasReadAhead: Bool { unsafe snd_seq_event_input_pending(handle, 0) > 0 }

  /// Discards all pending input, so that nothing older than now is taken for new.
  ///
  /// Source: `snd_seq_drop_input`.
  public func dropInput() { unsafe _ = snd_seq_drop_input(handle) }

  /// Makes stamps by `queue` count from `origin`, the host time of the queue's zero.
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
