/// How much single pulses scatter, measured so that neither tempo nor ramps matter.
///
/// Works on second differences of neighbouring stamps, `t(n) - 2 t(n-1) + t(n-2)`, whose standard
/// deviation is sqrt 6 times that of one stamp. Of the last 64 it takes the larger of two robust
/// scales: the median ignores up to half of wild pulses, but is 0 for most stamps rounded to
/// a grid; the mean of the smaller nine tenths is not.
///
/// One kind of jitter it cannot see: a sender on a timer whose tick nearly divides the period keeps
/// even intervals for a long time, then jumps by a tick, again and again. Such jumps are told to it,
/// and from the second of a kind on they count as jitter (`takesAsJitter`).
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
  private var neighbourly = 500_000.0
  // The jumps: the newest, the pulses since, the size of those that recur, and how far pulses have
  // been off the line lately because of them.
  private var jump = 0.0
  private var sinceJump = 0
  /// The size of the jumps that recur, nanoseconds; 0 while there are none.
  private(set) var grain = 0.0
  private var offset = 0.0
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
    neighbourly = Real.larger(recent, count < Self.capacity ? 0 : average)
    update()
  }

  /// Notes that one more pulse was `residual` off the line, nanoseconds.
  @_noLocks
  mutating func note(residual: Double) {
    sinceJump &+= 1
    guard grain > 0 else { return }
    let size = Real.magnitude(residual)
    offset += (Real.smaller(size, grain) - offset) / 256
    // A sawtooth of that size would be off by a quarter on average.
    if offset < 0.05 * grain { grain = 0 }
    update()
  }

  /// Whether a jump of the phase by `size` is one of a kind that recurs: then it is no new grid.
  ///
  /// Only jumps of less than an eighth of the `period` are.
  @_noLocks
  mutating func takesAsJitter(jump size: Double, period: Double) -> Bool {
    guard Real.magnitude(size) < period / 8 else { return false }
    let isAlike = Real.magnitude(size - jump) < 0.3 * Real.magnitude(size)
    let recurs = isAlike && sinceJump < 4_096
    jump = size
    sinceJump = 0
    if recurs {
      grain = Real.larger(grain, Real.magnitude(size))
      offset = grain / 3
      update()
    }
    return recurs
  }

  @_noLocks
  private mutating func update() {
    // A jump of one tick is even over the tick: its deviation is 5/4 of its mean size.
    let jumps = Real.smaller(0.4 * grain, 1.3 * offset)
    deviation = Real.larger(Self.least, Real.larger(neighbourly, jumps))
  }
}
