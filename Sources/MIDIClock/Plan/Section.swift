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
  /// How it goes on after `line`, which moves a beat to where it is wanted; `nil` when `line` is the
  /// one to stay.
  var move: Move?
  /// The passage of the score it belongs to.
  var passage: Int
  /// The part of the song that the passage belongs to.
  var part: PlayedPart?

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

  /// The place of a moved beat, and the pace from there on.
  struct Move {
    var goal: Tick
    var pace: Pace

    @_noLocks
    init(goal: Tick, pace: Pace) {
      self.goal = goal
      self.pace = pace
    }
  }

  /// The end of a section that nothing ends: beyond any song, far from overflow.
  static var endless: Tick { @_noLocks get { Tick(1 << 40) } }

  /// The pace at `tick` that was asked for, whatever the one at which a beat is moved.
  @_noLocks
  func pace(at tick: Tick) -> Pace {
    if let move { return move.pace }
    return line.pace(at: tick)
  }

  /// The tempo shown at `tick`, likewise.
  @_noLocks
  func tempo(at tick: Tick) -> Tempo {
    if let move { return move.pace.tempo }
    return line.tempo(at: tick)
  }

  /// The tempo told where the section begins.
  var askedTempo: Tempo {
    @_noLocks get {
      if let move { return move.pace.tempo }
      return line.pace.tempo
    }
  }

  /// The line of the pace that was asked for: from the moved beat on, or `line` itself.
  var settledLine: TempoMap.Segment {
    @_noLocks get {
      guard let move else { return line }
      return TempoMap.Segment(
        tick: move.goal, time: line.time(of: ExactTick(move.goal)), pace: move.pace)
    }
  }

  /// The instant at which the next section begins.
  var endTime: HostTime { @_noLocks get { line.time(of: ExactTick(end)) } }
}
