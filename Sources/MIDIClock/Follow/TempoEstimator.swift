/// Tempo and phase of an incoming MIDI clock, estimated from the stamps of its pulses.
///
/// A straight line is fitted by least squares to the newest pulses, as many as agree with each
/// other, up to 1536. Its slope is the period, its newer end the phase. What makes it robust:
///
/// - Every pulse is first given its *index* on the grid, from the prediction and the last interval.
///   A lost pulse leaves a hole, and a doubled one falls on an index already taken; neither bends
///   the line. If the jitter is too large for that, pulses are simply counted.
/// - A pulse far off the prediction is *clipped* to three deviations. Several in a row on the same
///   side are a real change if they grow evenly, or if there are six; then their stamps are
///   restored.
/// - Fits over nested windows, from the last 3 pulses to all, are compared. The window grows while
///   the slope and the end of each fit agree with the whole within their errors. When one
///   contradicts it, the pulses before that one are discarded.
/// - When that happens repeatedly in one direction, the tempo is ramping. The line is then bent by
///   the difference of two windows of different lengths.
/// - When only the phase jumps, as when a leader restarts its grid at Start, and after a gap, the
///   slope is kept as prior knowledge and the phase comes from the pulses that follow.
///
/// Stamps are nanoseconds; the work per pulse is bounded, fixed-size and without references.
/// Properties have mutating getters and the type is not copyable, because a read through an
/// immutable reference copies the fixed arrays (Swift 6.3). Sources: the rule of intersecting
/// confidence intervals (A. Goldenshluger and A. Nemirovski, "On spatially adaptive estimation of
/// nonparametric regression", 1997); MIDI 1.0 Detailed Specification, "Timing Clock".
public struct TempoEstimator: ~Copyable, Sendable {
  var windows = PulseWindows()
  var jitterMeter = JitterMeter()
  /// The least-squares line.
  var fit = PulseLine()
  /// The same line, bent while the tempo ramps.
  var line = PulseLine()
  var trend = RampDetector()
  var outliers = OutlierRun()
  var grid = SlipCounter()

  /// The slope known from before a phase jump or a gap, and its weight in squared indices.
  var knownPeriod = 0.0
  var knownWeight = 0.0
  /// True until the first interval after a gap has confirmed the period held across it.
  var isUnverified = false
  /// Whether Start or Continue has arrived since the newest pulse.
  var isAfterTransport = false
  /// Consecutive pulses at which a window contradicted the line.
  var contradictions = 0

  var lastStamp = HostTime.zero
  var lastInterval: Int64 = 0
  /// Whether the last interval was one index long, so that a second difference is valid.
  var isLastEven = false
  /// The last stamps as they arrived: of all pulses, and of the pulses that took a new index.
  var stamps: [16 of Int64] = .init(repeating: 0)
  var indexed: [16 of Int64] = .init(repeating: 0)
  var indexedCount = 0
  /// The predicted time of the newest pulse, and the allowed deviation in nanoseconds.
  var expected = HostTime.zero
  var bound = 0.0
  /// Running mean of the residuals, each limited to a quarter of a period; nanoseconds.
  var scatter = 0.0

  /// Pulses received.
  public internal(set) var pulses: Int64 = 0
  /// Pulses that never arrived: holes in the grid that no later burst filled.
  public internal(set) var missing: Int64 = 0
  /// Surplus pulses: a second one at an index already taken, with none outstanding.
  public internal(set) var extra: Int64 = 0
  /// Pulses late by more than jitter and a tenth of a period, single or in a burst after a stall.
  public internal(set) var late: Int64 = 0

  /// Creates an estimator without pulses.
  public init() {}
}

// MARK: - Results

extension TempoEstimator {
  /// The period in nanoseconds; `nil` before the second pulse, and outside 1 ms to 3 s.
  public var period: Double? { @_noLocks mutating get { hasPeriod ? line.period : nil } }

  /// The tempo in quarter notes per minute; `nil` if `period` is.
  ///
  /// Outside 7 to 450 BPM it is `nil` until the estimate is reliable: a burst looks like that too.
  public var bpm: Double? {
    @_noLocks mutating get { hasTempo ? Resolution.pulseAtOneBPM / line.period : nil }
  }

  /// The tempo, rounded to thousandths of a BPM and clamped to 10 to 400 BPM; `nil` if `bpm` is.
  public var tempo: Tempo? {
    @_noLocks mutating get {
      guard hasTempo else { return nil }
      return Tempo(clamping: Real.nearest(1_000 * Resolution.pulseAtOneBPM / line.period))
    }
  }

  /// Standard deviation of `bpm`, in quarter notes per minute, from the jitter and the window;
  /// `nil` if `period` is.
  public var uncertainty: Double? {
    @_noLocks mutating get {
      guard hasPeriod else { return nil }
      return Resolution.pulseAtOneBPM / (line.period * line.period) * jitterMeter.deviation
        * Real.squareRoot(line.periodVariance)
    }
  }

  /// The tempo of the last interval alone, in quarter notes per minute; `nil` outside 10 to 400, as
  /// in a burst.
  public var rawBPM: Double? {
    @_noLocks mutating get {
      lastInterval >= 6_250_000 && lastInterval <= 250_000_000
        ? Resolution.pulseAtOneBPM / Double(lastInterval) : nil
    }
  }

  /// Standard deviation of a single pulse's stamp; half a millisecond until it is measured.
  public var jitter: HostTime.Span {
    @_noLocks mutating get { HostTime.Span(nanoseconds: Real.nearest(jitterMeter.deviation)) }
  }

  /// The number of pulses that the line is fitted to, 0 to 1536: the quality of the lock.
  public var windowLength: Int64 { @_noLocks mutating get { windows.count } }

  /// Whether the estimate is reliable: at least six pulses, and the period known to 1 %.
  public var isLocked: Bool {
    @_noLocks mutating get {
      guard hasPeriod, windows.count >= 6 || knownWeight > 0 else { return false }
      let variance = jitterMeter.deviation * jitterMeter.deviation * line.periodVariance
      return variance < 1e-4 * line.period * line.period
    }
  }

  /// The filtered time of the newest pulse, on the line; `nil` before the first.
  public var filteredTime: HostTime? { @_noLocks mutating get { time(ahead: 0) } }

  /// The expected time of the pulse `count` after the newest.
  ///
  /// Negative counts look back.
  ///
  /// Counts pulses, not grid indices: while pulses are outstanding after a stall, the newest pulse
  /// belongs earlier on the grid. `nil` before the first pulse; without a period, `nil` for any
  /// other.
  @_noLocks
  public mutating func time(ahead count: Int64) -> HostTime? {
    let steps = count &- grid.slip
    guard windows.count > 0, hasPeriod || steps == 0 else { return nil }
    let span = line.phase + line.period * Double(steps)
    return windows.newest + HostTime.Span(nanoseconds: Real.nearest(span))
  }

  /// The number of periods by which the arrivals have shifted for good, as confirmed by the newest
  /// pulse.
  ///
  /// Positive if pulses were lost, negative if doubled; 0 for all other pulses.
  var confirmedShift: Int64 { @_noLocks get { grid.confirmedSlip } }

  /// Discards a shift that is not confirmed yet, because the count restarts.
  @_noLocks
  mutating func forgetShift() { grid = SlipCounter() }

  private var hasPeriod: Bool {
    @_noLocks mutating get { line.period > 1_000_000 && line.period < 3_000_000_000 }
  }

  private var hasTempo: Bool {
    @_noLocks mutating get {
      guard hasPeriod else { return false }
      return (line.period > 5_500_000 && line.period < 350_000_000) || isLocked
    }
  }

  /// The mean period of pulses too fast for `period`, once there are too many for a burst.
  var sustainedPeriod: Double? {
    @_noLocks mutating get { windows.count >= 96 && line.period > 0 ? line.period : nil }
  }
}
