/// The second step: the line through the pulses.
extension TempoEstimator {
  /// Adds a pulse, `step` indices after the newest.
  @_noLocks
  mutating func append(_ stamp: HostTime, step: Int64) {
    note(indexed: stamp)
    trend.age()
    // Prior knowledge fades as the pulses it came from would have left the window.
    knownWeight *= 1 - 1.0 / 128
    if knownWeight < 1 { knownWeight = 0 }
    let time = clipped(stamp, step: step)
    windows.append(step: step, time: time)
    if outliers.isRealChange { restore() }
    refit()
    compare()
  }

  @_noLocks
  private mutating func note(indexed stamp: HostTime) {
    indexed[indexedCount & 15] = stamp.nanoseconds
    indexedCount &+= 1
  }

  @_noLocks
  mutating func refit() {
    fit = windows.line(period: knownPeriod, weight: knownWeight)
    line = fit
    guard trend.isRamp, knownWeight == 0, windows.count >= 10 else { return }
    let count = Double(windows.count)
    var number = 3
    while number &+ 1 < PulseWindows.whole,
      Double(windows.length(of: number &+ 1)) <= 0.67 * count
    {
      number &+= 1
    }
    let share = Double(windows.length(of: number)) / count
    line = fit.bent(along: windows.line(number), share: share)
  }

  // MARK: - Outliers

  /// `stamp`, moved towards the prediction if it is too far off to be jitter.
  @_noLocks
  private mutating func clipped(_ stamp: HostTime, step: Int64) -> HostTime {
    guard windows.count > 1 || knownWeight > 0 else { return stamp }
    let ahead = Double(step)
    let span = line.phase + line.period * ahead
    expected = windows.newest + HostTime.Span(nanoseconds: Real.nearest(span))
    let residual = Double((stamp - expected).nanoseconds)
    jitterMeter.note(residual: residual)
    scatter += (Real.smaller(Real.magnitude(residual), line.period / 4) - scatter) / 16
    let deviation = jitterMeter.deviation * Real.squareRoot(1 + line.variance(ahead: ahead))
    bound = Real.smaller(3 * deviation, 0.45 * line.period)
    let isEstablished = windows.count >= 8 || knownWeight > 1_000
    guard isEstablished, Real.magnitude(residual) > bound else {
      outliers.end(residual: residual)
      return stamp
    }
    outliers.extend(
      residual: residual,
      bend: Double((stamp - lastStamp).nanoseconds &- lastInterval),
      deviation: jitterMeter.deviation)
    if residual > 0.1 * line.period { late &+= 1 }
    return clip(residual)
  }

  @_noLocks
  func clip(_ residual: Double) -> HostTime {
    expected + HostTime.Span(nanoseconds: Real.nearest(residual < 0 ? -bound : bound))
  }

  /// Restores the clipped stamps, because the run of outliers is a real change.
  @_noLocks
  private mutating func restore() {
    let run = outliers.length < 12 ? outliers.length : 12
    var back: Int64 = 0
    while back < run {
      let slot = (indexedCount &- 1 &- Int(truncatingIfNeeded: back)) & 15
      windows.correct(back: back, to: HostTime(nanoseconds: indexed[slot]))
      back &+= 1
    }
    guard outliers.isParallel(deviation: jitterMeter.deviation),
      !jitterMeter.takesAsJitter(jump: outliers.residual, period: line.period)
    else {
      return windows.keep(newest: windows.count)
    }
    // The grid has moved by a fraction of a period: no pulse was lost or doubled.
    holdPeriod()
    windows.keep(newest: run)
    outliers = OutlierRun()
    forgetShift()
  }

  @_noLocks
  private mutating func holdPeriod() {
    knownPeriod = fit.period
    knownWeight = Real.smaller(1 / fit.periodVariance, 5e6)
  }

  // MARK: - Windows

  /// Discards the pulses before a change: those that the newest ones contradict.
  @_noLocks
  private mutating func compare() {
    let count = windows.count
    guard count >= 5 else { return }
    let variance = jitterMeter.deviation * jitterMeter.deviation
    var worst = 0.0
    var best = 0
    var number = 0
    while number < PulseWindows.whole, windows.length(of: number) < count {
      let doubt = contradiction(windows.line(number), to: fit, over: windows.length(of: number))
      if doubt > worst {
        worst = doubt
        best = number
      }
      number &+= 1
    }
    // Five and a half deviations, because this tests thirteen windows a hundred thousand times an
    // hour. Just after a change less is enough, since the window may still contain a pulse from
    // before it.
    guard worst > (trend.isRecent && count < 64 ? 20 : 30) * variance else {
      contradictions = 0
      return
    }
    // The change is certain; the question is where. It is near the window with the greatest
    // contradiction, or earlier, as far as longer windows agree with that one.
    if best < 1 { best = 1 }
    let surest = windows.line(best)
    while best &+ 1 < PulseWindows.whole, windows.length(of: best &+ 1) < count,
      contradiction(surest, to: windows.line(best &+ 1), over: windows.length(of: best)) < 6.25
        * variance
    {
      best &+= 1
    }
    contradictions &+= 1
    let isMostKept = Double(windows.length(of: best)) >= 0.6 * Double(count)
    guard isMostKept || contradictions >= 3 else { return }
    trend.note(isFaster: surest.period < fit.period)
    windows.keep(newest: windows.lengthSinceBend(at: best))
    knownWeight = 0
    contradictions = 0
    refit()
  }

  /// How far the line of the shorter window, over `length` pulses, is from that of the longer one:
  /// the squared deviation of slope or end, whichever is greater.
  ///
  /// A value of 1 corresponds to a stamp variance of 1.
  ///
  /// The difference of two nested least-squares fits has the difference of their variances.
  /// Deviations that jumps of the sender's timer can explain are subtracted.
  @_noLocks
  private mutating func contradiction(
    _ short: PulseLine, to long: PulseLine, over length: Int64
  ) -> Double {
    let slopeVariance = short.periodVariance - long.periodVariance
    let endVariance = short.phaseVariance - long.phaseVariance
    guard slopeVariance > 0, endVariance > 0 else { return 0 }
    let slope = Real.larger(
      Real.magnitude(short.period - long.period) - 1.2 * jitterMeter.recurringJump / Double(length),
      0)
    let end = Real.larger(
      Real.magnitude(short.phase - long.phase) - 0.75 * jitterMeter.recurringJump, 0)
    return Real.larger(slope * slope / slopeVariance, end * end / endVariance)
  }

  // MARK: - Starting

  /// Begins with the first pulse.
  @_noLocks
  mutating func begin(at stamp: HostTime) {
    windows.begin(at: stamp)
    note(indexed: stamp)
    refit()
  }

  /// Resumes after a gap: keeps the tempo until new intervals confirm or refute it, and takes a new
  /// phase.
  @_noLocks
  mutating func resume(at stamp: HostTime) {
    let wasLocked = isLocked
    holdPeriod()
    if !wasLocked { knownWeight = 0 }
    isUnverified = wasLocked
    forgetRun()
    isLastEven = false
    begin(at: stamp)
  }

  /// Fits a new line to the pulses of the last `intervals` intervals; `stamp` is the newest.
  @_noLocks
  mutating func begin(again stamp: HostTime, after intervals: Int) {
    forgetRun()
    knownWeight = 0
    isLastEven = true
    var back = intervals
    windows.begin(at: HostTime(nanoseconds: self.stamp(back: back)))
    while back > 1 {
      back &-= 1
      windows.append(step: 1, time: HostTime(nanoseconds: self.stamp(back: back)))
    }
    windows.append(step: 1, time: stamp)
    note(indexed: stamp)
    refit()
  }

  @_noLocks
  private mutating func forgetRun() {
    forgetShift()
    outliers = OutlierRun()
    trend = RampDetector()
    contradictions = 0
  }
}
