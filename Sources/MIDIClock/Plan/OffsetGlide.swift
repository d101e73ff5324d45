/// How a route's offset comes from one value to another while the plan runs.
///
/// A leap would crowd what is then overdue into a burst, and hold up the routes beside it; or leave a
/// gap in which a device loses its clock. So the route's time runs by a quarter faster or slower until
/// the new offset is reached: a millisecond takes 4 ms, 100 ms take 0.4 s. What comes in order in the
/// plan leaves in order.
struct OffsetGlide {
  /// The offset before, up to `start`.
  private var before = HostTime.Span.zero
  /// Where on the plan it begins, and where the new offset is reached.
  private var start = HostTime(nanoseconds: Int64.min / 2)
  private var end = HostTime(nanoseconds: Int64.min / 2)

  private static var slowness: Int64 { @_noLocks get { 4 } }

  /// A glide that is over.
  init() {}

  /// The offset of what the plan has at `time`, on the way to `target`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  func offset(at time: HostTime, target: HostTime.Span) -> HostTime.Span {
    guard time < end else { return target }
    guard start < time else { return before }
    let moved = HostTime.Span(nanoseconds: (time - start).nanoseconds / Self.slowness)
    return target < before ? before - moved : before + moved
  }

  /// Sets out for `next` from wherever it is in what leaves at `instant`.
  @_noLocks
  mutating func turn(from target: HostTime.Span, to next: HostTime.Span, at instant: HostTime) {
    let place = plan(at: instant, target: target)
    before = offset(at: place, target: target)
    start = place
    let way = next < before ? before - next : next - before
    end = start + HostTime.Span(nanoseconds: way.nanoseconds &* Self.slowness)
  }

  /// Puts what is to come off by `span`, as the plan is.
  @_noLocks
  mutating func shift(by span: HostTime.Span) {
    start = start + span
    end = end + span
  }

  /// The place on the plan of what leaves at `instant`.
  @_noLocks
  private func plan(at instant: HostTime, target: HostTime.Span) -> HostTime {
    if instant >= end + target { return instant - target }
    let since = instant - (start + before)
    guard .zero < since else { return instant - before }
    // Of the plan's time and the offset's fourth of it.
    let four = Self.slowness
    let pace = target < before ? four &- 1 : four &+ 1
    return start + HostTime.Span(nanoseconds: since.nanoseconds &* four / pace)
  }
}
