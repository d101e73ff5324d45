extension Score {
  /// The bars after the first, if that is a pick-up: one bar without a name, shorter than those
  /// after it.
  ///
  /// A count-in is then counted in these bars, and the song begins within the last of them.
  public var pickUp: MeterSpan? {
    let first = passages[0].span
    guard passages[0].part == nil,
      let next = passages.prefix(100).first(where: { $0.span != first })?.span,
      next.bar == first.bar + 1,
      next.start == first.start(ofBar: next.bar),
      first.pattern.meter.ticksPerBar < next.pattern.meter.ticksPerBar
    else { return nil }
    return next
  }

  /// The ticks of a count-in of `bars` bars before the song begins at `start`.
  func countInTicks(_ bars: Int64, before start: Tick) -> Int64 {
    guard bars > 0 else { return 0 }
    let first = passages[0].span
    guard start == first.start, let pickUp else {
      return bars * span(at: start).pattern.meter.ticksPerBar
    }
    return bars * pickUp.pattern.meter.ticksPerBar - first.pattern.meter.ticksPerBar
  }

  /// The same song in which a pick-up has the accents of the end of a bar, not of its beginning.
  func withPickUpAccents(_ defaults: ScoreReading.Defaults) -> Score {
    guard let pickUp else { return self }
    let first = passages[0].span
    let (short, long) = (first.pattern.meter, pickUp.pattern.meter)
    let whole = AccentPattern(of: long)
    let accents = (0..<short.beats).map { beat in
      short.unit == long.unit ? whole[long.beats - short.beats + beat] : .weak
    }
    guard let pattern = try? defaults.pattern(short, AccentPattern(accents)) else { return self }
    var passages = passages
    for index in passages.indices.prefix(while: { passages[$0].span == first }) {
      passages[index].span.pattern = pattern
    }
    return Score(passages: passages, end: end, parts: parts) ?? self
  }
}
