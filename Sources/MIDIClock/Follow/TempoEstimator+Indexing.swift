/// The first half of the work: which index on the grid a pulse has.
extension TempoEstimator {
  /// Takes in one pulse, stamped `stamp`.
  ///
  /// Stamps may repeat or step back. Real-time safe: yes.
  @_noLocks
  public mutating func receive(_ stamp: HostTime) {
    pulses &+= 1
    if pulses == 1 {
      begin(at: stamp)
    } else {
      let interval = (stamp - lastStamp).nanoseconds
      place(stamp, after: interval)
      lastInterval = interval
    }
    lastStamp = stamp
    stamps[Int(truncatingIfNeeded: pulses) & 15] = stamp.nanoseconds
  }

  /// The stamp `back` pulses before the one in hand.
  @_noLocks
  mutating func stamp(back: Int) -> Int64 {
    stamps[(Int(truncatingIfNeeded: pulses) &- back) & 15]
  }

  @_noLocks
  private mutating func place(_ stamp: HostTime, after interval: Int64) {
    let period = line.period
    let ratio = period > 1_000_000 ? Double(interval) / period : 1
    if ratio > longestGap(period) || ratio < -4 { return resume(at: stamp) }
    guard isIndexing else {
      noteEvenness(interval, step: 1)
      grid.note(step: 1, isOnGrid: false, isTrusted: false)
      return append(stamp, step: 1)
    }
    if isUnverified {
      isUnverified = false
      let tolerance = Real.smaller(0.04 + 8 * meter.deviation / period, 0.3)
      if Real.magnitude(ratio - 1) > tolerance { knownWeight = 0 }
    }
    let step = step(to: stamp, ratio)
    if step != 1, let intervals = ownLine(stamp, ratio) {
      return begin(again: stamp, after: intervals)
    }
    if grid.isHopeless(step: step) { return begin(again: stamp, after: 12) }
    noteEvenness(interval, step: step)
    if step < 1 {
      fallTwice(stamp)
    } else {
      append(stamp, step: step)
      grid.note(
        step: step, isOnGrid: outliers.length == 0, isTrusted: isGridTrusted)
      missing &+= grid.settled > 0 ? grid.settled : 0
      extra &-= grid.settled < 0 ? grid.settled : 0
    }
  }

  /// In periods: after a longer one nothing is known about what was sent in between.
  @_noLocks
  private func longestGap(_ period: Double) -> Double {
    period > 1_000_000 ? Real.larger(4, 500_000_000 / period) + 0.5 : 1e18
  }

  /// Whether a hole or a double can be told from jitter: three deviations of the next pulse from
  /// its prediction must stay within half a period.
  private var isIndexing: Bool {
    @_noLocks mutating get {
      guard line.period > 1_000_000, windows.count >= 5 || knownWeight > 0 else { return false }
      let variance = meter.deviation * meter.deviation * (1 + line.variance(ahead: 1))
      return 36 * variance < line.period * line.period
    }
  }

  /// Whether the grid is sure enough to hold the count against: a beat of pulses agree on it.
  private var isGridTrusted: Bool {
    @_noLocks mutating get { windows.count >= 24 || knownWeight > 0 }
  }

  /// How many indices after the newest pulse `stamp` lies; 0 or less when that one is taken.
  @_noLocks
  private mutating func step(to stamp: HostTime, _ ratio: Double) -> Int64 {
    let offset = (Double((stamp - windows.newest).nanoseconds) - line.phase) / line.period
    let predicted = Real.nearest(offset)
    // While the line lags behind a change, the last interval tells better. One wild pulse alone is
    // no change yet, and one that falls right on the grid ends the doubt.
    let part = Real.magnitude(offset - Double(predicted)) * line.period
    let isOnGrid = part < Real.smaller(2 * meter.deviation, 0.1 * line.period)
    guard outliers.length > 1, !isOnGrid else { return predicted }
    let counted = Real.nearest(ratio)
    return counted >= 1 && Real.magnitude(ratio - Double(counted)) < 0.3 ? counted : predicted
  }

  @_noLocks
  private mutating func noteEvenness(_ interval: Int64, step: Int64) {
    if step == 1, isLastEven { meter.record(interval &- lastInterval) }
    isLastEven = step == 1
  }

  /// A second pulse on an index already taken: the better of the two stamps stands for it.
  @_noLocks
  private mutating func fallTwice(_ stamp: HostTime) {
    // Owed pulses that come after all were late, not lost.
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

  /// How many of the last intervals make an even line of another period, where the grid would see
  /// a hole or a double; `nil` when they do not.
  @_noLocks
  private mutating func ownLine(_ stamp: HostTime, _ ratio: Double) -> Int? {
    // What comes fast while pulses are owed pays them back.
    if grid.slip > 0, ratio < 1 { return nil }
    // Every second pulse lost, three times on end, happens; only seven times make half the tempo.
    let part = Real.magnitude(ratio - Double(Real.nearest(ratio)))
    let isWhole = part < 0.1 + 5 * meter.deviation / line.period
    if !(ratio > 1.5 && isWhole), isOwnLine(stamp, 3) { return 3 }
    if isOwnLine(stamp, 7) { return 7 }
    return isOwnLine(stamp, 15) ? 15 : nil
  }

  /// Whether the last `intervals` intervals, each taken for one index, lie on a line of their own.
  @_noLocks
  private mutating func isOwnLine(_ stamp: HostTime, _ intervals: Int) -> Bool {
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
    let variance = meter.deviation * meter.deviation
    let change = period - line.period
    // Four pulses are lightly taken for a line, so they must differ grossly.
    let least = (intervals < 7 ? 0.2 : 0.02) * line.period
    // A grid on which all pulses are far off explains no more than counting does.
    let isPoorGrid = intervals > 7 && scatter > 0.12 * line.period
    let allowed = Real.larger(2 * variance, isPoorGrid ? 2.3 * scatter * scatter : 0)
    return period > 5_500_000 && rest < allowed
      && change * change > 36 * variance / spread + least * least
  }
}
