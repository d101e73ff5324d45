/// What taps do to a plan that plays: from how many on, and how.
public struct TapSteering: Sendable {
  /// How taps steer.
  public struct Settings: Hashable, Sendable {
    /// The taps of one series that it takes before the tempo changes, 2 to 32.
    public var least = 4
    /// Whether the nearest beat is moved onto the taps as well.
    public var setsPhase = false
    /// The tempo is rounded to multiples of so many thousandths of a quarter per minute; `nil` for
    /// not.
    public var step: Int64?
    /// The note value that is tapped.
    public var unit = NoteValue.quarter
    /// The taps that count in a start while nothing plays, 2 to 32; `nil` when taps start nothing.
    public var startTaps: Int?

    /// Four taps of quarters change the tempo.
    public init() {}
  }

  /// How it steers.
  public let settings: Settings
  /// What the taps say.
  public private(set) var estimator = TapEstimator()
  private var sentTempo: Tempo?
  /// The taps since the last silence, those before another tempo took over included: who counts to
  /// four unevenly has counted to four.
  private var counted = 0

  /// Steers by `settings`.
  public init(_ settings: Settings) { self.settings = settings }

  /// Takes in a tap that came at `stamp`, and says what became of it and what it changes.
  ///
  /// `isPlaying` is whether the plan plays; while it does not, taps start it when they are to, and
  /// else set the tempo that it goes on in.
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

  /// Quarters a minute as tapped, rounded as asked and held within the range there is; `nil` with
  /// fewer than two taps.
  public var tempo: Tempo? { estimator.bpm.map { settings.tempo(ofTaps: $0) } }

  /// Forgets the taps so far, so that a new series begins with the next.
  public mutating func reset() {
    estimator.reset()
    sentTempo = nil
    counted = 0
  }
}

extension TapSteering.Settings {
  /// Quarters a minute when the unit is tapped `taps` times a minute.
  public func tempo(ofTaps taps: Double) -> Tempo {
    let quarters = taps * 4 * Double(unit.numerator) / Double(unit.denominator)
    let step = Double(step ?? 1)
    return Tempo(clamping: Real.nearest(quarters * 1_000 / step) * Int64(step))
  }
}
