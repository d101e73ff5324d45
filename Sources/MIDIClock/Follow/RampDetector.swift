/// Detects a ramp: the window has been shortened repeatedly in the same direction.
struct RampDetector {
  private var isFaster = false
  private var length = 0
  private var pulses = 0

  @_noLocks
  init() {}

  /// Whether the window was shortened three times in a row, with the next time not overdue.
  var isRamp: Bool { @_noLocks get { length >= 3 } }

  /// True for two beats after the window was shortened.
  var isRecent: Bool { @_noLocks get { length > 0 } }

  /// Records that the newest pulses were faster, or slower, than the line.
  @_noLocks
  mutating func note(isFaster: Bool) {
    length = length > 0 && isFaster == self.isFaster ? length &+ 1 : 1
    self.isFaster = isFaster
    pulses = 0
  }

  /// Records one more pulse on the line.
  @_noLocks
  mutating func age() {
    pulses &+= 1
    if pulses > 48 { length = 0 }
  }
}
