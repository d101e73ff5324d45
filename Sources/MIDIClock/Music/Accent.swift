/// How strongly a click sounds.
public enum Accent: UInt8, Hashable, Sendable, CaseIterable {
  /// Not at all; the beat is counted all the same.
  case silent
  /// An ordinary beat or a subdivision.
  case weak
  /// The start of a later group.
  case medium
  /// The downbeat.
  case strong

  /// True when nothing sounds.
  public var isSilent: Bool {
    @_noLocks get {
      switch self {
      case .silent: true
      case .weak, .medium, .strong: false
      }
    }
  }

  /// The word for it in output: `strong`, `medium`, `weak`, `silent`.
  public var name: String {
    switch self {
    case .silent: "silent"
    case .weak: "weak"
    case .medium: "medium"
    case .strong: "strong"
    }
  }

  /// The letter for it in an accent pattern: `X`, `m`, `x`, `.`.
  public var letter: Character {
    switch self {
    case .silent: "."
    case .weak: "x"
    case .medium: "m"
    case .strong: "X"
    }
  }
}
