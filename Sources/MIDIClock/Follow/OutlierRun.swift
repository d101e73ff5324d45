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
