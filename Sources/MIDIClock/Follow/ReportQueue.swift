/// Pending reports, oldest first; when full, the oldest is dropped.
struct ReportQueue: Sendable {
  private static var capacity: Int { @_noLocks get { 16 } }
  private var reports: [16 of FollowerReport] = .init(repeating: .found(at: .zero))
  private var first = 0
  private var count = 0

  @_noLocks
  init() {}

  @_noLocks
  mutating func append(_ report: FollowerReport) {
    if count == Self.capacity {
      first &+= 1
      count &-= 1
    }
    reports[(first &+ count) & (Self.capacity &- 1)] = report
    count &+= 1
  }

  @_noLocks
  mutating func next() -> FollowerReport? {
    guard count > 0 else { return nil }
    let report = reports[first & (Self.capacity &- 1)]
    first &+= 1
    count &-= 1
    return report
  }
}
