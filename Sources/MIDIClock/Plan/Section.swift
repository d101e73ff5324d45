/// A stretch of time in which nothing changes: one tempo or ramp, one pattern, one transport state.
///
/// Every change, live or written in the score, begins a new section on a tick of the previous one,
/// so the position never jumps and no pulse is lost or doubled at the boundary.
struct Section {
  /// The tempo line, from ticks to time.
  ///
  /// In a stopped section the ticks only continue the pulse grid.
  var line: TempoMap.Segment
  /// Bars, beats and clicks.
  var span: MeterSpan
  /// The first tick, on this section's tempo line.
  var start: Tick
  /// The instant of `start`.
  var time: HostTime
  /// The tick at which this section ends, on its own tempo line; far away while nothing ends it.
  var end: Tick
  /// The transport state.
  var state: Transport
  /// Whether pulses go out.
  var hasPulses: Bool
  /// Whether clicks and beats are planned.
  var hasClicks: Bool
  /// The messages sent where the section begins.
  var entry: Transport.Entry
  /// Whether the tempo is reported where the section begins.
  var announcesTempo: Bool
  /// Where Continue resumes; in a stopped section only.
  var resume: Tick
  /// Whether the devices are at that position: they were stopped there, or moved there.
  var isPlaceKnown = false
  /// What follows after `line` when that only moves a beat; `nil` when `line` is the final tempo
  /// line.
  var move: Move?
  /// The passage of the score it belongs to, from 0.
  var passage: Int
  /// The part of the song that the passage belongs to.
  var part: PlayedPart?

  /// A section with these values; the synthesized initializer is not `@_noLocks`.
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

  /// The tick of a moved beat, and the pace from there on.
  struct Move {
    var goal: Tick
    var pace: Pace

    @_noLocks
    init(goal: Tick, pace: Pace) {
      self.goal = goal
      self.pace = pace
    }
  }

  /// The requested pace at `tick`, not the one that moves a beat.
  @_noLocks
  func pace(at tick: Tick) -> Pace {
    if let move { return move.pace }
    return line.pace(at: tick)
  }

  /// The tempo displayed at `tick`, likewise.
  @_noLocks
  func tempo(at tick: Tick) -> Tempo {
    if let move { return move.pace.tempo }
    return line.tempo(at: tick)
  }

  /// The tempo reported where the section begins.
  var askedTempo: Tempo {
    @_noLocks get {
      if let move { return move.pace.tempo }
      return line.pace.tempo
    }
  }

  /// The tempo line at the requested pace: from the moved beat on, or `line` itself.
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
