/// Whether the line had to be shortened again and again in one direction: a ramp.
struct RampDetector {
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
