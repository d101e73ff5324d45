/// The duration of a quarter note: nanoseconds as an exact fraction.
///
/// Exact for every typed tempo (60e12 / thousandths), for whole microseconds per quarter (MIDI
/// files, Link), and for a typed ratio of a typed tempo as long as the fraction fits. Anything else
/// is rounded once to 2^-20 ns per quarter, which is 0.011 ns per hour at 200 quarters per minute.
///
/// The fraction is reduced when a pace is created; the timing path only multiplies and divides. Its
/// bounds keep that within 128 bits, for positions up to 2^41 ticks in fractions up to 2^21.2 (24
/// swung clicks per beat):
///
/// - the time of a position, 2 x ticks x fraction x numerator: 1 + 41 + 21.2 + 62 = 2^125.2;
/// - its divisor, 2 x fraction x 960 x denominator: 1 + 21.2 + 9.9 + 31 = 2^63.1;
/// - the tick at a time, elapsed x 960 x denominator: 63 + 9.9 + 31 = 2^103.9;
/// - a ramp's change, numerator x other denominator: 62 + 31 = 2^93.
public struct Pace: Hashable, Sendable {
  /// Nanoseconds per quarter, times `denominator`: 1 to 2^62.
  public let numerator: Int64
  /// 1 to 2^31; has no common divisor with `numerator`.
  public let denominator: Int64

  private static var greatestNumerator: Int128 { @_noLocks get { 1 << 62 } }
  private static var greatestDenominator: Int128 { @_noLocks get { 1 << 31 } }

  /// The exact pace of a typed tempo.
  @_noLocks
  public init(_ tempo: Tempo) {
    // At most 20 divisions, and on changes only.
    let divisor = Division.commonDivisor(Resolution.tempoNumerator, tempo.milliBPM)
    numerator = Resolution.tempoNumerator / divisor
    denominator = tempo.milliBPM / divisor
  }

  /// The pace of whole microseconds per quarter, as in MIDI files and Link; clamped to 1...2^52.
  public init(microseconds: Int64) {
    numerator = min(max(microseconds, 1), 1 << 52) * 1_000
    denominator = 1
  }

  /// The pace at which `ticks` ticks take exactly `span`, at least a nanosecond.
  ///
  /// It may be outside the range of tempos.
  public init(spreading ticks: Int64, over span: HostTime.Span) {
    self.init(
      numerator: Int128(max(1, span.nanoseconds)) * Int128(Resolution.ticksPerQuarter),
      denominator: Int128(ticks))
  }

  /// Reduces the fraction, or rounds it to 2^-20 ns if it does not fit.
  ///
  /// Both parts must be above 0 and below 2^105.
  init(numerator: Int128, denominator: Int128) {
    let divisor = Division.commonDivisor(numerator, denominator)
    let (top, bottom) = (numerator / divisor, denominator / divisor)
    if top <= Self.greatestNumerator, bottom <= Self.greatestDenominator {
      self.numerator = Int64(top)
      self.denominator = Int64(bottom)
      return
    }
    let unit: Int128 = 1 << 20
    let rounded = min(max((2 * top * unit + bottom) / (2 * bottom), 1), Self.greatestNumerator)
    let common = Division.commonDivisor(rounded, unit)
    self.numerator = Int64(rounded / common)
    self.denominator = Int64(unit / common)
  }

  /// The pace `ratio` / `base` times as fast; both must be above 0 and below 2^40.
  public func faster(by ratio: Int64, over base: Int64) -> Pace {
    Pace(
      numerator: Int128(numerator) * Int128(base), denominator: Int128(denominator) * Int128(ratio))
  }

  /// The tempo as displayed: the nearest thousandth, clamped to the range.
  public var tempo: Tempo {
    @_noLocks get {
      Tempo(
        clamping: Division.rounded(
          Int128(Resolution.tempoNumerator) * Int128(denominator), by: Int128(numerator)))
    }
  }

  /// The pulse period, rounded down to whole nanoseconds; for bounds, never for the grid.
  public var pulsePeriod: HostTime.Span {
    @_noLocks get { part(1, over: Resolution.pulsesPerQuarter) }
  }

  /// The length of `count / parts` quarters, rounded down to whole nanoseconds; for bounds, never
  /// for the grid.
  @_noLocks
  func part(_ count: Int64, over parts: Int64) -> HostTime.Span {
    HostTime.Span(
      nanoseconds: Division.floor(
        Int128(numerator) * Int128(count), by: Int128(denominator) * Int128(parts)))
  }

  /// True if both are the same pace.
  @_noLocks
  public static func == (left: Pace, right: Pace) -> Bool {
    left.numerator == right.numerator && left.denominator == right.denominator
  }

  /// True if this pace is faster than `other`.
  @_noLocks
  func isFaster(than other: Pace) -> Bool {
    Int128(numerator) * Int128(other.denominator) < Int128(other.numerator) * Int128(denominator)
  }

  /// How much faster `target` is, relative to this pace's tempo: 1 is twice as fast.
  ///
  /// The difference is taken in integers, so that nothing cancels between nearly equal paces.
  @_noLocks
  func change(to target: Pace) -> Double {
    let own = Int128(numerator) * Int128(target.denominator)
    let other = Int128(target.numerator) * Int128(denominator)
    return Real.value(own - other) / Real.value(other)
  }

  /// The duration of `ticks / parts` ticks, rounded once to the nearest nanosecond.
  @_noLocks
  func duration(ofTicks ticks: Int128, over parts: Int128) -> HostTime.Span {
    HostTime.Span(
      nanoseconds: Division.rounded(
        ticks * Int128(numerator),
        by: parts * Int128(Resolution.ticksPerQuarter &* denominator)))
  }

  /// The whole ticks in `span`, rounded down.
  @_noLocks
  func ticks(in span: HostTime.Span) -> Int64 {
    Division.floor(
      Int128(span.nanoseconds) * Int128(Resolution.ticksPerQuarter &* denominator),
      by: Int128(numerator))
  }

  /// The number of steps of `ticks` ticks nearest to `span`.
  @_noLocks
  func steps(of ticks: Int64, in span: HostTime.Span) -> Int64 {
    Division.rounded(
      Int128(span.nanoseconds) * Int128(Resolution.ticksPerQuarter &* denominator),
      by: Int128(numerator) * Int128(ticks))
  }

  /// The approximate length of a tick in nanoseconds.
  var tickLength: Double {
    @_noLocks get {
      Double(numerator) / Double(Resolution.ticksPerQuarter &* denominator)
    }
  }
}
