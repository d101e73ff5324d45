extension Score {
  /// The same song with at most one change of tempo a pulse.
  ///
  /// Changes inside one pulse become one pace that reaches the next pulse when they would: every
  /// pulse is within 1 ns of where it was. What clicks inside such a pulse may be off by as much as
  /// the tempos differ there. Takes linear time.
  func mergedWithinPulses() -> Score {
    var merger = TempoMerger(self)
    guard merger.isNeeded, let merged = Score(passages: merger.passages(), end: end, parts: parts)
    else {
      return self
    }
    return merged
  }
}

/// Merges the changes of tempo inside each pulse of a score.
private struct TempoMerger {
  /// A passage's beginning, or the end of a ramp that no passage follows at once.
  private struct Change {
    var tick: Tick
    /// The passage in force, and the law of tempo from here on.
    var passage: Score.Passage
    /// False where a passage brings new bars in the tempo of the one before.
    var isTempo: Bool
    /// False at the end of a ramp, which needs no passage of its own.
    var beginsPassage = true

    var pulse: Int64 { Division.floor(tick.count, by: Resolution.ticksPerPulse) }
  }

  private let changes: [Change]
  private let end: Tick
  /// Where everything falls that is to be kept.
  private let exact: TempoMap
  /// Where it falls after merging.
  private var map: TempoMap
  private var merged: [Score.Passage] = []

  init(_ score: Score) {
    var changes: [Change] = []
    let passages = score.passages
    for (index, passage) in passages.enumerated() {
      let before = changes.last?.passage
      // New bars alone are no tempo; a tempo written again is.
      let isNewBars =
        passage.ramp == nil && before?.ramp == nil && before?.pace == passage.pace
        && (before?.span != passage.span || before?.part != passage.part)
      changes.append(Change(tick: passage.start, passage: passage, isTempo: !isNewBars))
      if let ramp = passage.ramp {
        let rampEnd = Tick(passage.start.count + ramp.ticks)
        guard index + 1 == passages.count || rampEnd < passages[index + 1].start else { continue }
        var after = passage
        after.pace = ramp.target
        after.ramp = nil
        changes.append(
          Change(tick: rampEnd, passage: after, isTempo: true, beginsPassage: false))
      }
    }
    self.changes = changes
    end = score.end ?? Section.endless
    exact = score.tempoMap()
    map = TempoMap(pace: passages[0].pace, start: passages[0].start)
  }

  /// Whether any pulse has more than one change of tempo.
  var isNeeded: Bool {
    let pulses = changes.lazy.filter(\.isTempo).map(\.pulse)
    return zip(pulses, pulses.dropFirst()).contains { $0 == $1 }
  }

  /// The passages after merging.
  mutating func passages() -> [Score.Passage] {
    // The law of tempo as written, and whether the merged one has yet to go back to it.
    var law = changes[0].passage
    var isOff = false
    var first = 0
    var pulse = changes[0].pulse
    while first < changes.count || isOff {
      if !isOff { pulse = changes[first].pulse }
      let start = Tick.later(Tick(pulse: pulse), changes[0].tick)
      guard start < end else { break }
      let next = changes[first...].firstIndex { $0.pulse > pulse } ?? changes.count
      let group = changes[first..<next]
      let mustReturn = isOff && group.first { $0.isTempo }?.tick != start
      let tempos = group.count { $0.isTempo } + (mustReturn ? 1 : 0)
      if tempos > 1 {
        isOff = merge(group, from: start, law)
      } else {
        if mustReturn { append(law, at: start) }
        for change in group where change.beginsPassage || isOff {
          append(change.passage, at: change.tick)
        }
        isOff = false
      }
      if let last = group.last { law = last.passage }
      first = next
      pulse += 1
    }
    return merged
  }

  /// Replaces the tempos of `group` by one from `start` to the next pulse; false when they are
  /// followed as written from the last of them on.
  private mutating func merge(
    _ group: ArraySlice<Change>, from start: Tick, _ law: Score.Passage
  ) -> Bool {
    var goal = Tick(pulse: changes[group.startIndex].pulse + 1)
    var kept: Change?
    // A ramp that lasts cannot be begun again in its middle; it begins where it is written.
    if let last = group.last(where: { $0.isTempo }), last.passage.ramp != nil,
      group.endIndex == changes.count || changes[group.endIndex].pulse > last.pulse + 1
    {
      goal = last.tick
      kept = last
    }
    var passage = law
    if let change = group.first, change.tick == start { passage = change.passage }
    append(passage, from: start, until: goal)
    for change in group where change.tick > start && change.tick < goal {
      // Its bars are new, not its tempo alone.
      if change.passage.span != passage.span || change.passage.part != passage.part {
        passage = change.passage
        append(passage, from: change.tick, until: goal)
      }
    }
    guard let kept else { return true }
    append(kept.passage, at: kept.tick)
    return false
  }

  /// Appends the bars of `passage` from `tick` on, at the pace that reaches `goal` when it is due.
  private mutating func append(
    _ passage: Score.Passage, from tick: Tick, until goal: Tick
  ) {
    let length = exact.time(of: goal) - map.time(of: tick)
    var passage = passage
    passage.pace = Pace(spreading: goal.count - tick.count, over: length)
    passage.ramp = nil
    append(passage, at: tick)
  }

  private mutating func append(_ passage: Score.Passage, at tick: Tick) {
    var passage = passage
    passage.start = tick
    if merged.last?.start == tick { merged.removeLast() }
    merged.append(passage)
    if let ramp = passage.ramp {
      map.append(passage.pace, ramp, at: tick)
    } else {
      map.append(passage.pace, at: tick)
    }
  }
}
