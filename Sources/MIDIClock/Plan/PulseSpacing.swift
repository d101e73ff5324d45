/// Keeps delayed pulses apart: at least half a period between two on one route, and at least 1 ms
/// after the Start or Continue before them.
///
/// After a stall the late pulses leave at once but with this spacing, until they are back on the
/// grid; none is dropped.
public struct PulseSpacing: Sendable {
  private var lastPulse: [16 of HostTime]
  private var lastStart: [16 of HostTime]

  /// Creates a state in which nothing has been sent.
  public init() {
    lastPulse = .init(repeating: HostTime(nanoseconds: Int64.min / 2))
    lastStart = .init(repeating: HostTime(nanoseconds: Int64.min / 2))
  }

  /// When `event` may be sent: at its own time, or later if it would follow too closely.
  ///
  /// `slack` is the most by which the delay of one message may exceed that of the next; it never
  /// slows late pulses so much that they cannot catch up. Real-time safe: yes.
  @_noLocks
  public mutating func release(_ event: PlannedEvent, slack: HostTime.Span = .zero) -> HostTime {
    guard event.isPulse else { return event.time }
    var release = event.time
    let most = HostTime.Span(nanoseconds: event.closest.nanoseconds / 2)
    let afterPulse = lastPulse[event.route] + event.closest + (slack < most ? slack : most)
    if release < afterPulse { release = afterPulse }
    // A little more than 1 ms, because the delay from here to the wire varies between messages.
    let reserve = HostTime.Span.microseconds(50)
    let afterStart =
      lastStart[event.route] + .milliseconds(1) + (slack < reserve ? reserve : slack)
    return release < afterStart ? afterStart : release
  }

  /// Records that `event` was sent at `instant`.
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
