/// A stretch of time in which nothing changes: one tempo or ramp, one pattern, one transport state.
///
/// Every change, live or written in the score, begins a new section on a tick of the one before,
/// so the place never jumps and no pulse is lost or doubled where they meet.
struct Section {
  /// Ticks to time.
  ///
  /// In a stopped section the ticks only carry the pulse grid on.
  var line: TempoMap.Segment
  /// Bars, beats and clicks.
  var span: MeterSpan
  /// The first tick, on this section's line.
  var start: Tick
  /// The instant of `start`.
  var time: HostTime
  /// The tick at which this section ends, on its own line; far away while nothing ends it.
  var end: Tick
  /// What the transport does.
  var state: Transport
  /// Whether pulses go out.
  var hasPulses: Bool
  /// Whether clicks and beats are planned.
  var hasClicks: Bool
  /// What is sent where the section begins.
  var entry: Transport.Entry
  /// Whether the tempo is told where the section begins.
  var announcesTempo: Bool
  /// Where Continue goes on; in a stopped section only.
  var resume: Tick
  /// Whether the devices are at that place: they were stopped there, or sent there.
  var isPlaceKnown = false
  /// The line that takes over at its tick, while `line` moves a beat to where it is wanted; `nil`
  /// when `line` is the one to stay.
  var settled: TempoMap.Segment?
  /// The passage of the score it belongs to.
  var passage: Int

  /// A section of its parts; the compiler's own initializer is not known to be real-time safe.
  @_noLocks
  init(
    line: TempoMap.Segment, span: MeterSpan, start: Tick, time: HostTime, end: Tick,
    state: Transport, hasPulses: Bool, hasClicks: Bool, entry: Transport.Entry,
    announcesTempo: Bool, resume: Tick, passage: Int
  ) {
    self.line = line
    self.span = span
    self.start = start
    self.time = time
    self.end = end
    self.state = state
    self.hasPulses = hasPulses
    self.hasClicks = hasClicks
    self.entry = entry
    self.announcesTempo = announcesTempo
    self.resume = resume
    self.passage = passage
  }

  /// The end of a section that nothing ends: beyond any song, far from overflow.
  static var endless: Tick { @_noLocks get { Tick(1 << 40) } }

  /// The tempo at `tick` that was asked for, whatever the pace at which a beat is moved.
  @_noLocks
  func tempo(at tick: Tick) -> Tempo {
    if let settled { return settled.tempo }
    return line.tempo(at: tick)
  }

  /// The tempo told where the section begins.
  var askedTempo: Tempo {
    @_noLocks get {
      if let settled { return settled.tempo }
      return line.tempo
    }
  }

  /// The instant at which the next section begins.
  var endTime: HostTime { @_noLocks get { line.time(of: ExactTick(end)) } }
}

/// The last few sections, from the one the slowest route is in to the newest.
///
/// Fixed room: routes are at most a second apart, and the shortest bar (1/32 at 400 quarters per
/// minute) lasts 18.75 ms. A change is put off while there is no room.
struct SectionRing: ~Copyable {
  private static var capacity: Int { @_noLocks get { 64 } }
  private var sections: [64 of Section]
  /// The number of the newest section, counted from 0.
  private(set) var newest = 0

  init(first: Section) { sections = .init(repeating: first) }

  /// The same sections again.
  init(copying other: borrowing SectionRing) {
    sections = other.sections
    newest = other.newest
  }

  /// Takes over the sections of `other` from number `oldest` on.
  mutating func become(_ other: inout SectionRing, from oldest: Int) {
    newest = other.newest
    var number = oldest
    while number <= newest {
      sections[number % Self.capacity] = other.sections[number % Self.capacity]
      number += 1
    }
  }

  /// True when another section would overwrite one that a route still reads.
  @_noLocks
  func isFull(oldestInUse: Int) -> Bool { newest &- oldestInUse >= Self.capacity &- 2 }

  @_noLocks
  mutating func append(_ section: Section) {
    newest &+= 1
    sections[newest % Self.capacity] = section
  }

  /// Forgets the sections after `number`.
  mutating func drop(after number: Int) { newest = number }

  subscript(number: Int) -> Section {
    @_noLocks mutating get { sections[number % Self.capacity] }
    @_noLocks set { sections[number % Self.capacity] = newValue }
  }
}
