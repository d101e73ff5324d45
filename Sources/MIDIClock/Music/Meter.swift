/// A meter: the number of beats per bar, their note value and their groups.
public struct Meter: Hashable, Sendable {
  /// The beats that a bar can have.
  public static let beatCounts: ClosedRange<Int64> = 1...32
  /// Beats in a bar, within `beatCounts`.
  public let beats: Int64
  /// The note value of a beat as a denominator: 1, 2, 4, 8, 16 or 32.
  public let unit: Int64
  /// Bit n is set if beat n + 1 begins a group; bit 0 always is.
  let groupStarts: UInt32

  /// The allowed denominators.
  public static let units: [Int64] = NoteValue.units

  /// Four quarters, the default.
  public static let common = Meter(beats: 4, unit: 4, groups: [4])

  /// The meters of the touch screen this program grew from, one key away on its own screen.
  public static let choice: [Meter] = [
    Meter(beats: 1, unit: 4, groups: [1]), Meter(beats: 2, unit: 4, groups: [2]),
    Meter(beats: 3, unit: 4, groups: [3]), common,
    Meter(beats: 3, unit: 8, groups: [3]), Meter(beats: 6, unit: 8, groups: [3, 3]),
  ]

  private init(beats: Int64, unit: Int64, groups: [Int64]) {
    self.beats = beats
    self.unit = unit
    var starts: UInt32 = 0
    var beat: Int64 = 0
    for group in groups {
      starts |= 1 << UInt32(beat)
      beat += group
    }
    groupStarts = starts
  }

  /// The length of a beat in ticks.
  public var ticksPerBeat: Int64 { @_noLocks get { Resolution.ticksPerWhole / unit } }

  /// The length of a bar in ticks.
  public var ticksPerBar: Int64 { @_noLocks get { beats &* ticksPerBeat } }

  /// The sizes of the groups, which add up to `beats`.
  public var grouping: [Int64] {
    let starts = (0..<beats).filter(beginsGroup)
    return zip(starts, starts.dropFirst() + [beats]).map { $1 - $0 }
  }

  /// True if beat `index`, from 0, begins a group.
  @_noLocks
  public func beginsGroup(_ index: Int64) -> Bool {
    groupStarts & (1 << UInt32(truncatingIfNeeded: index)) != 0
  }
}

extension Meter: CustomStringConvertible {
  /// The meter as typed: `4/4`, or with its groups if there are several, `7/8=2+2+3`.
  public var description: String {
    let groups = grouping
    let tail = groups.count > 1 ? "=" + groups.map(String.init).joined(separator: "+") : ""
    return "\(beats)/\(unit)\(tail)"
  }
}

// MARK: - Text

extension Meter {
  /// Why a text is not a meter.
  public enum TextError: Error, Hashable, Sendable {
    /// Not of the form `4/4`, `7/8=2+2+3` or `2+2+3/8`.
    case malformed(String)
    /// A number of beats outside `beatCounts`.
    case beats(String)
    /// A denominator other than 1, 2, 4, 8, 16 or 32.
    case unit(String)
    /// Groups that do not add up to the number of beats.
    case groups(String, sum: Int64, beats: Int64)
  }

  /// Reads a meter: `4/4`, `7/8=2+2+3`, `2+2+3/8`; `4:4` is accepted for `4/4`.
  ///
  /// Default groups: threes in x/8 with x above 3 and divisible by 3, 3+2 in 5/8, 2+2+3 in 7/8,
  /// 3+3+2 in 8/8, otherwise one group.
  public init(text: some StringProtocol) throws(TextError) {
    let whole = String(text)
    let halves = whole.split(separator: "=", omittingEmptySubsequences: false)
    let fraction = halves[0].split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "/" || $0 == ":" })
    guard halves.count <= 2, fraction.count == 2 else { throw .malformed(whole) }
    guard let unit = Digits.parse(fraction[1]), let top = Self.groups(fraction[0]) else {
      throw .malformed(whole)
    }
    guard Self.units.contains(unit) else { throw .unit(whole) }
    let beats = top.reduce(0, +)
    guard Self.beatCounts.contains(beats) else { throw .beats(whole) }
    var groups = top
    if halves.count == 2 {
      guard top.count == 1, let named = Self.groups(halves[1]) else { throw .malformed(whole) }
      groups = named
    } else if top.count == 1 {
      groups = Self.usualGroups(beats: beats, unit: unit)
    }
    let sum = groups.reduce(0, +)
    guard sum == beats else { throw .groups(whole, sum: sum, beats: beats) }
    self.init(beats: beats, unit: unit, groups: groups)
  }

  /// Reads `2+2+3` as numbers from 1 to 32.
  private static func groups(_ text: Substring) -> [Int64]? {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let sizes = parts.compactMap { Digits.parse($0) }
    // A lone 0 or 33 is out of range rather than malformed, and is reported as such later.
    guard sizes.count == parts.count, sizes.count == 1 || sizes.allSatisfy({ $0 >= 1 }),
      sizes.count <= 32, sizes.allSatisfy({ $0 <= 1_000 })
    else { return nil }
    return sizes
  }

  private static func usualGroups(beats: Int64, unit: Int64) -> [Int64] {
    guard unit == 8 else { return [beats] }
    switch beats {
    case 5: return [3, 2]
    case 7: return [2, 2, 3]
    case 8: return [3, 3, 2]
    case _ where beats > 3 && beats % 3 == 0:
      return Array(repeating: 3, count: Int(beats / 3))
    default: return [beats]
    }
  }
}

extension Meter.TextError: CustomStringConvertible {
  /// A one-line message: what is wrong, and what to write instead.
  public var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is not a meter: write 4/4, 7/8=2+2+3 or 2+2+3/8"
    case .beats(let text):
      "'\(text)': a bar has \(Meter.beatCounts.lowerBound) to \(Meter.beatCounts.upperBound) beats"
    case .unit(let text): "'\(text)': a beat is a 1, 2, 4, 8, 16 or 32 (whole to 32nd note)"
    case .groups(let text, let sum, let beats):
      "'\(text)': the groups add up to \(sum), the bar has \(beats) beats"
    }
  }
}
