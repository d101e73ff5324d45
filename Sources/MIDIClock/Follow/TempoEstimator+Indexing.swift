/// The first step: the index of each pulse on the grid.
extension TempoEstimator {
  /// Processes one pulse, stamped `stamp`.
  ///
  /// Stamps may repeat or step back. Real-time safe: yes.
  @_noLocks
  public mutating func receive(_ stamp: HostTime) {
    pulses &+= 1
    if pulses == 1 {
      begin(at: stamp)
    } else {
      let interval = (stamp - lastStamp).nanoseconds
      index(stamp, after: interval)
      lastInterval = interval
    }
    lastStamp = stamp
    stamps[Int(truncatingIfNeeded: pulses) & 15] = stamp.nanoseconds
    isAfterTransport = false
  }

  /// Records that Start or Continue arrived: the leader may begin a new grid with the next pulse.
  @_noLocks
  mutating func noteTransport() { isAfterTransport = true }

  /// The stamp `back` pulses before the current one.
  @_noLocks
  mutating func stamp(back: Int) -> Int64 {
    stamps[(Int(truncatingIfNeeded: pulses) &- back) & 15]
  }

  @_noLocks
  private mutating func index(_ stamp: HostTime, after interval: Int64) {
    let period = line.period
    let ratio = period > 1_000_000 ? Double(interval) / period : 1
    if isBreak(interval) { return resume(at: stamp) }
    if windows.count < 3, knownWeight == 0, Double(interval) > Self.slowest {
      return begin(again: stamp, after: 2)
    }
    guard isIndexing else {
      noteEvenness(interval, step: 1)
      grid.note(step: 1, isOnGrid: false, isTrusted: false)
      return append(stamp, step: 1)
    }
    if isUnverified {
      isUnverified = false
      // Four deviations of an interval.
      let tolerance = Real.smaller(0.001 + 6 * jitterMeter.deviation / period, 0.3)
      if Real.magnitude(ratio - 1) > tolerance { return begin(again: stamp, after: 1) }
    }
    let step = step(to: stamp, ratio)
    if step != 1, let intervals = newTempoLine(stamp, ratio) {
      return begin(again: stamp, after: intervals)
    }
    if grid.isHopeless(step: step) { return begin(again: stamp, after: 12) }
    noteEvenness(interval, step: step)
    if step != 1, grid.isClosed { grid.open(after: establishedLine) }
    if step < 1 {
      receiveDouble(stamp)
    } else {
      append(stamp, step: step)
      grid.note(
        step: step, isOnGrid: outliers.length == 0, isTrusted: isGridTrusted)
      settleSlip()
    }
  }

  /// The line before the newest pulses, which may already be at another tempo.
  private var establishedLine: PulseLine {
    @_noLocks mutating get {
      knownWeight > 0 ? fit : windows.line(before: Self.doubtful) ?? fit
    }
  }

  /// The window of the eight newest pulses: a step is recognized within six.
  private static var doubtful: Int { @_noLocks get { 3 } }

  /// Decides whether an open slip is a loss, once enough pulses have followed it.
  @_noLocks
  private mutating func settleSlip() {
    guard !grid.isClosed, let number = windows.number(ofLength: grid.steady), grid.steady >= 6
    else { return }
    grid.settle(by: windows.line(number), deviation: jitterMeter.deviation)
    missing &+= grid.confirmedSlip > 0 ? grid.confirmedSlip : 0
    extra &-= grid.confirmedSlip < 0 ? grid.confirmedSlip : 0
  }

  /// Whether the interval is a pause of the leader and not a number of periods.
  ///
  /// With the period known, that is a gap after which the number of pulses sent in between is not
  /// known any more, or anything but one period if Start or Continue arrived meanwhile. With too few
  /// pulses for a period, it is an interval with Start or Continue in it, one much longer than the
  /// others, or one longer than a period of the slowest tempo, unless two such intervals are alike.
  @_noLocks
  private mutating func isBreak(_ interval: Int64) -> Bool {
    let period = line.period
    let length = Double(interval)
    let difference = Real.magnitude(length - period)
    guard windows.count >= 5 || knownWeight > 0 else {
      if length > Self.slowest {
        return Real.magnitude(length - Double(lastInterval)) > 0.1 * length
      }
      guard windows.count > 1, period > 1_000_000 else { return isAfterTransport }
      return length > 4 * period || (isAfterTransport && difference > 0.3 * period)
    }
    guard period > 1_000_000 else { return length > 500_000_000 }
    if length > Real.larger(4 * period, 500_000_000) + period / 2 || length < -4 * period {
      return true
    }
    return isAfterTransport && difference > 0.04 * period + 8 * jitterMeter.deviation
  }

  /// The period of 10 BPM and a little more, in nanoseconds: what is longer is first taken for a
  /// pause.
  private static var slowest: Double { @_noLocks get { 260_000_000 } }

  /// Whether a hole or a double can be distinguished from jitter: three deviations of the next
  /// pulse from its prediction must stay within half a period.
  private var isIndexing: Bool {
    @_noLocks mutating get {
      guard line.period > 1_000_000, windows.count >= 5 || knownWeight > 0 else { return false }
      let variance = jitterMeter.deviation * jitterMeter.deviation * (1 + line.variance(ahead: 1))
      return 36 * variance < line.period * line.period
    }
  }

  /// Whether the grid is reliable enough to check the count against: a beat of pulses agree on it.
  private var isGridTrusted: Bool {
    @_noLocks mutating get { windows.count >= 24 || knownWeight > 0 }
  }

  /// The number of indices from the newest pulse to `stamp`; 0 or less if the index is taken.
  @_noLocks
  private mutating func step(to stamp: HostTime, _ ratio: Double) -> Int64 {
    let offset = (Double((stamp - windows.newest).nanoseconds) - line.phase) / line.period
    let predicted = Real.nearest(offset)
    // While the line lags behind a change, the last interval is the better guide. A single outlier
    // is not yet a change, and a pulse right on the grid refutes one.
    let part = Real.magnitude(offset - Double(predicted)) * line.period
    let isOnGrid = part < Real.smaller(2 * jitterMeter.deviation, 0.1 * line.period)
    guard outliers.length > 1, !isOnGrid else { return predicted }
    let counted = Real.nearest(ratio)
    return counted >= 1 && Real.magnitude(ratio - Double(counted)) < 0.3 ? counted : predicted
  }

  @_noLocks
  private mutating func noteEvenness(_ interval: Int64, step: Int64) {
    if step == 1, isLastEven { jitterMeter.record(interval &- lastInterval) }
    isLastEven = step == 1
  }

  /// A second pulse at an index already taken: keep the better of the two stamps.
  @_noLocks
  private mutating func receiveDouble(_ stamp: HostTime) {
    // Outstanding pulses that arrive after all were late, not lost.
    if grid.slip > 0 { late &+= 1 }
    grid.note(step: 0, isOnGrid: false, isTrusted: isGridTrusted)
    let residual = Double((stamp - expected).nanoseconds)
    guard Real.magnitude(residual) < Real.magnitude(outliers.residual) else { return }
    indexed[(indexedCount &- 1) & 15] = stamp.nanoseconds
    let isOutlier = Real.magnitude(residual) > bound
    if !isOutlier { outliers.end(residual: residual) }
    windows.moveNewest(to: isOutlier ? clip(residual) : stamp)
    refit()
  }

  // MARK: - Another tempo

  /// The number of recent intervals that form an even line at another period, where the grid would
  /// see a hole or a double; `nil` if none do.
  @_noLocks
  private mutating func newTempoLine(_ stamp: HostTime, _ ratio: Double) -> Int? {
    // While pulses are outstanding, fast ones are those catching up.
    if grid.slip > 0, ratio < 1 { return nil }
    // A run of three intervals of two periods may be every second pulse lost; only seven mean half
    // the tempo.
    let part = Real.magnitude(ratio - Double(Real.nearest(ratio)))
    let isWhole = part < 0.1 + 5 * jitterMeter.deviation / line.period
    if !(ratio > 1.5 && isWhole), isNewTempoLine(stamp, 3) { return 3 }
    if isNewTempoLine(stamp, 7) { return 7 }
    return isNewTempoLine(stamp, 15) ? 15 : nil
  }

  /// Whether the last `intervals` intervals, each taken as one index, form a line at another tempo.
  @_noLocks
  private mutating func isNewTempoLine(_ stamp: HostTime, _ intervals: Int) -> Bool {
    guard pulses > intervals else { return false }
    let count = Double(intervals &+ 1)
    let middle = Double(intervals) / 2
    var sum = 0.0
    var product = 0.0
    var squares = 0.0
    var back = intervals
    while back > 0 {
      let time = Double(self.stamp(back: back) &- stamp.nanoseconds)
      sum += time
      product += (middle - Double(back)) * time
      squares += time * time
      back &-= 1
    }
    let spread = count * (count * count - 1) / 12
    let period = product / spread
    let rest = (squares - sum * sum / count - product * period) / (count - 2)
    let variance = jitterMeter.deviation * jitterMeter.deviation
    let change = period - line.period
    // Four pulses easily look like a line, so the difference must be large.
    let least = (intervals < 7 ? 0.2 : 0.02) * line.period
    // A grid that all pulses are far from explains no more than counting does.
    let isPoorGrid = intervals > 7 && scatter > 0.12 * line.period
    let allowed = Real.larger(2 * variance, isPoorGrid ? 2.3 * scatter * scatter : 0)
    // A burst catches up at such speeds, but not for sixteen pulses.
    let leastPeriod = intervals < 15 ? 5_500_000.0 : 1_000_000
    return period > leastPeriod && rest < allowed
      && change * change > 36 * variance / spread + least * least
  }
}
