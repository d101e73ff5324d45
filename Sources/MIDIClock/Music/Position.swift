/// A song position as musicians count it: bar, beat and tick, with bars and beats from 1.
///
/// Bars 0, -1, ... are the count-in.
public struct Position: Hashable, Sendable {
  /// The bar, from 1.
  public var bar: Int64
  /// The beat within the bar, in the meter's unit, from 1.
  public var beat: Int64
  /// Ticks into the beat, from 0.
  public var tick: Int64

  /// The position `bar`|`beat`|`tick`.
  @_noLocks
  public init(bar: Int64, beat: Int64, tick: Int64 = 0) {
    self.bar = bar
    self.beat = beat
    self.tick = tick
  }
}

extension Position: CustomStringConvertible {
  /// `bar|beat|tick`.
  public var description: String { "\(bar)|\(beat)|\(tick)" }
}
