/// When pulses go out.
public enum ClockPolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// Also while stopped, at the current tempo, so that followers can lock before Start.
  case always
  /// From Start or Continue to Stop.
  case rolling
  /// Never.
  case off

  var isAlways: Bool {
    @_noLocks get {
      if case .always = self { return true }
      return false
    }
  }
  var isOff: Bool {
    @_noLocks get {
      if case .off = self { return true }
      return false
    }
  }
}
