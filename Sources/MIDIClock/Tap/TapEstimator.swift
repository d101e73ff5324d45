/// Estimates tempo, scatter and the next beat from the times of taps.
///
/// A tap within 60 ms of the last is a bounce. A series ends after a silence of 2.5 s or 2.5
/// intervals, whichever is longer. A first interval shorter than the fastest quarter (150 ms) also
/// starts a new series. A tap that comes long before its time is an outlier. A new tempo takes over
/// immediately if two consecutive intervals agree on it. If the difference is small, it takes over
/// when two lines fit the taps far better than one. Only the last 32 taps are used. Real-time safe:
/// fixed size, no allocation.
public struct TapEstimator: Sendable {
  /// How a tap was classified.
  public enum Verdict: Hashable, Sendable {
    /// It counts.
    case tap
    /// It counts, as the first of a new series or with the last few taps of a new tempo.
    case newSeries
    /// It repeats the previous hit.
    case bounce
    /// It is too far from the line of the series.
    case outlier
  }

  /// A hit within this time of the last one is a bounce.
  public static var bounceTime: HostTime.Span { .milliseconds(60) }
  /// The minimum silence that ends a series; two taps can therefore give at least 24 BPM.
  public static var shortestTimeout: HostTime.Span { .milliseconds(2_500) }
  /// The shortest interval: a quarter at the maximum tempo.
  public static var shortestInterval: HostTime.Span { .milliseconds(150) }
  /// The relative difference up to which two intervals agree.
  private static var agreementTolerance: Double { 0.15 }

  private var stamps: [32 of Int64] = .init(repeating: 0)
  private var stored = 0
  /// The last hits except bounces, outliers included; the newest last.
  private var raw: [3 of Int64] = .init(repeating: 0)
  private var rawCount = 0
  /// The last hit, bounces included.
  private var lastHit: Int64 = 0
  private var line = TapFit(.init(repeating: 0), count: 0)

  /// The number of taps counted in this series, including those no longer stored.
  public private(set) var count = 0

  /// Creates an estimator without taps.
  public init() {}

  /// Processes a tap at `stamp`, which is not before the last one.
  public mutating func receive(_ stamp: HostTime) -> Verdict {
    let now = stamp.nanoseconds
    guard rawCount > 0 else { return begin(now) }
    let sinceHit = now - lastHit
    // A stamp that goes backwards comes from another clock or another recording.
    guard sinceHit >= 0 else { return begin(now) }
    let gap = now - raw[2]
    guard gap >= Self.bounceTime.nanoseconds else {
      lastHit = now
      return .bounce
    }
    lastHit = now
    guard gap <= timeout else { return begin(now) }
    push(now)
    if let taken = takeOver() { return taken }
    let interval = now - stamps[stored - 1]
    guard stored > 1 else {
      guard interval >= Self.shortestInterval.nanoseconds else { return begin(now) }
      return append(now)
    }
    if Double(interval) < 0.4 * line.period { return .outlier }
    return append(now)
  }

  /// The silence after which a tap starts a new series.
  private var timeout: Int64 {
    max(Self.shortestTimeout.nanoseconds, Int64(2.5 * line.period))
  }

  private mutating func begin(_ now: Int64) -> Verdict {
    stored = 0
    rawCount = 0
    push(now)
    lastHit = now
    stamps[0] = now
    stored = 1
    count = 1
    line = TapFit(stamps, count: 1)
    return .newSeries
  }

  private mutating func push(_ now: Int64) {
    raw[0] = raw[1]
    raw[1] = raw[2]
    raw[2] = now
    rawCount = min(3, rawCount + 1)
  }

  private mutating func append(_ now: Int64) -> Verdict {
    if stored == TapFit.capacity {
      for tap in 1..<stored { stamps[tap - 1] = stamps[tap] }
      stored -= 1
    }
    stamps[stored] = now
    stored += 1
    line = TapFit(stamps, count: stored)
    if let newest = line.newestOfAnotherTempo {
      for tap in 0..<newest { stamps[tap] = stamps[stored - newest + tap] }
      return restart(with: newest)
    }
    guard line.hasNewest else { return .outlier }
    count += 1
    return .tap
  }

  private mutating func restart(with taps: Int) -> Verdict {
    stored = taps
    count = taps
    line = TapFit(stamps, count: stored)
    return .newSeries
  }

  /// Starts a new series with the last three hits if their two intervals agree with each other but
  /// not with the series.
  private mutating func takeOver() -> Verdict? {
    guard rawCount == 3, stored > 2 else { return nil }
    let (first, second) = (Double(raw[1] - raw[0]), Double(raw[2] - raw[1]))
    let mean = (first + second) / 2
    guard Real.magnitude(first - second) <= Self.agreementTolerance * mean,
      first >= Double(Self.shortestInterval.nanoseconds),
      second >= Double(Self.shortestInterval.nanoseconds),
      Real.magnitude(mean - line.period) > Self.agreementTolerance * line.period
    else { return nil }
    for tap in 0..<3 { stamps[tap] = raw[tap] }
    return restart(with: 3)
  }

  /// The beat period in nanoseconds; `nil` with fewer than two taps.
  public var period: Double? { stored > 1 && line.period > 0 ? line.period : nil }

  /// Taps per minute; `nil` with fewer than two taps.
  public var bpm: Double? { period.map { Resolution.quarterAtOneBPM / $0 } }

  /// Standard deviation of `bpm`; `nil` with fewer than three taps, which cannot determine it.
  public var uncertainty: Double? {
    guard let period, stored > 2 else { return nil }
    return Resolution.quarterAtOneBPM / period * line.periodError / period
  }

  /// Standard deviation of the taps about the beat; `nil` with fewer than three.
  public var spread: HostTime.Span? {
    stored > 2 ? HostTime.Span(nanoseconds: Int64(line.spread)) : nil
  }

  /// The time of the newest tap's beat, on the line.
  public var newestBeat: HostTime? { beat(line.newestNumber) }

  /// The time of the beat after that.
  public var nextBeat: HostTime? { beat(line.newestNumber + 1) }

  private func beat(_ number: Int64) -> HostTime? {
    guard let period else { return nil }
    let after = line.offset + period * Double(number)
    return HostTime(nanoseconds: stamps[0] + Int64(after.rounded()))
  }

  /// Discards all taps, for example after the program was suspended.
  public mutating func reset() { self = TapEstimator() }
}
