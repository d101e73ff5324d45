/// Compares grid and pulse count: how many pulses are outstanding, and for how long.
///
/// A tempo step also produces intervals that look like holes and doubles. The pulses after the
/// supposed loss decide between the two: after a loss they continue at the old period, one or more
/// periods later; after a step they have a period of their own.
struct SlipCounter {
  /// Indices passed minus pulses received since the two last agreed: positive after a hole,
  /// negative after a double.
  private(set) var slip: Int64 = 0
  /// The slip that the newest pulse confirmed; 0 for all other pulses.
  private(set) var confirmedSlip: Int64 = 0
  /// The line through the pulses before the slip.
  private(set) var before = PulseLine()
  /// Consecutive pulses, one index apart, on the shifted grid.
  private(set) var steady = 0
  private var irregularity = 0

  /// What the pulses after a supposed loss say.
  enum Verdict { case undecided, loss, step }

  @_noLocks
  init() {}

  /// Whether the next slip will be a new one, so that `open(after:)` is needed first.
  var isClosed: Bool { @_noLocks get { slip == 0 } }

  /// Keeps the line through the pulses before a slip.
  @_noLocks
  mutating func open(after before: PulseLine) { self.before = before }

  /// Records a pulse `step` indices after the previous one, on or off the grid.
  ///
  /// While the grid is untrusted, new slips are not counted; open ones may still be repaid.
  @_noLocks
  mutating func note(step: Int64, isOnGrid: Bool, isTrusted: Bool) {
    confirmedSlip = 0
    let repays = (slip > 0 && step < 1) || (slip < 0 && step > 1)
    if isTrusted || repays { slip &+= step &- 1 }
    steady = !isOnGrid || step < 1 ? 0 : step == 1 ? steady &+ 1 : 1
  }

  /// Closes the slip by the verdict of `after`, the line through the newest `steady` pulses.
  ///
  /// At least six pulses are needed: outstanding pulses will not arrive any more. The burst after a
  /// stall delivers them sooner, and an uneven leader does not hold a shift that long.
  @_noLocks
  mutating func settle(by after: PulseLine, deviation: Double) {
    switch verdict(after, deviation: deviation) {
    case .undecided: return
    case .loss: confirmedSlip = slip
    case .step: break
    }
    slip = 0
  }

  /// Compares the periods before and after the slip.
  ///
  /// A change of less than 3 % is drift: it cannot move a pulse by half a period within a few
  /// pulses, and so cannot look like a loss. The more the clock jitters, the more pulses it takes
  /// to be sure, up to a beat.
  @_noLocks
  private func verdict(_ after: PulseLine, deviation: Double) -> Verdict {
    let change = Real.magnitude(after.period - before.period)
    let error = deviation * Real.squareRoot(after.periodVariance + before.periodVariance)
    let drift = 0.03 * before.period
    if steady >= 24 { return change > drift ? .step : .loss }
    if change + 2 * error <= drift { return .loss }
    return change > drift + 3 * error ? .step : .undecided
  }

  /// Whether holes and doubles are so frequent that the grid itself must be wrong.
  ///
  /// Tolerates one irregular pulse in nine indefinitely.
  @_noLocks
  mutating func isHopeless(step: Int64) -> Bool {
    if step == 1 || (step < 1 && slip > 0) {
      irregularity = irregularity > 0 ? irregularity &- 1 : 0
    } else {
      irregularity &+= 8
    }
    return irregularity >= 64
  }
}
