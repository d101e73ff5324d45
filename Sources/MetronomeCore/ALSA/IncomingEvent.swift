public import MIDIClock

/// An event received from the sequencer.
public enum IncomingEvent: Hashable, Sendable {
  /// A MIDI message on our `port`; `stamp` is when the kernel delivered it, `nil` without a queue.
  case message(MIDIMessage, port: PortNumber, source: PortAddress, stamp: HostTime?)
  /// Input was lost: the kernel's buffer was full and its contents were dropped (`ENOSPC`).
  case overrun
  /// A client was created; it has no ports and perhaps no name yet.
  case clientStarted(UInt8)
  /// A client exited.
  case clientExited(UInt8)
  /// A port was created: the time to reconnect to it.
  case portStarted(PortAddress)
  /// A port was deleted, along with its connections.
  case portExited(PortAddress)
  /// Two ports were connected.
  case subscribed(sender: PortAddress, destination: PortAddress)
  /// Two ports were disconnected.
  case unsubscribed(sender: PortAddress, destination: PortAddress)
  /// An event of no use to us, by its number in alsa-lib's `seq_event.h`.
  case other(type: UInt8)
}
