/// Sums over the newest pulses, seen from the newest: indices and times count back from it.
///
/// Whole numbers, so moving the viewpoint with each pulse rounds nothing and nothing accumulates.
struct PulseSums {
  /// How many pulses.
  var count: Int64 = 0
  /// Sum of the indices k, each 0 or less.
  var index: Int64 = 0
  /// Sum of k x k.
  var square: Int64 = 0
  /// Sum of the times y, nanoseconds.
  var time: Int64 = 0
  /// Sum of k x y.
  var product: Int64 = 0

  @_noLocks
  init() {}

  /// Adds a newest pulse, `step` indices and `span` nanoseconds after the one before.
  @_noLocks
  mutating func append(step: Int64, span: Int64) {
    product =
      product &- step &* time &- span &* index &+ count &* step &* span
    square = square &- 2 &* step &* index &+ count &* step &* step
    index = index &- count &* step
    time = time &- count &* span
    count = count &+ 1
  }

  /// Takes away the pulse at `k`, `y`.
  @_noLocks
  mutating func drop(_ k: Int64, _ y: Int64) {
    count = count &- 1
    index = index &- k
    square = square &- k &* k
    time = time &- y
    product = product &- k &* y
  }

  /// Adds an older pulse at `k`, `y`.
  @_noLocks
  mutating func extend(_ k: Int64, _ y: Int64) {
    count = count &+ 1
    index = index &+ k
    square = square &+ k &* k
    time = time &+ y
    product = product &+ k &* y
  }

  /// The sums over the older pulses alone, `newer` taken away.
  @_noLocks
  func without(_ newer: PulseSums) -> PulseSums {
    var older = self
    older.count &-= newer.count
    older.index &-= newer.index
    older.square &-= newer.square
    older.time &-= newer.time
    older.product &-= newer.product
    return older
  }

  /// Moves the newest pulse by `span` nanoseconds.
  @_noLocks
  mutating func moveNewest(by span: Int64) {
    time = time &- (count &- 1) &* span
    product = product &- span &* index
  }
}

/// A least-squares line through pulses: the period as its slope, the phase at its newer end.
struct PulseLine {
  /// Nanoseconds from pulse to pulse.
  var period: Double
  /// The line at the newest pulse's index, nanoseconds after that pulse's own time.
  var phase: Double
  /// Variance of `period`, in units of one stamp's.
  var periodVariance: Double
  /// Variance of `phase`, in units of one stamp's.
  var phaseVariance: Double
  /// Covariance of the two, in units of one stamp's variance.
  var covariance: Double

  /// No line yet.
  @_noLocks
  init() {
    period = 0
    phase = 0
    periodVariance = 1e12
    phaseVariance = 1
    covariance = 0
  }

  /// The line through `sums`, holding to a `period` known beforehand with `weight`: the sum of
  /// squared index distances that knowledge came from.
  @_noLocks
  init(_ sums: PulseSums, period known: Double = 0, weight: Double = 0) {
    let count = Double(sums.count)
    let middle = Double(sums.index) / count
    let mean = Double(sums.time) / count
    let spread = Double(sums.square) - count * middle * middle + weight
    // One pulse alone, or several on one index, tell no period.
    let isFlat = spread <= 0.25
    let product = Double(sums.product) - count * middle * mean + weight * known
    period = isFlat ? known : product / spread
    phase = mean - period * middle
    periodVariance = isFlat ? 1e12 : 1 / spread
    phaseVariance = 1 / count + (isFlat ? 0 : middle * middle / spread)
    covariance = isFlat ? 0 : -middle / spread
  }

  /// The end of a curve whose period changes evenly, told from how `short`, a line through the
  /// newest `share` (0 to 1) of the same pulses, differs from this one.
  ///
  /// A line through N pulses lags by half the change over them in slope and a twelfth at its
  /// end; the shorter one by `share` and `share` squared of that.
  @_noLocks
  func bent(along short: PulseLine, share: Double) -> PulseLine {
    let slopeGain = 1 / (1 - share)
    let endGain = 1 / (1 - share * share)
    var curve = self
    curve.period += (short.period - period) * slopeGain
    curve.phase += (short.phase - phase) * endGain
    curve.periodVariance += (short.periodVariance - periodVariance) * slopeGain * slopeGain
    curve.phaseVariance += (short.phaseVariance - phaseVariance) * endGain * endGain
    curve.covariance += (short.covariance - covariance) * slopeGain * endGain
    return curve
  }

  /// Variance of the line `steps` pulses after the newest, in units of one stamp's.
  @_noLocks
  func variance(ahead steps: Double) -> Double {
    phaseVariance + steps * (2 * covariance + steps * periodVariance)
  }
}
