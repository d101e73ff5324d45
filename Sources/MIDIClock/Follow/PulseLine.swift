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
