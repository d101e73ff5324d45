/// The accents of one bar, in fixed storage that can cross to the timing thread.
public struct AccentPattern: Hashable, Sendable {
  /// The maximum number of letters.
  public static let capacity = 128

  // Two planes of one bit per letter: the low and the high bit of the accent.
  private var low: UInt128 = 0
  private var high: UInt128 = 0
  /// The number of letters.
  public private(set) var count: Int64 = 0

  /// A pattern of `accents`; `nil` if there are none or more than `capacity`.
  public init?(_ accents: [Accent]) {
    guard (1...Self.capacity).contains(accents.count) else { return nil }
    for accent in accents {
      low |= UInt128(accent.rawValue & 1) << UInt128(count)
      high |= UInt128(accent.rawValue >> 1) << UInt128(count)
      count += 1
    }
  }

  /// The meter's own accents: strong on 1, medium on each later group, weak elsewhere.
  public init(of meter: Meter) {
    for beat in 0..<meter.beats {
      let accent: Accent = beat == 0 ? .strong : meter.beginsGroup(beat) ? .medium : .weak
      low |= UInt128(accent.rawValue & 1) << UInt128(beat)
      high |= UInt128(accent.rawValue >> 1) << UInt128(beat)
    }
    count = meter.beats
  }

  /// Reads one letter per accent: `X` strong, `m` medium, `x` weak, `.` silent; `nil` if there are
  /// others.
  public init?(text: some StringProtocol) {
    var accents: [Accent] = []
    for character in text {
      guard let accent = Accent.allCases.first(where: { $0.letter == character }) else {
        return nil
      }
      accents.append(accent)
    }
    self.init(accents)
  }

  /// The accent at letter `index`, from 0.
  public internal(set) subscript(index: Int64) -> Accent {
    @_noLocks get {
      let lowBit = low & (1 << UInt128(truncatingIfNeeded: index)) != 0
      let highBit = high & (1 << UInt128(truncatingIfNeeded: index)) != 0
      return switch (highBit, lowBit) {
      case (false, false): .silent
      case (false, true): .weak
      case (true, false): .medium
      case (true, true): .strong
      }
    }
    set {
      let bit: UInt128 = 1 << UInt128(truncatingIfNeeded: index)
      low = newValue.rawValue & 1 == 0 ? low & ~bit : low | bit
      high = newValue.rawValue & 2 == 0 ? high & ~bit : high | bit
    }
  }

  /// The pattern in letters.
  public var text: String { String((0..<count).map { self[$0].letter }) }
}
