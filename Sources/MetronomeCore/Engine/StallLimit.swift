internal import MIDIClock

/// When a delay is too long to catch up with.
enum StallLimit {
  /// The longest delay after which late pulses still leave, spaced: 24 pulses, at most a second.
  @_noLocks
  static func longest(at tempo: Tempo) -> HostTime.Span {
    let beat = HostTime.Span(nanoseconds: tempo.pulsePeriod.nanoseconds &* 24)
    let second = HostTime.Span.seconds(1)
    return second < beat ? second : beat
  }

  /// Puts `planner` off when it is too late at `now` to be caught up with.
  ///
  /// By so many whole pulses that it goes on within one, on the pulse grid it had. The end of a
  /// note is never put off. Returns how late it was.
  static func postpone(_ planner: inout Planner, now: HostTime) -> HostTime.Span? {
    guard let event = planner.next, !event.isNoteOff else { return nil }
    let late = now - event.time
    let tempo = planner.tempo
    guard longest(at: tempo) < late else { return nil }
    planner.shift(by: wholePulses(covering: late, at: tempo))
    return late
  }

  /// The length of the fewest whole pulses that are longer than `late`, to the nanosecond.
  @_noLocks
  static func wholePulses(covering late: HostTime.Span, at tempo: Tempo) -> HostTime.Span {
    // A pulse is 2.5e12 / milliBPM nanoseconds.
    let pulses = Int128(late.nanoseconds) * Int128(tempo.milliBPM) / 2_500_000_000_000 + 1
    return HostTime.Span(
      nanoseconds: Int64(
        truncatingIfNeeded: (pulses * 2_500_000_000_000 + Int128(tempo.milliBPM / 2))
          / Int128(tempo.milliBPM)))
  }
}
