/// How long a quarter note lasts: nanoseconds as an exact fraction.
///
/// Exact for every typed tempo (60e12 / thousandths), for whole microseconds a quarter (MIDI files,
/// Link), and for a typed ratio of a typed tempo as long as the fraction fits. What does not fit is
/// rounded once to 2^-20 ns a quarter, 0.011 ns an hour at 200 quarters per minute.
///
/// The fraction is reduced where a pace is made; the timing path only multiplies and divides.
/// Its bounds keep that within 128 bits, for places of up to 2^41 ticks in fractions of up to
/// 2^21.2 (24 swung clicks a beat):
///
/// - the time of a place, 2 x ticks x fraction x numerator: 1 + 41 + 21.2 + 62 = 2^125.2;
/// - its divisor, 2 x fraction x 960 x denominator: 1 + 21.2 + 9.9 + 31 = 2^63.1;
/// - the tick at a time, elapsed x 960 x denominator: 63 + 9.9 + 31 = 2^103.9;
/// - a ramp's change, numerator x other denominator: 62 + 31 = 2^93.
public struct Pace: Hashable, Sendable {
  /// Nanoseconds a quarter, times `denominator`: 1 to 2^62.
  public let numerator: Int64
  /// 1 to 2^31; it has no divisor in common with `numerator`.
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

  /// So many whole microseconds a quarter, as MIDI files and Link have it; at least 1, at most
  /// 2^52.
  public init(microseconds: Int64) {
    numerator = min(max(microseconds, 1), 1 << 52) * 1_000
    denominator = 1
  }

  /// The pace at which `ticks` ticks last exactly `span`, in or out of the range of tempos;
  /// at least a nanosecond.
  public init(spreading ticks: Int64, over span: HostTime.Span) {
    self.init(
      numerator: Int128(max(1, span.nanoseconds)) * Int128(Resolution.ticksPerQuarter),
      denominator: Int128(ticks))
  }

  /// The fraction reduced, or rounded to 2^-20 ns where that does not fit.
  ///
  /// Both parts are above 0 and below 2^105.
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

  /// The pace `ratio` / `base` times as fast; both are above 0 and below 2^40.
  public func faster(by ratio: Int64, over base: Int64) -> Pace {
    Pace(
      numerator: Int128(numerator) * Int128(base), denominator: Int128(denominator) * Int128(ratio))
  }

  /// The tempo as it is shown: to the nearest thousandth, at an end of the range when outside.
  public var tempo: Tempo {
    @_noLocks get {
      Tempo(
        clamping: Division.rounded(
          Int128(Resolution.tempoNumerator) * Int128(denominator), by: Int128(numerator)))
    }
  }

  /// The length of a pulse, rounded down to whole nanoseconds; for bounds, never for the grid.
  public var pulsePeriod: HostTime.Span {
    @_noLocks get { part(1, over: Resolution.pulsesPerQuarter) }
  }

  /// `count / parts` quarters, rounded down to whole nanoseconds; for bounds, never for the grid.
  @_noLocks
  func part(_ count: Int64, over parts: Int64) -> HostTime.Span {
    HostTime.Span(
      nanoseconds: Division.floor(
        Int128(numerator) * Int128(count), by: Int128(denominator) * Int128(parts)))
  }

  /// True when both are the same pace.
  @_noLocks
  public static func == (left: Pace, right: Pace) -> Bool {
    left.numerator == right.numerator && left.denominator == right.denominator
  }

  /// True when this pace is faster than `other`.
  @_noLocks
  func isFaster(than other: Pace) -> Bool {
    Int128(numerator) * Int128(other.denominator) < Int128(other.numerator) * Int128(denominator)
  }

  /// By how much `target` is faster, as a part of this pace's tempo: 1 is twice as fast.
  ///
  /// The difference is taken in integers, so that nothing cancels between paces that are nearly the
  /// same.
  @_noLocks
  func change(to target: Pace) -> Double {
    let own = Int128(numerator) * Int128(target.denominator)
    let other = Int128(target.numerator) * Int128(denominator)
    return Real.value(own - other) / Real.value(other)
  }

  /// How long `ticks / parts` ticks last, rounded once to the nearest nanosecond.
  @_noLocks
  func duration(ofTicks ticks: Int128, over parts: Int128) -> HostTime.Span {
    HostTime.Span(
      nanoseconds: Division.rounded(
        ticks * Int128(numerator),
        by: parts * Int128(Resolution.ticksPerQuarter &* denominator)))
  }

  /// The whole ticks that have passed after `span`, rounded down.
  @_noLocks
  func ticks(in span: HostTime.Span) -> Int64 {
    Division.floor(
      Int128(span.nanoseconds) * Int128(Resolution.ticksPerQuarter &* denominator),
      by: Int128(numerator))
  }

  /// How many steps of `ticks` ticks are nearest to `span`.
  @_noLocks
  func steps(of ticks: Int64, in span: HostTime.Span) -> Int64 {
    Division.rounded(
      Int128(span.nanoseconds) * Int128(Resolution.ticksPerQuarter &* denominator),
      by: Int128(numerator) * Int128(ticks))
  }

  /// How long a tick lasts in nanoseconds, nearly.
  var tickLength: Double {
    @_noLocks get {
      Double(numerator) / Double(Resolution.ticksPerQuarter &* denominator)
    }
  }
}
