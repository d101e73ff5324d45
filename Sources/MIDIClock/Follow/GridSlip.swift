/// The grid against the count: how many pulses are owed, and since when.
struct GridSlip {
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

/// The run of pulses that were off the prediction on one side.
struct OutlierRun {
  /// How many; 0 when the newest pulse is none.
  private(set) var length: Int64 = 0
  /// How far off the newest pulse was, nanoseconds, outlier or not.
  private(set) var residual = 0.0
  private var side = 0.0
  private var first = 0.0
  private var spread = 0.0
  private var isGrowing = true
  private var isStraight = true

  @_noLocks
  init() {}

  /// Notes a pulse within bounds.
  @_noLocks
  mutating func end(residual: Double) {
    length = 0
    self.residual = residual
  }

  /// Notes a pulse out of bounds; `bend` is the difference of its interval and the one before.
  @_noLocks
  mutating func extend(residual: Double, bend: Double, deviation: Double) {
    let newSide = residual < 0 ? -1.0 : 1.0
    if length > 0, newSide == side {
      length &+= 1
      if Real.magnitude(residual) < Real.magnitude(self.residual) - deviation { isGrowing = false }
      if length > 2, Real.magnitude(bend) > 6 * deviation { isStraight = false }
      spread = Real.larger(spread, Real.magnitude(residual - first))
    } else {
      length = 1
      side = newSide
      first = residual
      spread = 0
      isGrowing = true
      isStraight = true
    }
    self.residual = residual
  }

  /// True when this is no chance any more: four evenly growing, as a new tempo makes them, or six
  /// of any kind.
  var isRealChange: Bool {
    @_noLocks get {
      if length >= 6 { return true }
      let isGrown = Real.magnitude(residual) > 1.3 * Real.magnitude(first)
      return length >= 4 && isGrowing && isGrown && isStraight
    }
  }

  /// True when all are off by as much: the phase has jumped, the period stayed.
  @_noLocks
  func isParallel(deviation: Double) -> Bool { length >= 6 && spread < 4 * deviation }
}

/// Whether the line had to be shortened again and again in one direction: a ramp.
struct Trend {
  private var isFaster = false
  private var length = 0
  private var pulses = 0

  @_noLocks
  init() {}

  /// True from the third time on, while the next is not overdue.
  var isRamp: Bool { @_noLocks get { length >= 3 } }

  /// True for two beats after the line was shortened.
  var isRecent: Bool { @_noLocks get { length > 0 } }

  /// Notes that the newest pulses went faster, or slower, than the line.
  @_noLocks
  mutating func note(isFaster: Bool) {
    length = length > 0 && isFaster == self.isFaster ? length &+ 1 : 1
    self.isFaster = isFaster
    pulses = 0
  }

  /// Notes one more pulse on the line.
  @_noLocks
  mutating func age() {
    pulses &+= 1
    if pulses > 48 { length = 0 }
  }
}
