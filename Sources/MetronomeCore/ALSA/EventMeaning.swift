internal import MIDIClock

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
