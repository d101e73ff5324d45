/// How late things left: a histogram of fixed size, exact to one part in sixteen.
///
/// Buckets are sixteenths of powers of two, in nanoseconds, up to 34 s; what is above shares the
/// last one. The extremes are kept exactly.
public struct Lateness: Sendable {
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
