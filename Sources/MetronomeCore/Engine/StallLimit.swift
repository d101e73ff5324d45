internal import MIDIClock

/// Decides when a delay is too long to catch up with.
enum StallLimit {
  /// The longest delay after which late pulses are still sent, spaced: 24 pulses, at most a second.
  @_noLocks
  static func longest(at pace: Pace) -> HostTime.Span {
    let beat = HostTime.Span(
      nanoseconds: pace.pulsePeriod.nanoseconds &* Resolution.pulsesPerQuarter)
    let second = HostTime.Span.seconds(1)
    return second < beat ? second : beat
  }

  /// Postpones `planner` if it is too late at `now` to catch up.
  ///
  /// Postpones by enough whole pulses that the next one is due within a pulse, on the same pulse
  /// grid. The end of a note is never postponed. Returns how late it was.
  static func postpone(_ planner: inout Planner, now: HostTime) -> HostTime.Span? {
    guard let event = planner.next, !event.isNoteOff else { return nil }
    let late = now - event.time
    let pace = planner.pace
    guard longest(at: pace) < late else { return nil }
    planner.shift(by: wholePulses(covering: late, at: pace))
    return late
  }

  /// The length of the fewest whole pulses that are longer than `late`, to the nanosecond.
  @_noLocks
  static func wholePulses(covering late: HostTime.Span, at pace: Pace) -> HostTime.Span {
    // A pulse is numerator / divisor nanoseconds.
    let numerator = Int128(pace.numerator)
    let divisor = Int128(pace.denominator &* Resolution.pulsesPerQuarter)
    let pulses = Int128(late.nanoseconds) * divisor / numerator + 1
    return HostTime.Span(
      nanoseconds: Int64(truncatingIfNeeded: (2 * pulses * numerator + divisor) / (2 * divisor)))
  }
}
