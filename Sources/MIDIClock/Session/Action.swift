/// An action that a control source (a key, a pad, a signal) can request of a session.
public enum Action: Hashable, Sendable {
  /// Starts from the top: as soon as possible, or while playing, on the next beat.
  case start
  /// Continues from the position kept.
  case `continue`
  /// Stops and keeps the position.
  case stop
  /// Stops and returns to the top.
  case stopToTop
  /// Stops if playing, otherwise continues.
  case toggle
  /// Taps the tempo, now.
  case tap
  /// Sets the tempo.
  case tempo(Tempo)
  /// Changes the tempo by thousandths of a quarter per minute.
  case tempoStep(Int64)
  /// Sets the meter, with its own accents.
  case meter(Meter)
  /// Moves this many meters forward in the list.
  case meterStep(Int64)
  /// Cycles the accent of a beat, counted from 1, by this many steps; one step down by default.
  case accent(Int64, step: Int = -1)
  /// More or fewer clicks a beat.
  case subdivisionStep(Int64)
  /// Changes the swing by percentage points.
  case swingStep(Int64)
  /// Moves the beats later, or earlier if negative, by milliseconds.
  case nudge(Int64)
  /// Turns the pulses off, or back on under the previous policy.
  case clock
  /// Mutes or unmutes a route's clicks.
  case mute(Int)
  /// Moves a route later, or earlier if negative, by milliseconds.
  case offsetStep(Int, Int64)
  /// Changes the volume by percentage points.
  case volumeStep(Int64)
  /// Selects the next set of click sounds.
  case soundSet
  /// Ends every note, whatever started it.
  case panic
  /// Saves the settings under this name.
  case save(String)
  /// Ends the session.
  case quit
}

extension Action {
  /// The jobs in which the action exists.
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
