/// The sequence of a song's meters, in fixed storage that can cross to the timing thread.
///
/// A follower needs no tempos: they come from the pulses.
public struct MeterMap: Sendable {
  /// The maximum number of stretches with different meter or accents.
  public static let capacity = 64

  private var spans: [64 of MeterSpan]
  /// The number of stretches, at least one.
  public let count: Int
  /// The stretch found last; the next lookup is rarely far from it.
  private var latest = 0

  /// One pattern throughout.
  public init(_ pattern: ClickPattern) {
    spans = .init(repeating: MeterSpan(start: .zero, bar: 1, pattern: pattern))
    count = 1
  }

  /// The stretches `found`, in order; `nil` if there are none or more than `capacity`.
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

  /// The index of the stretch that contains `tick`; 0 for ticks before the top.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func index(at tick: Tick) -> Int {
    while latest > 0, tick < spans[latest].start { latest &-= 1 }
    while latest &+ 1 < count, tick >= spans[latest &+ 1].start { latest &+= 1 }
    return latest
  }

  /// The stretch that contains `tick`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func span(at tick: Tick) -> MeterSpan {
    let index = index(at: tick)
    return spans[index]
  }

  /// True if `place` is in a stretch after stretch `index`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  mutating func isPast(_ place: ExactTick, stretch index: Int) -> Bool {
    index &+ 1 < count && !place.isBefore(spans[index &+ 1].start)
  }
}
