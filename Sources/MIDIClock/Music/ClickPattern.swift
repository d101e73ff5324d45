/// The clicks of a bar: meter, accents, subdivision and swing.
///
/// Fixed size, without references, so that it can cross to the timing thread.
public struct ClickPattern: Hashable, Sendable {
  /// The meter.
  public let meter: Meter
  /// Clicks per beat, 1 to 24.
  public let subdivision: Int64
  /// Where the second of each pair of subdivisions falls, in thousandths of a percent of the
  /// pair: 50 000 (straight) to 75 000.
  public let swing: Int64
  private let accents: AccentPattern
  // Clicks per letter of `accents`: 1, or `subdivision` if each letter is a beat.
  private let clicksPerLetter: Int64

  /// The allowed clicks per beat.
  public static let subdivisions: ClosedRange<Int64> = 1...24
  /// The allowed swing, in thousandths of a percent.
  public static let swings: ClosedRange<Int64> = 50_000...75_000

  /// 4/4 with its usual accents.
  public static let common = ClickPattern(plain: .common)

  /// A meter with its own accents, one straight click per beat.
  public init(plain meter: Meter) {
    self.meter = meter
    subdivision = 1
    swing = 50_000
    accents = AccentPattern(of: meter)
    clicksPerLetter = 1
  }

  /// Creates a pattern.
  ///
  /// - Parameters:
  ///   - meter: The meter.
  ///   - accents: One letter per beat (subdivisions are then weak) or one per click; `nil` for the
  ///     meter's own.
  ///   - subdivision: Clicks per beat, 1 to 24.
  ///   - swing: Thousandths of a percent, 50 000 to 75 000; other than 50 000 needs an even
  ///     subdivision.
  /// - Throws: `ClickPattern.Mismatch` if the arguments do not fit together.
  public init(
    meter: Meter, accents: AccentPattern? = nil, subdivision: Int64 = 1, swing: Int64 = 50_000
  ) throws(Mismatch) {
    guard Self.subdivisions.contains(subdivision) else { throw .subdivision(subdivision) }
    guard Self.swings.contains(swing) else { throw .swing(swing) }
    guard swing == 50_000 || subdivision % 2 == 0 else { throw .swingNeedsPairs(subdivision) }
    let accents = accents ?? AccentPattern(of: meter)
    let clicks = meter.beats * subdivision
    guard accents.count == meter.beats || accents.count == clicks else {
      throw .accents(count: accents.count, beats: meter.beats, clicks: clicks)
    }
    self.meter = meter
    self.subdivision = subdivision
    self.swing = swing
    self.accents = accents
    clicksPerLetter = accents.count == meter.beats ? subdivision : 1
  }

  /// Why the arguments of a pattern do not fit together.
  public enum Mismatch: Error, Hashable, Sendable {
    /// Clicks per beat outside 1 to 24.
    case subdivision(Int64)
    /// Swing outside 50 to 75 percent.
    case swing(Int64)
    /// Swing with an odd subdivision, which has no pairs.
    case swingNeedsPairs(Int64)
    /// Neither one accent per beat nor one per click.
    case accents(count: Int64, beats: Int64, clicks: Int64)
  }

  /// Clicks per bar, silent ones included.
  public var clicksPerBar: Int64 { @_noLocks get { meter.beats &* subdivision } }

  /// The accent of click `index` of the bar, from 0.
  @_noLocks
  public func accent(ofClick index: Int64) -> Accent {
    index % clicksPerLetter == 0 ? accents[index / clicksPerLetter] : .weak
  }

  /// The offset of click `index` from the bar's first tick; indices outside the bar continue into
  /// its neighbors.
  @_noLocks
  func offset(ofClick index: Int64) -> ExactTick {
    let bar = Division.floor(index, by: clicksPerBar)
    let inBar = index &- bar &* clicksPerBar
    let beat = inBar / subdivision
    let part = inBar % subdivision
    let start = bar &* meter.ticksPerBar &+ beat &* meter.ticksPerBeat
    guard part % 2 == 1, swing != 50_000 else {
      return ExactTick(
        start &* subdivision &+ part &* meter.ticksPerBeat, over: subdivision)
    }
    // A pair is 2/subdivision of a beat; its second click falls at swing/100 000 of the pair.
    let parts = (part &- 1) &* 100_000 &+ 2 &* swing
    return ExactTick(
      start &* subdivision &* 100_000 &+ parts &* meter.ticksPerBeat,
      over: subdivision &* 100_000)
  }
}

extension ClickPattern.Mismatch: CustomStringConvertible {
  /// A one-line message: what does not fit, and what would.
  public var description: String {
    switch self {
    case .subdivision(let count):
      "\(count) clicks per beat is out of range: \(ClickPattern.subdivisions.lowerBound) to"
        + " \(ClickPattern.subdivisions.upperBound)"
    case .swing(let swing):
      "swing \(Thousandths.text(swing)) is out of range: \(Thousandths.text(ClickPattern.swings))"
        + " percent"
    case .swingNeedsPairs(let count):
      "swing moves every second click of a beat, so it needs an even number of clicks per beat;"
        + " there \(count == 1 ? "is" : "are") \(count)"
    case .accents(let count, let beats, let clicks):
      clicks == beats
        ? "\(count) accents for \(beats) beats: give one letter per beat"
        : "\(count) accents for \(beats) beats: give one letter per beat (\(beats)) or per click"
          + " (\(clicks))"
    }
  }
}
