// Edits that turn one pattern into another.

extension ClickPattern {
  /// Returns this pattern after `edit`.
  ///
  /// Does not allocate, so it can be called on the timing thread.
  /// - Throws: `Mismatch` if the edit is not possible here: swing without pairs of clicks, or a
  ///   beat that the meter does not have.
  public func edited(_ edit: PatternEdit) throws(Mismatch) -> ClickPattern {
    switch edit {
    case .meter(let meter): return try on(meter)
    case .meterStep(let step): return try on(meter.neighbour(step))
    case .accent(let beat, let step):
      guard (1...meter.beats).contains(beat) else {
        throw .accents(count: beat, beats: meter.beats, clicks: clicksPerBar)
      }
      var accents = beatAccents
      let count = Int64(Accent.allCases.count)
      let present = Int64(accents[beat - 1].rawValue)
      let next = present + Int64(step) % count + count
      accents[beat - 1] = Accent(rawValue: UInt8(next % count)) ?? .weak
      return try ClickPattern(
        meter: meter, accents: accents, subdivision: subdivision, swing: swing)
    case .subdivision(let step):
      let range = Self.subdivisions
      let limited = max(-range.upperBound, min(range.upperBound, step))
      let next = min(max(subdivision + limited, range.lowerBound), range.upperBound)
      return try ClickPattern(
        meter: meter, accents: beatAccents, subdivision: next,
        swing: next % 2 == 0 ? swing : Self.swings.lowerBound)
    case .swing(let step):
      guard subdivision % 2 == 0 else { throw .swingNeedsPairs(subdivision) }
      let range = Self.swings
      let limited = max(-range.upperBound, min(range.upperBound, step))
      let next = min(max(swing + limited, range.lowerBound), range.upperBound)
      return try ClickPattern(
        meter: meter, accents: beatAccents, subdivision: subdivision, swing: next)
    }
  }

  /// One accent per beat, without the accents between beats.
  public var beatAccents: AccentPattern {
    var accents = AccentPattern(of: meter)
    for beat in 0..<meter.beats { accents[beat] = accent(ofClick: beat * subdivision) }
    return accents
  }

  /// The pattern in another meter with its own accents; subdivision and swing stay.
  private func on(_ meter: Meter) throws(Mismatch) -> ClickPattern {
    try ClickPattern(meter: meter, subdivision: subdivision, swing: swing)
  }
}

extension Meter {
  /// The meter `step` places further in `choice`, cyclically; a meter that is not in it counts as
  /// last.
  func neighbour(_ step: Int) -> Meter {
    let choice = Meter.choice
    let place = choice.firstIndex(of: self)
    let count = place == nil ? choice.count + 1 : choice.count
    let next = ((place ?? choice.count) + step % count + count) % count
    return next < choice.count ? choice[next] : self
  }
}
