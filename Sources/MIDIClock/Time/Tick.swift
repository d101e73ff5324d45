/// A place in the song on our own grid of 960 per quarter note, from 0 at the top.
///
/// Negative ticks are the count-in.
public struct Tick: Hashable, Comparable, Sendable {
  /// Ticks from the top of the song.
  public var count: Int64

  /// The place `count` ticks into the song.
  @_noLocks
  public init(_ count: Int64) { self.count = count }

  /// The top of the song.
  public static var zero: Tick { @_noLocks get { Tick(0) } }

  /// True when `left` comes first.
  @_noLocks
  public static func < (left: Tick, right: Tick) -> Bool { left.count < right.count }

  /// True when both are the same.
  @_noLocks
  public static func == (left: Tick, right: Tick) -> Bool { left.count == right.count }

  /// True when `left` does not come before `right`.
  @_noLocks
  public static func >= (left: Tick, right: Tick) -> Bool { left.count >= right.count }

  /// The earlier of two places.
  @_noLocks
  static func earlier(_ left: Tick, _ right: Tick) -> Tick { left < right ? left : right }

  /// The later of two places.
  @_noLocks
  static func later(_ left: Tick, _ right: Tick) -> Tick { left < right ? right : left }

  /// The place of pulse number `pulse`, counted from 0 at the top.
  @_noLocks
  public init(pulse: Int64) { self.init(pulse &* Resolution.ticksPerPulse) }
}
