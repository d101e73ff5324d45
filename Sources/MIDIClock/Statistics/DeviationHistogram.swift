/// How often which deviation came: bins of one width, the outermost for all beyond.
public struct DeviationHistogram: Hashable, Sendable {
  /// The width of a bin, nanoseconds: 1, 2 or 5 times a power of ten.
  public let width: Int64
  /// The count of each bin; the middle one is around 0.
  public let counts: [Int]

  /// The bins of `deviations`, nanoseconds, of which 99 of 100 lie within `within`.
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

  /// The middle of bin `index`, nanoseconds.
  public func middle(_ index: Int) -> Int64 { Int64(index - counts.count / 2) * width }
}
