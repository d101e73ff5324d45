/// A change of the plan while it runs.
public enum PlanChange: Hashable, Sendable {
  /// Another tempo, from the next tick on; the place is kept.
  case tempo(Pace)
  /// Another tempo, and the nearest beat of the meter moved to where a beat falls on a line in that
  /// tempo through the instant `beat`, of which there is one every `unit`.
  ///
  /// A unit finer than the beat moves the nearest such unit, since taps in eighths fall on and off
  /// the beat. If `unit` does not divide the beat, their greatest common divisor is used.
  /// The beat after the next is the first in its new place; the pulses up to it are spread evenly,
  /// none is lost or doubled, and the bars count on. While the song does not move it is `tempo`.
  case align(Pace, beat: HostTime, unit: NoteValue = .quarter)
  /// Start in this tempo, its first pulse at this instant, or as many quarters later as it takes to
  /// send what comes before it.
  ///
  /// From the top, or for the first time from where the song was to begin. Pulses that go out while
  /// stopped fall in with it. While the song moves it means nothing.
  case startOnBeat(Pace, at: HostTime)
  /// Every beat from the one after the next on earlier (below zero) or later by this, the pulses up
  /// to it spread evenly.
  ///
  /// At most a quarter of a beat is taken. While the song does not move, and in a ramp, it means
  /// nothing.
  case shift(HostTime.Span)
  /// Pulses while stopped too, only while rolling, or none, from the next tick on.
  case policy(ClockPolicy)
  /// Whether a route's clicks are left out; beats, pulses and everything else go on.
  case mute(route: Int, Bool)
  /// A route earlier (below zero) or later than the plan by this.
  ///
  /// From its next message on the route's time runs by a quarter faster or slower until the offset is
  /// reached, so that no pulses crowd and no clock is lost; -500 to 500 ms.
  case offset(route: Int, HostTime.Span)
  /// Another meter, accents, subdivision or swing, from the next beat on, which begins a bar.
  case pattern(ClickPattern)
  /// Start, Continue, Stop or another place.
  case transport(Transport.Request)

  // Relative changes: what they come to is found in the plan at the time they are made, so that two
  // in a row are two, however far ahead the plan is of what has been heard.

  /// Stop if it plays, counts in or is about to; else go on from the place kept.
  case toggle
  /// Stop, and move the place to the top.
  case stopToTop
  /// Faster or, below zero, slower by this many thousandths of a quarter per minute.
  case tempoStep(Int64)
  /// No pulses, or the policy again that held before there were none.
  case togglePolicy
  /// A route's clicks left out if they are not, and back if they are.
  case toggleMute(route: Int)
  /// A route earlier or later by this, at most 500 ms from `base`, its own latency.
  case offsetStep(route: Int, HostTime.Span, base: HostTime.Span = .zero)
  /// An edit of the pattern that holds, or is to hold from the next beat on.
  case edit(PatternEdit)

  /// Another typed tempo.
  public static func tempo(_ tempo: Tempo) -> PlanChange { .tempo(Pace(tempo)) }

  /// Another typed tempo, and the beat moved.
  public static func align(
    _ tempo: Tempo, beat: HostTime, unit: NoteValue = .quarter
  ) -> PlanChange { .align(Pace(tempo), beat: beat, unit: unit) }

  /// Start in a typed tempo.
  public static func startOnBeat(_ tempo: Tempo, at time: HostTime) -> PlanChange {
    .startOnBeat(Pace(tempo), at: time)
  }
}
