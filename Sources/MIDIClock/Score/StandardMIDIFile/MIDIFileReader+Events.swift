extension MIDIFileReader {
  /// An event of a track that matters to a score.
  struct Event {
    /// What it is.
    enum Kind {
      case tempo(microseconds: Int64)
      case meter(beats: Int64, unit: Int64)
      case note
      /// The end of the track, or any other event: the song is at least this long.
      case other
    }

    /// Ticks of the file from its beginning.
    var tick: Int64
    var kind: Kind
  }

  /// Reads the events of a track.
  struct TrackReader {
    private let bytes: ArraySlice<UInt8>
    private var cursor: StandardMIDIFile.Cursor
    private var tick: Int64 = 0
    private var status: UInt8 = 0
    /// Whether a real-time message stands before the event it interrupts, without a time of its own.
    private var hasBareRealTime = false
    private(set) var events: [Event] = []
    /// Whether its End of Track was found.
    private(set) var isAtEnd = false
    /// Whether there are messages that only a wire carries.
    private(set) var hasSystemMessages = false

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      cursor = StandardMIDIFile.Cursor(bytes)
    }

    /// Whether the track was read to its end without an error.
    var isWhole: Bool { isAtEnd || cursor.rest.isEmpty }
    /// How many bytes were read.
    var offset: Int { bytes.count - cursor.rest.count }
    /// What was not read.
    var rest: ArraySlice<UInt8> { cursor.rest }

    /// Reads up to the end of the track, or to what cannot be read.
    mutating func read() {
      while let event = next() { append(event) }
      guard !isWhole, hasSystemMessages, !hasBareRealTime else { return }
      // Some programs write the time of a real-time message, others only the message.
      var other = TrackReader(bytes)
      other.hasBareRealTime = true
      while let event = other.next() { other.append(event) }
      if other.isWhole { self = other }
    }

    /// Of events that only make the song longer, the last is enough.
    private mutating func append(_ event: Event) {
      if case .other = event.kind, let last = events.last, case .other = last.kind {
        events[events.count - 1] = event
      } else if case .note = event.kind, let last = events.last, case .note = last.kind {
        events[events.count - 1] = event
      } else {
        events.append(event)
      }
    }

    private mutating func next() -> Event? {
      guard !isAtEnd, !cursor.rest.isEmpty else { return nil }
      let before = cursor
      guard let delta = cursor.variable(), let kind = kind() else {
        cursor = before
        return nil
      }
      tick += Int64(delta)
      return Event(tick: tick, kind: kind)
    }

    private mutating func kind() -> Event.Kind? {
      if hasBareRealTime { skipRealTime() }
      guard let first = cursor.rest.first else { return nil }
      if first >= 0x80 {
        _ = cursor.byte()
        // Meta events and System Exclusive end running status; many writers go on with it.
        if first < 0xF0 { status = first }
      }
      switch first >= 0x80 ? first : status {
      case 0x90..<0xA0:
        guard data() != nil, let velocity = data() else { return nil }
        return velocity > 0 ? .note : .other
      case 0x80..<0xC0, 0xE0..<0xF0: return data() == nil || data() == nil ? nil : .other
      case 0xC0..<0xE0: return data() == nil ? nil : .other
      case 0xF0, 0xF7:
        guard let length = cursor.variable(), cursor.take(length) != nil else { return nil }
        return .other
      case 0xFF: return meta()
      case 0xF1, 0xF3: return system(1)
      case 0xF2: return system(2)
      case 0xF4...0xFE: return system(0)
      default: return nil
      }
    }

    /// A data byte; a real-time message may interrupt the bytes of another.
    private mutating func data() -> UInt8? {
      skipRealTime()
      return cursor.byte()
    }

    private mutating func skipRealTime() {
      while let byte = cursor.rest.first, (0xF8..<0xFF).contains(byte) {
        _ = cursor.byte()
        hasSystemMessages = true
      }
    }

    private mutating func system(_ length: Int) -> Event.Kind? {
      hasSystemMessages = true
      return cursor.take(length) == nil ? nil : .other
    }

    private mutating func meta() -> Event.Kind? {
      guard let type = cursor.byte(), let length = cursor.variable(),
        var body = cursor.take(length).map(StandardMIDIFile.Cursor.init)
      else { return nil }
      switch type {
      case 0x2F: isAtEnd = true
      case 0x51:
        if let microseconds = body.number(3) { return .tempo(microseconds: Int64(microseconds)) }
      case 0x58:
        if let beats = body.byte(), let power = body.byte() {
          return .meter(beats: Int64(beats), unit: power < 16 ? 1 << Int64(power) : 0)
        }
      default: break
      }
      return .other
    }
  }
}
