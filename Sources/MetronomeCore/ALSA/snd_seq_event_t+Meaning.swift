internal import CALSASeq
internal import MIDIClock

// The only file that touches the unions of `snd_seq_event_t`. Members of a union overlap and
// reading the wrong one compiles, so every read here comes after a check of `type` or `flags`.

extension snd_seq_event_t {
  /// The event that carries `message`, without addresses and without a stamp.
  ///
  /// Real-time safe: no allocation, no lock, no reference counting.
  init(_ message: MIDIMessage) {
    self.init()
    switch message {
    // F8 is CLOCK; TICK belongs to the queue and is not a wire message.
    case .clock: type = snd_seq_event_type_t(SND_SEQ_EVENT_CLOCK.rawValue)
    case .start: type = snd_seq_event_type_t(SND_SEQ_EVENT_START.rawValue)
    case .continue: type = snd_seq_event_type_t(SND_SEQ_EVENT_CONTINUE.rawValue)
    case .stop: type = snd_seq_event_type_t(SND_SEQ_EVENT_STOP.rawValue)
    case .songPosition(let position):
      type = snd_seq_event_type_t(SND_SEQ_EVENT_SONGPOS.rawValue)
      // One field contains all 14 bits; the kernel splits them for the wire.
      unsafe data.control.value = Int32(position.midiBeats)
    case .noteOn(let channel, let key, let velocity):
      type = snd_seq_event_type_t(SND_SEQ_EVENT_NOTEON.rawValue)
      unsafe data.note.channel = channel
      unsafe data.note.note = key
      unsafe data.note.velocity = velocity
    case .noteOff(let channel, let key, let velocity):
      type = snd_seq_event_type_t(SND_SEQ_EVENT_NOTEOFF.rawValue)
      unsafe data.note.channel = channel
      unsafe data.note.note = key
      unsafe data.note.velocity = velocity
    case .control(let channel, let controller, let value):
      type = snd_seq_event_type_t(SND_SEQ_EVENT_CONTROLLER.rawValue)
      unsafe data.control.channel = channel
      unsafe data.control.param = UInt32(controller)
      unsafe data.control.value = Int32(value)
    }
  }

  /// Makes the event leave at once, from `port` to its subscribers.
  mutating func address(from port: PortNumber) {
    source.port = port.value
    dest.client = UInt8(truncatingIfNeeded: SND_SEQ_ADDRESS_SUBSCRIBERS)
    dest.port = UInt8(truncatingIfNeeded: SND_SEQ_ADDRESS_UNKNOWN)
    queue = UInt8(truncatingIfNeeded: SND_SEQ_QUEUE_DIRECT)
  }

  /// Makes the event leave at once, from `port` to `destination` alone.
  mutating func address(from port: PortNumber, to destination: PortAddress) {
    source.port = port.value
    dest.client = destination.client
    dest.port = destination.port
    queue = UInt8(truncatingIfNeeded: SND_SEQ_QUEUE_DIRECT)
  }

  /// Makes the event wait in `queue` until `nanoseconds` of queue time, 0 or more.
  mutating func schedule(on queue: QueueNumber, at nanoseconds: Int64) {
    self.queue = queue.value
    flags = UInt8(truncatingIfNeeded: SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS)
    unsafe time.time.tv_sec = UInt32(truncatingIfNeeded: nanoseconds / 1_000_000_000)
    unsafe time.time.tv_nsec = UInt32(truncatingIfNeeded: nanoseconds % 1_000_000_000)
  }

  /// The event that starts or stops `queue`; it is sent to the kernel's timer port at once.
  init(queueControl type: snd_seq_event_type, of queue: QueueNumber) {
    self.init()
    self.type = snd_seq_event_type_t(type.rawValue)
    dest.client = UInt8(truncatingIfNeeded: SND_SEQ_CLIENT_SYSTEM)
    dest.port = UInt8(truncatingIfNeeded: SND_SEQ_PORT_SYSTEM_TIMER)
    self.queue = UInt8(truncatingIfNeeded: SND_SEQ_QUEUE_DIRECT)
    unsafe data.queue.queue = queue.value
  }

  /// The sender of the event.
  var sender: PortAddress { PortAddress(client: source.client, port: source.port) }

  /// The time of `queue`, in nanoseconds, when the event was delivered; `nil` unless that queue
  /// stamped it.
  func stamp(by queue: UInt8) -> Int64? {
    guard self.queue == queue, Int32(flags) & SND_SEQ_TIME_STAMP_MASK == SND_SEQ_TIME_STAMP_REAL
    else { return nil }
    return unsafe Int64(time.time.tv_sec) * 1_000_000_000 + Int64(time.time.tv_nsec)
  }

  /// The meaning of the event, with `stamp`; `.other` for the many types of no use to us.
  ///
  /// Events of the kernel's own client are never music: its timer port sends START and STOP about
  /// queues. Announcements are accepted only from its announcement port, since any program can send
  /// events of these types.
  func incoming(stamp: HostTime?) -> IncomingEvent {
    if source.client == UInt8(truncatingIfNeeded: SND_SEQ_CLIENT_SYSTEM) {
      return source.port == UInt8(truncatingIfNeeded: SND_SEQ_PORT_SYSTEM_ANNOUNCE)
        ? announcement : .other(type: type)
    }
    guard let message else { return .other(type: type) }
    return .message(message, port: PortNumber(dest.port), source: sender, stamp: stamp)
  }

  private var announcement: IncomingEvent {
    switch UInt32(type) {
    case SND_SEQ_EVENT_CLIENT_START.rawValue: unsafe .clientStarted(data.addr.client)
    case SND_SEQ_EVENT_CLIENT_EXIT.rawValue: unsafe .clientExited(data.addr.client)
    case SND_SEQ_EVENT_PORT_START.rawValue:
      unsafe .portStarted(PortAddress(client: data.addr.client, port: data.addr.port))
    case SND_SEQ_EVENT_PORT_EXIT.rawValue:
      unsafe .portExited(PortAddress(client: data.addr.client, port: data.addr.port))
    case SND_SEQ_EVENT_PORT_SUBSCRIBED.rawValue:
      .subscribed(sender: connectSender, destination: connectDestination)
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED.rawValue:
      .unsubscribed(sender: connectSender, destination: connectDestination)
    default: .other(type: type)
    }
  }

  private var connectSender: PortAddress {
    unsafe PortAddress(client: data.connect.sender.client, port: data.connect.sender.port)
  }

  private var connectDestination: PortAddress {
    unsafe PortAddress(client: data.connect.dest.client, port: data.connect.dest.port)
  }

  private var message: MIDIMessage? {
    switch UInt32(type) {
    case SND_SEQ_EVENT_CLOCK.rawValue: return .clock
    case SND_SEQ_EVENT_START.rawValue: return .start
    case SND_SEQ_EVENT_CONTINUE.rawValue: return .continue
    case SND_SEQ_EVENT_STOP.rawValue: return .stop
    case SND_SEQ_EVENT_SONGPOS.rawValue:
      return unsafe SongPosition(midiBeats: Int64(data.control.value)).map { .songPosition($0) }
    case SND_SEQ_EVENT_NOTEON.rawValue:
      guard noteIsInRange else { return nil }
      return unsafe data.note.velocity == 0
        ? .noteOff(channel: data.note.channel, key: data.note.note, velocity: 0)
        : .noteOn(
          channel: data.note.channel, key: data.note.note, velocity: data.note.velocity)
    case SND_SEQ_EVENT_NOTEOFF.rawValue:
      guard noteIsInRange else { return nil }
      return unsafe .noteOff(
        channel: data.note.channel, key: data.note.note, velocity: data.note.velocity)
    case SND_SEQ_EVENT_CONTROLLER.rawValue:
      guard unsafe data.control.channel < 16, unsafe data.control.param < 128,
        unsafe (0..<128).contains(data.control.value)
      else { return nil }
      return unsafe .control(
        channel: data.control.channel, controller: UInt8(data.control.param),
        value: UInt8(data.control.value))
    default: return nil
    }
  }

  /// Programs, unlike cables, can send any byte here.
  private var noteIsInRange: Bool {
    unsafe data.note.channel < 16 && data.note.note < 128 && data.note.velocity < 128
  }
}
