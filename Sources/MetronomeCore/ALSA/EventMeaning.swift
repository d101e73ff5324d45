internal import MIDIClock

// The only file that touches the unions of `snd_seq_event_t`. Members of a union overlap and
// reading the wrong one compiles, so every read here stands behind a look at `type` or `flags`.

/// One thing that came in from the sequencer, without its sender and stamp.
enum EventMeaning: Hashable {
  case message(MIDIMessage)
  case clientStarted(UInt8)
  case clientExited(UInt8)
  case portStarted(PortAddress)
  case portExited(PortAddress)
  case subscribed(sender: PortAddress, destination: PortAddress)
  case unsubscribed(sender: PortAddress, destination: PortAddress)
}
