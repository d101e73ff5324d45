/// How late things left: a histogram of fixed size, exact to one part in sixteen.
///
/// Buckets are sixteenths of powers of two, in nanoseconds, up to 34 s; what is above shares the
/// last one. The extremes are kept exactly.
public struct LatenessHistogram: Sendable {
  private var buckets: [512 of UInt32] = .init(repeating: 0)
  /// How many were recorded.
  public private(set) var count: Int64 = 0
  /// The latest of all; zero when none was late.
  public private(set) var maximum = HostTime.Span.zero

  /// Nothing recorded yet.
  public init() {}

  /// Records one; early ones count as punctual.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func record(_ late: HostTime.Span) {
    let value = late.nanoseconds < 0 ? 0 : late.nanoseconds
    count &+= 1
    if value > maximum.nanoseconds { maximum = HostTime.Span(nanoseconds: value) }
    let index = Self.bucket(value)
    buckets[index] = buckets[index] &+ 1
  }

  @_noLocks
  private static func bucket(_ value: Int64) -> Int {
    if value < 16 { return Int(truncatingIfNeeded: value) }
    let exponent = 63 &- value.leadingZeroBitCount
    let sixteenth = Int(truncatingIfNeeded: value &>> Int64(truncatingIfNeeded: exponent &- 4)) & 15
    let index = (exponent &- 3) &* 16 &+ sixteenth
    return index < 512 ? index : 511
  }

  /// Median, 99th percentile and most so far, for a display while it goes on; `nil` when nothing was
  /// recorded.
  ///
  /// One pass, in place: a read through an immutable reference would copy the buckets each time.
  @_noLocks
  public mutating func summary() -> Summary? {
    guard count > 0 else { return nil }
    var present = Summary()
    present.most = maximum
    let half = (count &+ 1) / 2
    let nearlyAll = count &- count / 100
    var seen: Int64 = 0
    var index = 0
    while index < 511 {
      let before = seen
      seen &+= Int64(buckets[index])
      let upper =
        index < 16
        ? Int64(index)
        : (Int64(16 &+ index % 16 &+ 1) << Int64(truncatingIfNeeded: index / 16 &- 1)) &- 1
      let value = HostTime.Span(
        nanoseconds: upper < maximum.nanoseconds ? upper : maximum.nanoseconds)
      if before < half, seen >= half { present.median = value }
      if before < nearlyAll, seen >= nearlyAll { present.high = value }
      index &+= 1
    }
    return present
  }

  /// What `present` tells.
  public struct Summary: Hashable, Sendable {
    /// Half stay at or below this.
    public var median = HostTime.Span.zero
    /// 99 of 100 stay at or below this.
    public var high = HostTime.Span.zero
    /// None is above this.
    public var most = HostTime.Span.zero

    @_noLocks
    init() {}
  }

  /// The value that `share` (0 to 1) of all stay below or at, to one part in sixteen; `nil` when
  /// nothing was recorded.
  public func quantile(_ share: Double) -> HostTime.Span? {
    guard count > 0 else { return nil }
    let wanted = max(1, Int64((share * Double(count)).rounded(.up)))
    var seen: Int64 = 0
    for index in 0..<512 {
      seen += Int64(buckets[index])
      guard seen >= wanted else { continue }
      // The last bucket has no upper end of its own.
      if index == 511 { return maximum }
      let upper =
        index < 16
        ? Int64(index) : (Int64(16 + index % 16 + 1) << Int64(index / 16 - 1)) - 1
      return min(HostTime.Span(nanoseconds: upper), maximum)
    }
    return maximum
  }
}
