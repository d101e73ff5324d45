/// The quality of one clock, as `monitor` reports it for each source.
///
/// The statistics cover the longest stretch at one tempo without a gap. A gap is an interval of
/// more than one and a half periods; a double is one of less than half. Not for the reading thread:
/// it stores every stamp of two stretches.
public final class ClockMeasurement {
  private var estimator = TempoEstimator()
  private var stretch: [HostTime] = []
  private var longest: [HostTime] = []
  private var last: HostTime?
  private var windowLength: Int64 = 0

  /// All pulses.
  public private(set) var pulses: Int64 = 0
  /// Intervals of more than one and a half periods.
  public private(set) var gaps: Int64 = 0
  /// Intervals of less than half a period.
  public private(set) var doubles: Int64 = 0
  /// The longest interval.
  public private(set) var longestGap = HostTime.Span.zero

  /// Creates an empty measurement.
  public init() {}

  /// Records a pulse.
  public func receive(_ stamp: HostTime) {
    defer { last = stamp }
    pulses += 1
    var isDouble = false
    if let last {
      let interval = stamp - last
      if longestGap < interval { longestGap = interval }
      let periods = estimator.period.map { Double(interval.nanoseconds) / $0 } ?? 1
      // Until the tempo is known, gaps and doubles cannot be detected.
      let isKnown = estimator.isLocked
      if periods > 1.5 {
        gaps += isKnown ? 1 : 0
        endStretch()
      } else if periods < 0.5 {
        doubles += isKnown ? 1 : 0
        endStretch()
        isDouble = true
      }
    }
    // A double belongs to no stretch: the next one begins on the grid.
    if !isDouble { stretch.append(stamp) }
    estimator.receive(stamp)
    let window = estimator.windowLength
    // The estimator has discarded most of its window: the tempo or the grid has changed. It leaves
    // out the pulse at the change, which belongs to both tempos.
    if windowLength >= 48, window < windowLength / 2 { endStretch(before: Int(window) + 1) }
    windowLength = window
  }

  /// Ends the stretch; the newest `kept` pulses, which revealed the change, begin the next one.
  private func endStretch(before kept: Int = 0) {
    let next = Array(stretch.suffix(kept))
    stretch.removeLast(next.count)
    if stretch.count > longest.count { longest = stretch }
    stretch = next
  }

  /// The current tempo in quarter notes per minute; `nil` while unknown.
  public var bpm: Double? { estimator.bpm }

  /// The current jitter of a single pulse, as a standard deviation.
  public var jitter: HostTime.Span { estimator.jitter }

  /// Missing pulses, once the estimator has confirmed them.
  public var missing: Int64 { estimator.missing }

  /// Surplus pulses, once the estimator has confirmed them.
  public var extra: Int64 { estimator.extra }

  /// The statistics of the longest stretch against the nearest round tempo; `nil` if it has fewer
  /// than three pulses.
  public var statistics: (grid: GridStatistics, tempo: Tempo)? {
    let stamps = Self.evenest(stretch.count > longest.count ? stretch : longest)
    guard let fitted = GridStatistics(stamps, tempo: .standard) else { return nil }
    let tempo = Self.roundTempo(near: fitted.fittedBPM)
    return GridStatistics(stamps, tempo: tempo).map { ($0, tempo) }
  }

  /// The longest part of `stamps` without a gap or a double, relative to its own median interval.
  ///
  /// Pulses that arrived before the tempo was known could not be judged at the time.
  static func evenest(_ stamps: [HostTime]) -> [HostTime] {
    let intervals = zip(stamps.dropFirst(), stamps).map { ($0 - $1).nanoseconds }
    guard !intervals.isEmpty else { return stamps }
    let median = intervals.sorted()[intervals.count / 2]
    var best = 0..<1
    var start = 0
    for (index, interval) in intervals.enumerated() {
      let isEven =
        Double(interval) <= 1.5 * Double(median) && 2 * Double(interval) >= Double(median)
      if !isEven { start = index + 1 }
      if index + 2 - start > best.count { best = start..<index + 2 }
    }
    return Array(stamps[best])
  }

  /// The roundest tempo within 100 ppm of `bpm`: whole numbers first, thousandths last.
  static func roundTempo(near bpm: Double) -> Tempo {
    let exact = bpm * 1_000
    for step in [1_000.0, 500, 100, 10] {
      let near = (exact / step).rounded() * step
      if (near - exact).magnitude < exact * 1e-4 { return Tempo(clamping: Int64(near)) }
    }
    return Tempo(clamping: Int64(max(0, min(exact, 1e9)).rounded()))
  }
}
