public import MIDIClock

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
