/// Turns taps into changes of the plan.
public struct TapSteering: Sendable {
  /// How taps affect the plan.
  public struct Settings: Hashable, Sendable {
    /// The numbers of taps that can be asked for.
    public static var counts: ClosedRange<Int64> { 2...32 }
    /// The steps that a tempo can be rounded to, in thousandths of a BPM.
    public static var steps: ClosedRange<Int64> { 1...20_000 }

    /// The number of taps in a series needed before the tempo changes, within `counts`.
    public var least = 4
    /// Whether the taps also set the phase of the nearest beat.
    public var setsPhase = false
    /// Rounds the tempo to multiples of this, in thousandths of a BPM; `nil` for no rounding.
    public var step: Int64?
    /// The note value of a tap.
    public var unit = NoteValue.quarter
    /// The number of taps that count in a start when stopped, within `counts`; `nil` if taps do not start.
    public var startTaps: Int?

    /// Creates the defaults: four taps of quarters change the tempo.
    public init() {}
  }

  /// How taps affect the plan.
  public let settings: Settings
  /// Estimates the tempo of the taps.
  public private(set) var estimator = TapEstimator()
  private var sentTempo: Tempo?
  /// The taps since the last silence, including those before a new tempo took over: an uneven
  /// count-in still counts.
  private var counted = 0

  /// Creates a steering with `settings`.
  public init(_ settings: Settings) { self.settings = settings }

  /// Processes a tap at `stamp`; returns its classification and the change it makes.
  ///
  /// `isPlaying` is whether the plan is playing. If it is not, taps start it when `startTaps` is
  /// set; otherwise they set the tempo for the next start.
  public mutating func receive(_ stamp: HostTime, isPlaying: Bool)
    -> (verdict: TapEstimator.Verdict, change: PlanChange?)
  {
    let verdict = estimator.receive(stamp)
    guard verdict == .tap || verdict == .newSeries else { return (verdict, nil) }
    counted = estimator.count == 1 ? 1 : counted + 1
    return (verdict, change(isPlaying: isPlaying))
  }

  private mutating func change(isPlaying: Bool) -> PlanChange? {
    guard let tempo, let beat = estimator.newestBeat, let next = estimator.nextBeat else {
      return nil
    }
    if !isPlaying, let startTaps = settings.startTaps {
      guard counted >= startTaps else { return nil }
      sentTempo = tempo
      return .startOnBeat(tempo, at: next)
    }
    guard estimator.count >= settings.least else { return nil }
    if settings.setsPhase, isPlaying {
      sentTempo = tempo
      return .align(tempo, beat: beat, unit: settings.unit)
    }
    guard tempo != sentTempo else { return nil }
    sentTempo = tempo
    return .tempo(tempo)
  }

  /// The tapped tempo, rounded per the settings and clamped to the valid range; `nil` with fewer
  /// than two taps.
  public var tempo: Tempo? { estimator.bpm.map { settings.tempo(ofTaps: $0) } }

  /// Discards the taps so far; the next tap starts a new series.
  public mutating func reset() {
    estimator.reset()
    sentTempo = nil
    counted = 0
  }
}

extension TapSteering.Settings {
  /// The tempo, in quarter notes per minute, if the unit is tapped `taps` times per minute.
  public func tempo(ofTaps taps: Double) -> Tempo {
    let quarters = taps * 4 * Double(unit.numerator) / Double(unit.denominator)
    let step = Double(step ?? 1)
    return Tempo(clamping: Real.nearest(quarters * 1_000 / step) * Int64(step))
  }
}
