/// What anyone who steers a session can ask for: keys, pads, signals and what comes later.
public enum Action: Hashable, Sendable {
  /// From the top: as soon as can be, or while it plays on the next beat.
  case start
  /// From the place kept.
  case `continue`
  /// Stop, and keep the place.
  case stop
  /// Stop, and go back to the top.
  case stopToTop
  /// Stop if it plays, else go on.
  case toggle
  /// A tap of the tempo, now.
  case tap
  /// This tempo.
  case tempo(Tempo)
  /// Faster or slower by thousandths of a quarter per minute.
  case tempoStep(Int64)
  /// This meter, with its own accents.
  case meter(Meter)
  /// Meters on in the list.
  case meterStep(Int64)
  /// Cycles the accent of a beat, counted from 1, by this many steps; one step down by default.
  case accent(Int64, step: Int = -1)
  /// More or fewer clicks a beat.
  case subdivisionStep(Int64)
  /// More or less swing, in percent.
  case swingStep(Int64)
  /// The beats later by milliseconds, or earlier.
  case nudge(Int64)
  /// Pulses off, or on as they were.
  case clock
  /// A route's clicks off, or on again.
  case mute(Int)
  /// A route later by milliseconds, or earlier.
  case offsetStep(Int, Int64)
  /// Louder or softer by percent.
  case volumeStep(Int64)
  /// The next set of click sounds.
  case soundSet
  /// End every note, whoever struck it.
  case panic
  /// Keep the settings under this name.
  case save(String)
  /// End.
  case quit
}

extension Action {
  /// The jobs it exists in.
  public var jobs: Set<Job> {
    switch self {
    case .quit: Set(Job.allCases)
    case .volumeStep, .soundSet: [.play, .follow, .tap]
    case .panic: [.play, .follow]
    case .tap: [.play, .tap]
    default: [.play]
    }
  }
}
