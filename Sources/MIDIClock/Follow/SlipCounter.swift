/// Compares grid and pulse count: how many pulses are outstanding, and for how long.
struct SlipCounter {
  /// Indices passed minus pulses received since the two last agreed: positive after a hole,
  /// negative after a double.
  private(set) var slip: Int64 = 0
  /// The slip that the newest pulse confirmed; 0 for all other pulses.
  private(set) var confirmedSlip: Int64 = 0
  /// Consecutive pulses, one index apart, on the shifted grid.
  private var steady = 0
  private var irregularity = 0

  @_noLocks
  init() {}

  /// Records a pulse `step` indices after the previous one, on or off the grid.
  ///
  /// Six consecutive pulses on the shifted grid confirm the slip: outstanding pulses will not
  /// arrive any more. The burst after a stall delivers them sooner, and an uneven leader does not
  /// hold a shift that long. While the grid is untrusted, new slips are not counted; open ones may
  /// still be repaid.
  @_noLocks
  mutating func note(step: Int64, isOnGrid: Bool, isTrusted: Bool) {
    confirmedSlip = 0
    let repays = (slip > 0 && step < 1) || (slip < 0 && step > 1)
    if isTrusted || repays { slip &+= step &- 1 }
    steady = !isOnGrid || step < 1 ? 0 : step == 1 ? steady &+ 1 : 1
    guard slip != 0, steady >= 6 else { return }
    confirmedSlip = slip
    slip = 0
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
