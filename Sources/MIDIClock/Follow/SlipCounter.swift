/// The grid against the count: how many pulses are owed, and since when.
struct SlipCounter {
  /// Indices passed minus pulses received since the two last agreed: positive after a hole,
  /// negative after a double.
  private(set) var slip: Int64 = 0
  /// What the newest pulse settled; 0 with all others.
  private(set) var settled: Int64 = 0
  /// Pulses in a row, one index each, on a grid so shifted.
  private var steady = 0
  private var irregularity = 0

  @_noLocks
  init() {}

  /// Notes a pulse that came `step` indices after the one before, on or off the grid.
  ///
  /// After six in a row on the shifted grid the shift is settled: what is owed will not come any
  /// more. A burst after a stall pays it back before; an uneven leader never keeps it so long. A
  /// grid that is not trusted opens no account, it only closes one.
  @_noLocks
  mutating func note(step: Int64, isOnGrid: Bool, isTrusted: Bool) {
    settled = 0
    let repays = (slip > 0 && step < 1) || (slip < 0 && step > 1)
    if isTrusted || repays { slip &+= step &- 1 }
    steady = !isOnGrid || step < 1 ? 0 : step == 1 ? steady &+ 1 : 1
    guard slip != 0, steady >= 6 else { return }
    settled = slip
    slip = 0
  }

  /// True when holes and doubles have become so many that the grid itself must be wrong.
  ///
  /// One in nine can be borne for ever.
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
