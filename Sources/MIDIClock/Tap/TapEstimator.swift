/// Tempo and beat from taps: each tap's own time in, tempo, scatter and next beat out.
///
/// A tap within 60 ms of the last is a bounce. A series ends after a silence of 2.5 s or 2.5
/// intervals, whichever is longer; a gap shorter than the fastest quarter (150 ms) begins a new one
/// as a gap too long does. A tap that comes long before its time is an outlier. A new tempo takes over
/// at once when two intervals in a row agree on it, or, when it differs but little, when two lines
/// explain the taps far better than one. The last 32 taps count. Real-time safe: fixed size, no
/// allocation.
public struct TapEstimator: Sendable {
  /// What became of a tap.
  public enum Verdict: Hashable, Sendable {
    /// It counts.
    case tap
    /// It counts, as the first of a new series or with the last few of another tempo.
    case newSeries
    /// It is the same hit again.
    case bounce
    /// It is too far from where the series wants it.
    case outlier
  }

  /// Closer than this a hit is the last one again.
  public static var bounceTime: HostTime.Span { .milliseconds(60) }
  /// A series outlives at least this silence; the slowest tempo that two taps can give is 24.
  public static var shortestTimeout: HostTime.Span { .milliseconds(2_500) }
  /// The shortest interval, a quarter at the fastest tempo there is.
  public static var shortestInterval: HostTime.Span { .milliseconds(150) }
  /// Two intervals are alike, or differ, by this share.
  private static var likeness: Double { 0.15 }

  private var stamps: [32 of Int64] = .init(repeating: 0)
  private var stored = 0
  /// The last hits that were no bounces, strays included; the newest last.
  private var raw: [3 of Int64] = .init(repeating: 0)
  private var rawCount = 0
  /// The last hit of any kind.
  private var lastHit: Int64 = 0
  private var line = TapFit(.init(repeating: 0), count: 0)

  /// How many taps of the present series count, those forgotten since included.
  public private(set) var count = 0

  /// No taps yet.
  public init() {}

  /// Takes in a tap that came at `stamp`, not before the last one.
  public mutating func receive(_ stamp: HostTime) -> Verdict {
    let now = stamp.nanoseconds
    guard rawCount > 0 else { return begin(now) }
    let sinceHit = now - lastHit
    // A stamp that goes back is of another clock, or of another take.
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

  /// The silence after which the next tap is the first of a new series.
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

  /// Begins a new series with the last three hits when their two intervals agree with each other
  /// and not with the series.
  private mutating func takeOver() -> Verdict? {
    guard rawCount == 3, stored > 2 else { return nil }
    let (first, second) = (Double(raw[1] - raw[0]), Double(raw[2] - raw[1]))
    let mean = (first + second) / 2
    guard Real.magnitude(first - second) <= Self.likeness * mean,
      first >= Double(Self.shortestInterval.nanoseconds),
      second >= Double(Self.shortestInterval.nanoseconds),
      Real.magnitude(mean - line.period) > Self.likeness * line.period
    else { return nil }
    for tap in 0..<3 { stamps[tap] = raw[tap] }
    return restart(with: 3)
  }

  /// From one beat to the next, nanoseconds; `nil` with fewer than two taps.
  public var period: Double? { stored > 1 && line.period > 0 ? line.period : nil }

  /// Taps a minute; `nil` with fewer than two taps.
  public var bpm: Double? { period.map { Resolution.quarterAtOneBPM / $0 } }

  /// Standard deviation of `bpm`; `nil` with fewer than three taps, which tell nothing of it.
  public var uncertainty: Double? {
    guard let period, stored > 2 else { return nil }
    return Resolution.quarterAtOneBPM / period * line.periodError / period
  }

  /// How far the taps scatter about the beat, as a standard deviation; `nil` with fewer than three.
  public var spread: HostTime.Span? {
    stored > 2 ? HostTime.Span(nanoseconds: Int64(line.spread)) : nil
  }

  /// The beat that the newest tap belongs to, where the line puts it.
  public var newestBeat: HostTime? { beat(line.newestNumber) }

  /// The beat after that.
  public var nextBeat: HostTime? { beat(line.newestNumber + 1) }

  private func beat(_ number: Int64) -> HostTime? {
    guard let period else { return nil }
    let after = line.offset + period * Double(number)
    return HostTime(nanoseconds: stamps[0] + Int64(after.rounded()))
  }

  /// Forgets everything, as after a pause of the program.
  public mutating func reset() { self = TapEstimator() }
}
