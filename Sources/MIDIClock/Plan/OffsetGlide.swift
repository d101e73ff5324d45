/// Moves a route's offset gradually from one value to another while the plan runs.
///
/// A jump would either release a burst of overdue messages and delay the other routes, or leave a
/// gap in which a device loses the clock. Instead the route runs a quarter faster or slower until
/// it reaches the new offset: 1 ms takes 4 ms, 100 ms take 0.4 s. The order of messages is kept.
struct OffsetGlide {
  /// The offset up to `start`.
  private var before = HostTime.Span.zero
  /// Plan times at which the glide begins and at which it reaches the new offset.
  private var start = HostTime(nanoseconds: Int64.min / 2)
  private var end = HostTime(nanoseconds: Int64.min / 2)

  private static var slowness: Int64 { @_noLocks get { 4 } }

  /// A finished glide.
  init() {}

  /// The offset of an event at plan time `time`, on the way to `target`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  func offset(at time: HostTime, target: HostTime.Span) -> HostTime.Span {
    guard time < end else { return target }
    guard start < time else { return before }
    let moved = HostTime.Span(nanoseconds: (time - start).nanoseconds / Self.slowness)
    return target < before ? before - moved : before + moved
  }

  /// Starts a glide to `next` from the offset that applies to what leaves at `instant`.
  @_noLocks
  mutating func turn(from target: HostTime.Span, to next: HostTime.Span, at instant: HostTime) {
    let place = plan(at: instant, target: target)
    before = offset(at: place, target: target)
    start = place
    let way = next < before ? before - next : next - before
    end = start + HostTime.Span(nanoseconds: way.nanoseconds &* Self.slowness)
  }

  /// Postpones the glide by `span`, as the plan was.
  @_noLocks
  mutating func shift(by span: HostTime.Span) {
    start = start + span
    end = end + span
  }

  /// The plan time of what leaves at `instant`.
  @_noLocks
  private func plan(at instant: HostTime, target: HostTime.Span) -> HostTime {
    if instant >= end + target { return instant - target }
    let since = instant - (start + before)
    guard .zero < since else { return instant - before }
    // Plan time, plus or minus the quarter of it by which the offset moves.
    let four = Self.slowness
    let pace = target < before ? four &- 1 : four &+ 1
    return start + HostTime.Span(nanoseconds: since.nanoseconds &* four / pace)
  }
}
