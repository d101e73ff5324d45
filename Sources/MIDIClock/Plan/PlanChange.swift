/// A change to the plan while it runs.
public enum PlanChange: Hashable, Sendable {
  /// Sets the tempo from the next tick on; the position is kept.
  case tempo(Pace)
  /// Sets the tempo and re-phases: moves the nearest beat onto the grid of `unit`s, at the new
  /// tempo, that passes through `beat`.
  ///
  /// A unit finer than the beat moves the nearest such unit, since taps in eighths fall on and off
  /// the beat. If `unit` does not divide the beat, their greatest common divisor is used. The beat
  /// after the next is the first on the new grid. The pulses up to it are spread evenly; none is
  /// lost or doubled, and the bar count continues. Unless the song is rolling, this acts like
  /// `tempo`.
  case align(Pace, beat: HostTime, unit: NoteValue = .quarter)
  /// Starts at this tempo with the first pulse at this instant, or a whole number of quarters later
  /// if the messages before it need more time.
  ///
  /// Starts from the top, or the first time from the start position. Pulses that go out while
  /// stopped join its phase. Ignored unless the song is stopped.
  case startOnBeat(Pace, at: HostTime)
  /// Moves every beat from the one after the next on earlier (negative) or later; the pulses up to
  /// it are spread evenly.
  ///
  /// Limited to a quarter of a beat. Ignored while the song is not rolling, and during a ramp.
  case shift(HostTime.Span)
  /// Sends pulses always, only while rolling, or never, from the next tick on.
  case policy(ClockPolicy)
  /// Mutes or unmutes a route's clicks; beats, pulses and everything else continue.
  case mute(route: Int, Bool)
  /// Sets a route's offset: earlier (negative) or later than the plan, -500 to 500 ms.
  ///
  /// From its next message on, the route runs a quarter faster or slower until it reaches the
  /// offset, so that pulses do not bunch up and no device loses the clock.
  case offset(route: Int, HostTime.Span)
  /// Sets meter, accents, subdivision and swing from the next beat on, which begins a bar.
  case pattern(ClickPattern)
  /// Starts, continues, stops or moves the position.
  case transport(Transport.Request)

  // Relative changes are resolved in the plan when they are applied, so that two in a row count
  // twice however far the plan is ahead of what has been heard.

  /// Stops if playing, counting in or about to start; otherwise continues from the position kept.
  case toggle
  /// Stops and moves the position to the top.
  case stopToTop
  /// Raises the tempo by this many thousandths of a quarter per minute; negative lowers it.
  case tempoStep(Int64)
  /// Turns pulses off, or restores the policy that applied before they were turned off.
  case togglePolicy
  /// Mutes a route's clicks, or unmutes them.
  case toggleMute(route: Int)
  /// Moves a route's offset by this much, at most to 500 ms from `base`, the route's own latency.
  case offsetStep(route: Int, HostTime.Span, base: HostTime.Span = .zero)
  /// Edits the current pattern, or the one waiting for the next beat.
  case edit(PatternEdit)

  /// Sets a typed tempo.
  public static func tempo(_ tempo: Tempo) -> PlanChange { .tempo(Pace(tempo)) }

  /// Sets a typed tempo and re-phases.
  public static func align(
    _ tempo: Tempo, beat: HostTime, unit: NoteValue = .quarter
  ) -> PlanChange { .align(Pace(tempo), beat: beat, unit: unit) }

  /// Starts at a typed tempo.
  public static func startOnBeat(_ tempo: Tempo, at time: HostTime) -> PlanChange {
    .startOnBeat(Pace(tempo), at: time)
  }
}
