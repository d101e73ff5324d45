/// How much single pulses scatter, measured so that neither tempo nor ramps matter.
///
/// Works on second differences of neighbouring stamps, `t(n) - 2 t(n-1) + t(n-2)`, whose standard
/// deviation is sqrt 6 times that of one stamp. Of the last 64 it takes the larger of two robust
/// scales: the median ignores up to half of wild pulses, but is 0 for most stamps rounded to
/// a grid; the mean of the smaller nine tenths is not.
struct JitterMeter {
  private static var capacity: Int { @_noLocks get { 64 } }
  /// Assumed before anything is measured, nanoseconds: half a millisecond, between a good
  /// software clock and a bad one.
  private static var assumed: Double { @_noLocks get { 500_000 } }
  /// As many measurements as the assumption is worth.
  private static var assumedWeight: Double { @_noLocks get { 4 } }
  /// Never below, nanoseconds: what a receiver's stamping itself scatters.
  static var least: Double { @_noLocks get { 5_000 } }

  // The magnitudes in order of arrival and in order of size.
  private var arrivals: [64 of Int64] = .init(repeating: 0)
  private var sorted: [64 of Int64] = .init(repeating: 0)
  private var count = 0
  private var next = 0
  private var average = 0.0
  /// Standard deviation of one stamp, nanoseconds.
  private(set) var deviation = 500_000.0

  @_noLocks
  init() {}

  /// Takes in one second difference, nanoseconds.
  @_noLocks
  mutating func record(_ difference: Int64) {
    // Beyond a minute it is no jitter; the bound keeps sums far from overflow.
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
    var place = count
    while place > 0, sorted[place &- 1] > size {
      sorted[place] = sorted[place &- 1]
      place &-= 1
    }
    sorted[place] = size
    count &+= 1
  }

  @_noLocks
  private mutating func remove(_ size: Int64) {
    var place = 0
    while place < count &- 1, sorted[place] != size { place &+= 1 }
    count &-= 1
    while place < count {
      sorted[place] = sorted[place &+ 1]
      place &+= 1
    }
  }

  @_noLocks
  private mutating func measure() {
    let rootSix = 2.449_489_742_783_178
    let median = Double(sorted[count / 2]) / 0.674_49
    let kept = count &- count / 10
    var sum: Int64 = 0
    for place in 0..<kept { sum &+= sorted[place] }
    // The mean of the smaller nine tenths of |N(0, 1)| is 0.657; of all of it 0.798.
    let share = kept == count ? 0.797_9 : 0.657_4
    let trimmed = Double(sum) / Double(kept) / share
    let measured = Real.larger(median, trimmed) / rootSix
    let weight = Double(count) / (Double(count) + (count < 32 ? Self.assumedWeight : 0))
    let recent = weight * measured + (1 - weight) * Self.assumed
    // 64 differences tell the deviation to 14 % only; the running mean keeps the bad luck out.
    average = count < Self.capacity ? measured : average + (measured - average) / 256
    deviation = Real.larger(Self.least, Real.larger(recent, count < Self.capacity ? 0 : average))
  }
}
