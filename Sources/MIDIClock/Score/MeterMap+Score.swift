extension MeterMap {
  /// The meters of `score`; `nil` when they change more than `capacity` times.
  public init?(_ score: Score) {
    var found: [MeterSpan] = []
    for passage in score.passages {
      // A passage in the same meter continues the bar count and needs no span of its own.
      if let last = found.last, last.pattern == passage.span.pattern,
        last.position(of: passage.span.start) == Position(bar: passage.span.bar, beat: 1)
      {
        continue
      }
      found.append(passage.span)
    }
    self.init(found)
  }
}
