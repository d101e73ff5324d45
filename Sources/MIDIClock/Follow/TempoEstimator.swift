/// Tempo and phase of an incoming MIDI clock, from the stamps of its pulses.
///
/// A straight line is fitted by least squares through as many of the newest pulses as agree with
/// each other, up to 1536: its slope is the period, its newer end the phase. What makes it hold up:
///
/// - Every pulse first gets its *index* on the grid, from the prediction and the last interval. A
///   lost pulse leaves a hole and a doubled one falls on an index already taken; neither bends
///   the line. Where the jitter is too large for that, pulses are simply counted.
/// - A pulse far off the prediction is *clipped* to three deviations. When several in a row are off
///   on one side, evenly more and more, or six at all, they are put back as they were: a real
///   change.
/// - Fits over nested windows, from the last 3 pulses to all, are compared. While the slope and the
///   end of each agree with the whole within their errors the window grows; when one contradicts,
///   the pulses before it are forgotten.
/// - When that happens again and again in one direction, the tempo ramps, and the line is bent by
///   what two windows of different length tell.
/// - Where only the phase jumps, as when a leader sets its grid anew at Start, and after a gap, the
///   slope known so far is kept as knowledge and the phase is taken from the pulses after.
///
/// Stamps are nanoseconds; the work per pulse is bounded, fixed-size and without references.
/// Properties have mutating getters and the type cannot be copied by accident, because a read
/// through an immutable reference copies the fixed arrays (Swift 6.3). Sources: the rule of
/// intersecting confidence intervals (A. Goldenshluger and A. Nemirovski, "On spatially adaptive
/// estimation of nonparametric regression", 1997); MIDI 1.0 Detailed Specification, "Timing Clock".
public struct TempoEstimator: ~Copyable, Sendable {
  var windows = PulseWindows()
  var meter = JitterMeter()
  /// The least-squares line, and the same bent to a ramp while there is one.
  var fit = PulseLine()
  var line = PulseLine()
  var trend = RampDetector()
  var outliers = OutlierRun()
  var grid = SlipCounter()

  /// Slope known from before a jump of phase or a gap, and its weight in squared indices.
  var knownPeriod = 0.0
  var knownWeight = 0.0
  /// True until the first interval after a gap has borne out the period held through it.
  var isUnverified = false
  /// Pulses in a row at which a window contradicted the line.
  var contradictions = 0

  var lastStamp = HostTime.zero
  var lastInterval: Int64 = 0
  /// Whether the last interval was one index long, so that a second difference means something.
  var isLastEven = false
  /// The last stamps as they came: all of them, and those that got an index of their own.
  var stamps: [16 of Int64] = .init(repeating: 0)
  var indexed: [16 of Int64] = .init(repeating: 0)
  var indexedCount = 0
  /// Where the newest pulse was expected and how far off it may be, nanoseconds.
  var expected = HostTime.zero
  var bound = 0.0
  /// Running mean of how far off pulses were, a quarter of a period at most; nanoseconds.
  var scatter = 0.0

  /// Pulses received.
  public internal(set) var pulses: Int64 = 0
  /// Pulses that never came: holes in the grid that no late burst filled.
  public internal(set) var missing: Int64 = 0
  /// Pulses too many: a second one for a place on the grid, with none owed.
  public internal(set) var extra: Int64 = 0
  /// Pulses late by more than jitter and a tenth of a period: single ones, and those of a burst
  /// after a stall.
  public internal(set) var late: Int64 = 0

  /// Nothing received yet.
  public init() {}
}

// MARK: - Results

extension TempoEstimator {
  /// The period in nanoseconds; `nil` before the second pulse, and when it is no tempo between 7
  /// and 450 quarters per minute.
  public var period: Double? { @_noLocks mutating get { hasPeriod ? line.period : nil } }

  /// The tempo in quarter notes per minute; `nil` as `period`.
  public var bpm: Double? {
    @_noLocks mutating get { hasPeriod ? Resolution.pulseAtOneBPM / line.period : nil }
  }

  /// The nearest tempo to a thousandth, within 10 to 400 quarters per minute; `nil` as `period`.
  public var tempo: Tempo? {
    @_noLocks mutating get {
      guard hasPeriod else { return nil }
      return Tempo(clamping: Real.nearest(1_000 * Resolution.pulseAtOneBPM / line.period))
    }
  }

  /// Standard deviation of `bpm` in quarter notes per minute, from jitter and window; `nil` as
  /// `period`.
  public var uncertainty: Double? {
    @_noLocks mutating get {
      guard hasPeriod else { return nil }
      return Resolution.pulseAtOneBPM / (line.period * line.period) * meter.deviation
        * Real.squareRoot(line.periodVariance)
    }
  }

  /// The tempo of the last interval alone, in quarter notes per minute; `nil` when that is none
  /// between 10 and 400, as in a burst.
  public var rawBPM: Double? {
    @_noLocks mutating get {
      lastInterval >= 6_250_000 && lastInterval <= 250_000_000
        ? Resolution.pulseAtOneBPM / Double(lastInterval) : nil
    }
  }

  /// Standard deviation of a single pulse's stamp, as measured; half a millisecond at first.
  public var jitter: HostTime.Span {
    @_noLocks mutating get { HostTime.Span(nanoseconds: Real.nearest(meter.deviation)) }
  }

  /// How many pulses the line goes through, 0 to 1536: the quality of the lock.
  public var windowLength: Int64 { @_noLocks mutating get { windows.count } }

  /// True when the estimate can be trusted: six pulses or more, and the period known to 1 %.
  public var isLocked: Bool {
    @_noLocks mutating get {
      guard hasPeriod, windows.count >= 6 || knownWeight > 0 else { return false }
      let variance = meter.deviation * meter.deviation * line.periodVariance
      return variance < 1e-4 * line.period * line.period
    }
  }

  /// The filtered time of the newest pulse: where the line puts it; `nil` before the first.
  public var filteredTime: HostTime? { @_noLocks mutating get { time(ahead: 0) } }

  /// When the pulse `count` after the newest is to be expected; negative counts look back.
  ///
  /// Counts pulses, not places on the grid: while pulses are owed after a stall, the newest belongs
  /// earlier. `nil` before the first pulse, and without a period for any other.
  @_noLocks
  public mutating func time(ahead count: Int64) -> HostTime? {
    let steps = count &- grid.slip
    guard windows.count > 0, hasPeriod || steps == 0 else { return nil }
    let span = line.phase + line.period * Double(steps)
    return windows.newest + HostTime.Span(nanoseconds: Real.nearest(span))
  }

  /// The whole number of periods by which the arrivals have shifted for good, told with the pulse
  /// that settled it: positive for pulses lost, negative for pulses doubled, 0 with all others.
  var settledShift: Int64 { @_noLocks get { grid.settled } }

  /// Forgets a shift that is not settled yet: the count it was held against begins anew.
  @_noLocks
  mutating func forgetShift() { grid = SlipCounter() }

  private var hasPeriod: Bool {
    @_noLocks mutating get { line.period > 5_500_000 && line.period < 350_000_000 }
  }
}
