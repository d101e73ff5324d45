/// A song position that need not fall on the tick grid: a fraction of ticks.
///
/// Septuplets, swung subdivisions and multiplied pulses fall between ticks. They are kept exact and
/// converted to time with one rounding, like everything else.
public struct ExactTick: Hashable, Sendable {
  /// Ticks times `denominator`.
  public var numerator: Int64
  /// The number of parts per tick, at least 1.
  public var denominator: Int64

  /// The position `numerator / denominator` ticks into the song; the denominator is at least 1.
  @_noLocks
  public init(_ numerator: Int64, over denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A position on the grid.
  @_noLocks
  public init(_ tick: Tick) { self.init(tick.count, over: 1) }

  /// True if this position comes before `tick`.
  @_noLocks
  public func isBefore(_ tick: Tick) -> Bool {
    Int128(numerator) < Int128(tick.count) * Int128(denominator)
  }

  /// True if this position comes before `other`.
  @_noLocks
  func isBefore(_ other: ExactTick) -> Bool {
    Int128(numerator) * Int128(other.denominator) < Int128(other.numerator) * Int128(denominator)
  }
}
