/// A song position on our own grid of 960 ticks per quarter note, from 0 at the top.
///
/// Negative ticks are the count-in.
public struct Tick: Hashable, Comparable, Sendable {
  /// Ticks from the top of the song.
  public var count: Int64

  /// The position `count` ticks into the song.
  @_noLocks
  public init(_ count: Int64) { self.count = count }

  /// The top of the song.
  public static var zero: Tick { @_noLocks get { Tick(0) } }

  /// A position beyond any song, and far from overflow.
  static var endless: Tick { @_noLocks get { Tick(1 << 40) } }

  /// True if `left` comes first.
  @_noLocks
  public static func < (left: Tick, right: Tick) -> Bool { left.count < right.count }

  /// True if both are equal.
  @_noLocks
  public static func == (left: Tick, right: Tick) -> Bool { left.count == right.count }

  /// True if `left` does not come before `right`.
  @_noLocks
  public static func >= (left: Tick, right: Tick) -> Bool { left.count >= right.count }

  /// The earlier of two positions.
  @_noLocks
  static func earlier(_ left: Tick, _ right: Tick) -> Tick { left < right ? left : right }

  /// The later of two positions.
  @_noLocks
  static func later(_ left: Tick, _ right: Tick) -> Tick { left < right ? right : left }

  /// The position of pulse number `pulse`, from 0 at the top.
  @_noLocks
  public init(pulse: Int64) { self.init(pulse &* Resolution.ticksPerPulse) }
}
