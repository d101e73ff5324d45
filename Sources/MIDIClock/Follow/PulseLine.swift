/// A least-squares line through pulses; its slope is the period, its newer end the phase.
struct PulseLine {
  /// Nanoseconds per pulse.
  var period: Double
  /// The line at the newest pulse's index, in nanoseconds after that pulse's time.
  var phase: Double
  /// Variance of `period`, relative to that of one stamp.
  var periodVariance: Double
  /// Variance of `phase`, relative to that of one stamp.
  var phaseVariance: Double
  /// Covariance of the two, relative to the variance of one stamp.
  var covariance: Double

  /// Creates an empty line.
  @_noLocks
  init() {
    period = 0
    phase = 0
    periodVariance = 1e12
    phaseVariance = 1
    covariance = 0
  }

  /// Fits a line to `sums`, with prior knowledge of the `period`.
  ///
  /// `weight` is the sum of squared index distances which that knowledge came from.
  @_noLocks
  init(_ sums: PulseSums, period known: Double = 0, weight: Double = 0) {
    let count = Double(sums.count)
    let middle = Double(sums.index) / count
    let mean = Double(sums.time) / count
    let spread = Double(sums.square) - count * middle * middle + weight
    // One pulse, or several at one index, do not determine a period.
    let isFlat = spread <= 0.25
    let product = Double(sums.product) - count * middle * mean + weight * known
    period = isFlat ? known : product / spread
    phase = mean - period * middle
    periodVariance = isFlat ? 1e12 : 1 / spread
    phaseVariance = 1 / count + (isFlat ? 0 : middle * middle / spread)
    covariance = isFlat ? 0 : -middle / spread
  }

  /// The end of a curve whose period changes linearly.
  ///
  /// The curvature follows from the difference between this line and `short`, a line through the
  /// newest `share` (0 to 1) of its pulses.
  ///
  /// A line through N pulses lags by half the change over those pulses in slope, and by a twelfth
  /// of it at the end. The shorter line lags by `share` and by `share` squared of that.
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

  /// Variance of the line `steps` pulses after the newest, relative to that of one stamp.
  @_noLocks
  func variance(ahead steps: Double) -> Double {
    phaseVariance + steps * (2 * covariance + steps * periodVariance)
  }
}
