/// Keeps pulses apart that were held up: never two of one route closer than half its period, and
/// none within 1 ms of the Start or Continue before it.
///
/// After a stall the late pulses leave at once but so spaced, until the grid is met again; none
/// is dropped.
public struct PulseSpacing: Sendable {
  private var lastPulse: [16 of HostTime]
  private var lastStart: [16 of HostTime]
  /// Whether the route's last pulse left later than planned.
  private var isHeldUp: [16 of Bool] = .init(repeating: false)
  private let reserve: HostTime.Span

  /// Nothing has left yet.
  ///
  /// Pulses that are held up are kept apart by `reserve` more: by as much as two of them may leave
  /// nearer than they were scheduled, which on a queue is the period of its timer.
  public init(reserve: HostTime.Span = .zero) {
    self.reserve = reserve
    lastPulse = .init(repeating: HostTime(nanoseconds: Int64.min / 2))
    lastStart = .init(repeating: HostTime(nanoseconds: Int64.min / 2))
  }

  /// When `event` may leave: at its own time, or later if it follows too closely.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func release(_ event: PlannedEvent) -> HostTime {
    guard event.isPulse else { return event.time }
    var release = event.time
    let closest =
      isHeldUp[event.route] || event.time < lastPulse[event.route] + event.closest
      ? event.closest + reserve : event.closest
    let afterPulse = lastPulse[event.route] + closest
    if release < afterPulse { release = afterPulse }
    // A little more than the 1 ms, for the way from here to the wire differs from one message to
    // the next.
    let afterStart = lastStart[event.route] + .microseconds(1_050)
    return release < afterStart ? afterStart : release
  }

  /// Notes that `event` leaves at `instant`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func left(_ event: PlannedEvent, at instant: HostTime) {
    if event.isPulse {
      lastPulse[event.route] = instant
      isHeldUp[event.route] = event.time < instant
    } else if event.isStart {
      lastStart[event.route] = instant
    }
  }
}
