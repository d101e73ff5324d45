/// The strength of a click.
public enum Accent: UInt8, Hashable, Sendable, CaseIterable {
  /// Inaudible; the beat still counts.
  case silent
  /// An ordinary beat or a subdivision.
  case weak
  /// The start of a later group.
  case medium
  /// The downbeat.
  case strong

  /// True if the click is inaudible.
  public var isSilent: Bool {
    @_noLocks get {
      switch self {
      case .silent: true
      case .weak, .medium, .strong: false
      }
    }
  }

  /// The name used in output: `strong`, `medium`, `weak`, `silent`.
  public var name: String {
    switch self {
    case .silent: "silent"
    case .weak: "weak"
    case .medium: "medium"
    case .strong: "strong"
    }
  }

  /// The letter used in accent patterns: `X`, `m`, `x`, `.`.
  public var letter: Character {
    switch self {
    case .silent: "."
    case .weak: "x"
    case .medium: "m"
    case .strong: "X"
    }
  }
}
