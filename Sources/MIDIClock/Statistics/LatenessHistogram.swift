/// A fixed-size histogram of lateness, with a resolution of one sixteenth.
///
/// Buckets are sixteenths of powers of two, in nanoseconds, up to 34 s; longer times share the last
/// one. The maximum is exact.
public struct LatenessHistogram: Sendable {
  private var buckets: [512 of UInt32] = .init(repeating: 0)
  /// The number of values recorded.
  public private(set) var count: Int64 = 0
  /// The greatest lateness; zero if nothing was late.
  public private(set) var maximum = HostTime.Span.zero

  /// Creates an empty histogram.
  public init() {}

  /// Records a lateness; negative values count as zero.
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

  /// Median, 99th percentile and maximum so far, for a live display; `nil` if empty.
  ///
  /// One pass, in place: a read through an immutable reference would copy the buckets each time.
  @_noLocks
  public mutating func summary() -> Summary? {
    guard count > 0 else { return nil }
    var result = Summary()
    result.most = maximum
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
      if before < half, seen >= half { result.median = value }
      if before < nearlyAll, seen >= nearlyAll { result.high = value }
      index &+= 1
    }
    return result
  }

  /// Median, 99th percentile and maximum.
  public struct Summary: Hashable, Sendable {
    /// The median.
    public var median = HostTime.Span.zero
    /// The 99th percentile.
    public var high = HostTime.Span.zero
    /// The maximum.
    public var most = HostTime.Span.zero

    @_noLocks
    init() {}
  }

  /// The smallest value that at least `share` (0 to 1) of all values do not exceed, to one part in
  /// sixteen; `nil` if empty.
  public func quantile(_ share: Double) -> HostTime.Span? {
    guard count > 0 else { return nil }
    let wanted = max(1, Int64((share * Double(count)).rounded(.up)))
    var seen: Int64 = 0
    for index in 0..<512 {
      seen += Int64(buckets[index])
      guard seen >= wanted else { continue }
      // The last bucket has no upper end.
      if index == 511 { return maximum }
      let upper =
        index < 16
        ? Int64(index) : (Int64(16 + index % 16 + 1) << Int64(index / 16 - 1)) - 1
      return min(HostTime.Span(nanoseconds: upper), maximum)
    }
    return maximum
  }
}
