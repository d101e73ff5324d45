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
