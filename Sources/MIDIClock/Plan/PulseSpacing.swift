/// Keeps pulses apart that were held up: never two of one route closer than half its period, and
/// none within 1 ms of the Start or Continue before it.
///
/// After a stall the late pulses leave at once but so spaced, until the grid is met again; none
/// is dropped.
public struct PulseSpacing: Sendable {
  private var lastPulse: [16 of HostTime]
  private var lastStart: [16 of HostTime]

  /// Nothing has left yet.
  public init() {
    lastPulse = .init(repeating: HostTime(nanoseconds: Int64.min / 2))
    lastStart = .init(repeating: HostTime(nanoseconds: Int64.min / 2))
  }

  /// When `event` may leave: at its own time, or later if it follows too closely.
  ///
  /// `slack` is by how much one message may leave later than the next; it never makes late pulses
  /// too slow to catch up. Real-time safe: yes.
  @_noLocks
  public mutating func release(_ event: PlannedEvent, slack: HostTime.Span = .zero) -> HostTime {
    guard event.isPulse else { return event.time }
    var release = event.time
    let most = HostTime.Span(nanoseconds: event.closest.nanoseconds / 2)
    let afterPulse = lastPulse[event.route] + event.closest + (slack < most ? slack : most)
    if release < afterPulse { release = afterPulse }
    // A little more than the 1 ms, for the way from here to the wire differs from one message to
    // the next.
    let reserve = HostTime.Span.microseconds(50)
    let afterStart =
      lastStart[event.route] + .milliseconds(1) + (slack < reserve ? reserve : slack)
    return release < afterStart ? afterStart : release
  }

  /// Notes that `event` leaves at `instant`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func left(_ event: PlannedEvent, at instant: HostTime) {
    if event.isPulse {
      lastPulse[event.route] = instant
    } else if event.isStart {
      lastStart[event.route] = instant
    }
  }
}
