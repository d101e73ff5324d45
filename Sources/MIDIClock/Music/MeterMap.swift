/// The meters of a song one after the other, as fixed storage that can cross to the timing thread.
///
/// What follows a clock needs no tempos: the pulses bring their own.
public struct MeterMap: Sendable {
  /// The most stretches of different meter or accents.
  public static let capacity = 64

  private var spans: [64 of MeterSpan]
  /// How many stretches, at least one.
  public let count: Int
  /// The stretch that was asked for last: the next is seldom far.
  private var latest = 0

  /// One pattern throughout.
  public init(_ pattern: ClickPattern) {
    spans = .init(repeating: MeterSpan(start: .zero, bar: 1, pattern: pattern))
    count = 1
  }

  /// The stretches `found`, in order; `nil` for none and for more than `capacity`.
  init?(_ found: [MeterSpan]) {
    guard found.count <= Self.capacity, let first = found.first else { return nil }
    spans = .init(repeating: first)
    for (index, span) in found.enumerated() { spans[index] = span }
    count = found.count
  }

  /// Stretch `index`, from 0.
  ///
  /// Real-time safe: yes.
  public subscript(index: Int) -> MeterSpan { @_noLocks mutating get { spans[index] } }

  /// The number of the stretch that `tick` lies in; the first also holds before the top.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func index(at tick: Tick) -> Int {
    while latest > 0, tick < spans[latest].start { latest &-= 1 }
    while latest &+ 1 < count, tick >= spans[latest &+ 1].start { latest &+= 1 }
    return latest
  }

  /// The stretch that `tick` lies in.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func span(at tick: Tick) -> MeterSpan {
    let index = index(at: tick)
    return spans[index]
  }

  /// True when `place` is not in stretch `index` any more but in one after it.
  ///
  /// Real-time safe: yes.
  @_noLocks
  mutating func isPast(_ place: ExactTick, stretch index: Int) -> Bool {
    index &+ 1 < count && !place.isBefore(spans[index &+ 1].start)
  }
}
