/// Measures the jitter of single pulses, independent of tempo and ramps.
///
/// Works on second differences of neighboring stamps, `t(n) - 2 t(n-1) + t(n-2)`, whose standard
/// deviation is sqrt 6 times that of one stamp. It takes the larger of two robust estimates over
/// the last 64. The median tolerates up to half of the values being outliers, but is 0 for most
/// stamps rounded to a grid; the mean of the smallest nine tenths is not.
///
/// Second differences miss one kind of jitter. A sender on a timer whose tick nearly divides the
/// period keeps even intervals for a long time, then jumps by one tick, again and again. The
/// estimator passes such jumps to `takesAsJitter`; from the second similar one on, they count as
/// jitter.
struct JitterMeter {
  private static var capacity: Int { @_noLocks get { 64 } }
  /// The deviation assumed before anything is measured, in nanoseconds: half a millisecond, between
  /// a good software clock and a bad one.
  private static var assumed: Double { @_noLocks get { 500_000 } }
  /// The weight of the assumption, in measurements.
  private static var assumedWeight: Double { @_noLocks get { 4 } }
  /// The lower limit, in nanoseconds: the jitter of a receiver's own stamps.
  static var least: Double { @_noLocks get { 5_000 } }

  // The magnitudes, in order of arrival and sorted.
  private var arrivals: [64 of Int64] = .init(repeating: 0)
  private var sorted: [64 of Int64] = .init(repeating: 0)
  private var count = 0
  private var next = 0
  private var average = 0.0
  private var measuredDeviation = 500_000.0
  // The last jump, the pulses since, and the recent mean distance from the line due to jumps.
  private var jump = 0.0
  private var sinceJump = 0
  /// The size of the jumps that recur, in nanoseconds; 0 if there are none.
  private(set) var recurringJump = 0.0
  private var offset = 0.0
  /// Standard deviation of one stamp, in nanoseconds.
  private(set) var deviation = 500_000.0

  @_noLocks
  init() {}

  /// Records one second difference, in nanoseconds.
  @_noLocks
  mutating func record(_ difference: Int64) {
    // More than a minute is not jitter; the limit keeps the sums far from overflow.
    let bound: Int64 = 60_000_000_000
    let size =
      difference > bound || difference < -bound ? bound : difference < 0 ? -difference : difference
    if count == Self.capacity { remove(arrivals[next]) }
    arrivals[next] = size
    next = (next &+ 1) % Self.capacity
    insert(size)
    measure()
  }

  @_noLocks
  private mutating func insert(_ size: Int64) {
    var index = count
    while index > 0, sorted[index &- 1] > size {
      sorted[index] = sorted[index &- 1]
      index &-= 1
    }
    sorted[index] = size
    count &+= 1
  }

  @_noLocks
  private mutating func remove(_ size: Int64) {
    var index = 0
    while index < count &- 1, sorted[index] != size { index &+= 1 }
    count &-= 1
    while index < count {
      sorted[index] = sorted[index &+ 1]
      index &+= 1
    }
  }

  @_noLocks
  private mutating func measure() {
    let rootSix = 2.449_489_742_783_178
    let median = Double(sorted[count / 2]) / 0.674_49
    let kept = count &- count / 10
    var sum: Int64 = 0
    for index in 0..<kept { sum &+= sorted[index] }
    // The mean of the smaller nine tenths of |N(0, 1)| is 0.657; of all of it 0.798.
    let share = kept == count ? 0.797_9 : 0.657_4
    let trimmed = Double(sum) / Double(kept) / share
    let measured = Real.larger(median, trimmed) / rootSix
    let weight = Double(count) / (Double(count) + (count < 32 ? Self.assumedWeight : 0))
    let recent = weight * measured + (1 - weight) * Self.assumed
    // 64 differences determine the deviation only to within 14 %; the running mean guards against
    // an unlucky sample.
    average = count < Self.capacity ? measured : average + (measured - average) / 256
    measuredDeviation = Real.larger(recent, count < Self.capacity ? 0 : average)
    update()
  }

  /// Records one more pulse, `residual` nanoseconds off the line.
  @_noLocks
  mutating func note(residual: Double) {
    sinceJump &+= 1
    guard recurringJump > 0 else { return }
    let size = Real.magnitude(residual)
    offset += (Real.smaller(size, recurringJump) - offset) / 256
    // A sawtooth of that size would be off by a quarter of it on average.
    if offset < 0.05 * recurringJump { recurringJump = 0 }
    update()
  }

  /// Whether a phase jump of `size` is one of a recurring kind, and so not a new grid.
  ///
  /// Applies only to jumps of less than an eighth of `period`.
  @_noLocks
  mutating func takesAsJitter(jump size: Double, period: Double) -> Bool {
    guard Real.magnitude(size) < period / 8 else { return false }
    let isAlike = Real.magnitude(size - jump) < 0.3 * Real.magnitude(size)
    let recurs = isAlike && sinceJump < 4_096
    jump = size
    sinceJump = 0
    if recurs {
      recurringJump = Real.larger(recurringJump, Real.magnitude(size))
      offset = recurringJump / 3
      update()
    }
    return recurs
  }

  @_noLocks
  private mutating func update() {
    // Jumps of one tick are uniform over the tick: their deviation is 5/4 of their mean size.
    let jumps = Real.smaller(0.4 * recurringJump, 1.3 * offset)
    deviation = Real.larger(Self.least, Real.larger(measuredDeviation, jumps))
  }
}
