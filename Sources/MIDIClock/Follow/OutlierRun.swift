/// A run of consecutive pulses off the prediction on the same side.
struct OutlierRun {
  /// The length of the run; 0 if the newest pulse is within bounds.
  private(set) var length: Int64 = 0
  /// The residual of the newest pulse in nanoseconds, outlier or not.
  private(set) var residual = 0.0
  private var side = 0.0
  private var first = 0.0
  private var spread = 0.0
  private var isGrowing = true
  private var isStraight = true

  @_noLocks
  init() {}

  /// Records a pulse within bounds.
  @_noLocks
  mutating func end(residual: Double) {
    length = 0
    self.residual = residual
  }

  /// Records a pulse out of bounds; `bend` is its interval minus the previous one.
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

  /// Whether the run is too long to be chance: four pulses, evenly growing as after a tempo change,
  /// or any six.
  var isRealChange: Bool {
    @_noLocks get {
      if length >= 6 { return true }
      let isGrown = Real.magnitude(residual) > 1.3 * Real.magnitude(first)
      return length >= 4 && isGrowing && isGrown && isStraight
    }
  }

  /// Whether all pulses are off by the same amount: the phase has jumped, the period has not
  /// changed.
  @_noLocks
  func isParallel(deviation: Double) -> Bool { length >= 6 && spread < 4 * deviation }
}
