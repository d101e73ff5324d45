/// A histogram of deviations, with bins of equal width; the outermost two are open-ended.
public struct DeviationHistogram: Hashable, Sendable {
  /// The width of a bin in nanoseconds: 1, 2 or 5 times a power of ten.
  public let width: Int64
  /// The count of each bin; the middle one is centered on 0.
  public let counts: [Int]

  /// Counts `deviations`, in nanoseconds, 99 % of which are within `within`.
  public init(_ deviations: [Double], within: Double) {
    var width: Int64 = 100
    let factors: [Int64] = [2, 5, 10]
    var base: Int64 = 100
    while Double(width) * 8 < within, base < 100_000_000_000 {
      for factor in factors where Double(width) * 8 < within { width = base * factor }
      if Double(width) * 8 < within { base *= 10 }
    }
    let half = 8
    var counts = [Int](repeating: 0, count: 2 * half + 1)
    for deviation in deviations {
      let bin = Int(max(-8, min(8, (deviation / Double(width)).rounded())))
      counts[half + bin] += 1
    }
    self.width = width
    self.counts = counts
  }

  /// The center of bin `index`, in nanoseconds.
  public func middle(_ index: Int) -> Int64 { Int64(index - counts.count / 2) * width }
}
