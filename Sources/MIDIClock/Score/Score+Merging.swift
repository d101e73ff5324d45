extension Score {
  /// The same song with at most one tempo change per pulse.
  ///
  /// Tempo changes inside one pulse become one pace that reaches the next pulse at the same time:
  /// every pulse stays within 1 ns of where it was. Clicks inside such a pulse may be off by as
  /// much as the tempos differ there. Takes linear time.
  func mergedWithinPulses() -> Score {
    var merger = TempoMerger(self)
    guard merger.isNeeded, let merged = Score(passages: merger.passages(), end: end, parts: parts)
    else {
      return self
    }
    return merged
  }
}

/// Merges the tempo changes inside each pulse of a score.
private struct TempoMerger {
  /// The beginning of a passage, or the end of a ramp that is not followed by a passage at once.
  private struct Change {
    var tick: Tick
    /// The index of the passage in force.
    var index: Int
    /// False if a passage only brings new bars, at the tempo before it.
    var isTempo: Bool
    /// False at the end of a ramp, which needs no new passage.
    var beginsPassage = true

    var pulse: Int64 { Division.floor(tick.count, by: Resolution.ticksPerPulse) }
  }

  private let changes: [Change]
  private let written: [Score.Passage]
  private let end: Tick
  /// The time of every tick as written, which merging preserves at pulses.
  private let exact: TempoMap
  /// The time of every tick after merging.
  private var map: TempoMap
  private var merged: [Score.Passage] = []

  init(_ score: Score) {
    var changes: [Change] = []
    let passages = score.passages
    for (index, passage) in passages.enumerated() {
      let before = changes.last.map { last -> Score.Passage in
        var before = passages[last.index]
        if !last.beginsPassage, let ramp = before.ramp {
          before.pace = ramp.target
          before.ramp = nil
        }
        return before
      }
      // New bars alone are not a tempo change; writing the same tempo again is.
      let isNewBars =
        passage.ramp == nil && before?.ramp == nil && before?.pace == passage.pace
        && (before?.span != passage.span || before?.part != passage.part)
      changes.append(Change(tick: passage.start, index: index, isTempo: !isNewBars))
      if let ramp = passage.ramp {
        let rampEnd = Tick(passage.start.count + ramp.ticks)
        guard index + 1 == passages.count || rampEnd < passages[index + 1].start else { continue }
        changes.append(
          Change(tick: rampEnd, index: index, isTempo: true, beginsPassage: false))
      }
    }
    self.changes = changes
    written = passages
    end = score.end ?? Tick.endless
    exact = score.tempoMap()
    map = TempoMap(pace: passages[0].pace, start: passages[0].start)
  }

  /// The passage that a change leads to, with its tempo curve from there on.
  private func passage(_ change: Change) -> Score.Passage {
    var passage = written[change.index]
    guard !change.beginsPassage, let ramp = passage.ramp else { return passage }
    passage.pace = ramp.target
    passage.ramp = nil
    return passage
  }

  /// Whether any pulse has more than one change of tempo.
  var isNeeded: Bool {
    let pulses = changes.lazy.filter(\.isTempo).map(\.pulse)
    return zip(pulses, pulses.dropFirst()).contains { $0 == $1 }
  }

  /// The passages after merging.
  mutating func passages() -> [Score.Passage] {
    // The tempo curve as written, and whether the merged one has yet to return to it.
    var law = passage(changes[0])
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
          append(passage(change), at: change.tick)
        }
        isOff = false
      }
      if let last = group.last { law = passage(last) }
      first = next
      pulse += 1
    }
    return merged
  }

  /// Replaces the tempos of `group` with one from `start` to the next pulse; false if the written
  /// tempo applies again from the last of them on.
  private mutating func merge(
    _ group: ArraySlice<Change>, from start: Tick, _ law: Score.Passage
  ) -> Bool {
    var goal = Tick(pulse: changes[group.startIndex].pulse + 1)
    var kept: Change?
    // A longer ramp cannot be restarted in the middle, so it begins where it is written.
    if let last = group.last(where: { $0.isTempo }), self.passage(last).ramp != nil,
      group.endIndex == changes.count || changes[group.endIndex].pulse > last.pulse + 1
    {
      goal = last.tick
      kept = last
    }
    var passage = law
    if let change = group.first, change.tick == start { passage = self.passage(change) }
    append(passage, from: start, until: goal)
    for change in group where change.tick > start && change.tick < goal {
      // It brings new bars, not just a new tempo.
      let written = self.passage(change)
      if written.span != passage.span || written.part != passage.part {
        passage = written
        append(passage, from: change.tick, until: goal)
      }
    }
    guard let kept else { return true }
    append(self.passage(kept), at: kept.tick)
    return false
  }

  /// Appends the bars of `passage` from `tick` on, at the pace that reaches `goal` on time.
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
