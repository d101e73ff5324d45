// How the plan continues where a section ends by itself, according to the score.

extension PlanState {
  /// The section that plays the song from `tick`, whose pulse falls at `time`.
  @_noLocks
  mutating func rollingSection(at tick: Tick, time: HostTime) -> Section {
    let number = timeline.passages.firstNumber
    let passage = timeline.passages.present
    var section = Section(
      line: line(of: passage, at: tick, time: time), span: passage.span, start: tick, time: time,
      end: Tick.endless, state: .rolling, hasPulses: !policy.isOff, hasClicks: true,
      entry: .start, announcesTempo: false, resume: tick, passage: number)
    section.part = passage.part
    if tick.count != 0 {
      section.entry = .continue
      if let pointer = SongPosition(exactly: tick) { section.entry = .continueAt(pointer) }
      // A song stopped within a sixteenth continues there, which no song position pointer can
      // express. After a move, the pointer was already sent with the move.
      let last = ring[ring.newest]
      if last.state.isStopped, last.isPlaceKnown { section.entry = .continue }
    }
    if timeline.passages.total == 1, let livePace = timeline.livePace {
      section.line = TempoMap.Segment(tick: tick, time: time, pace: livePace)
    }
    let last = ring[ring.newest]
    if last.state.isStopped, ring.newest > 0, tick.count != 0, last.passage == number {
      // The bars as counted before the stop, or as at the position moved to.
      section.span = last.span
    } else if last.state.isArmed, tick.count != 0, timeline.passages.total == 1,
      let livePattern = timeline.livePattern
    {
      section.span = respan(section.span, livePattern, at: tick)
    } else {
      section.span = liveSpan(section.span)
    }
    return section
  }

  /// The bars of a passage counted from its beginning, in the pattern set live if there is one.
  ///
  /// That pattern outlives a Stop when the score has one passage.
  @_noLocks
  mutating func liveSpan(_ span: MeterSpan) -> MeterSpan {
    guard timeline.passages.total == 1, let livePattern = timeline.livePattern else { return span }
    timeline.pendingPattern = nil
    return MeterSpan(start: span.start, bar: span.bar, pattern: livePattern)
  }

  /// A passage's tempo line, passing through `tick` at the instant `time`.
  @_noLocks
  private func line(of passage: Score.Passage, at tick: Tick, time: HostTime) -> TempoMap.Segment {
    guard let ramp = passage.ramp else {
      return TempoMap.Segment(tick: tick, time: time, pace: passage.pace)
    }
    let rampEnd = Tick(passage.start.count + ramp.ticks)
    guard tick < rampEnd else {
      return TempoMap.Segment(tick: tick, time: time, pace: ramp.target)
    }
    // Anchored at the beginning of the ramp, so that the curve is the same from any position in it.
    let whole = TempoMap.Segment(
      tick: passage.start, time: .zero, pace: passage.pace, ramp: ramp)
    let along = whole.time(of: ExactTick(Tick.later(tick, passage.start))) - whole.time
    return TempoMap.Segment(
      tick: whole.tick, time: time - along, pace: whole.pace, ramp: ramp)
  }

  /// The span in which `pattern` begins a bar at `tick`.
  @_noLocks
  private func respan(_ span: MeterSpan, _ pattern: ClickPattern, at tick: Tick) -> MeterSpan {
    let position = span.position(of: tick)
    let isBarLine = position.beat == 1 && position.tick == 0
    return MeterSpan(start: tick, bar: position.bar + (isBarLine ? 0 : 1), pattern: pattern)
  }

  /// The first beat of a section's span at or after `tick`.
  @_noLocks
  func nextBeat(_ section: Section, notBefore tick: Tick) -> Tick {
    let beat = section.span.pattern.meter.ticksPerBeat
    let start = section.span.start.count
    return Tick(start + Division.ceiling(tick.count - start, by: beat) * beat)
  }

  @_noLocks
  mutating func close(at tick: Tick) {
    var section = ring[ring.newest]
    section.end = tick
    ring[ring.newest] = section
  }

  @_noLocks
  mutating func append(_ section: Section) {
    var section = section
    section.end = Tick.endless
    ring.append(section)
    setEnd(after: section.start)
  }

  /// Sets where the newest section ends by itself, at or after `tick`: the end of the song, the
  /// next passage, the end of a ramp, the end of the count-in, or the beat that takes a pattern.
  @_noLocks
  mutating func setEnd(after tick: Tick) {
    var section = ring[ring.newest]
    section.end = Tick.endless
    switch section.state {
    case .stopped: break
    case .armed: section.end = section.resume
    case .rolling:
      section.end = Tick.earlier(section.end, Tick.later(endOfSong(section), tick))
      if let next = nextTurn(section) { section.end = Tick.earlier(section.end, next) }
      if case .some = timeline.pendingPattern {
        section.end = Tick.earlier(section.end, nextBeat(section, notBefore: tick))
      }
    }
    ring[ring.newest] = section
  }

  @_noLocks
  private func endOfSong(_ section: Section) -> Tick {
    switch timeline.limit {
    case .none: songEnd
    case .time(let time): Tick.earlier(section.line.firstTick(notBefore: time), songEnd)
    }
  }

  /// Where the section changes next by itself: the next passage, the end of a ramp or of a beat's
  /// move.
  @_noLocks
  private mutating func nextTurn(_ section: Section) -> Tick? {
    var turn = timeline.passages[section.passage + 1]?.start
    if let ramp = section.line.ramp {
      let end = Tick(section.line.tick.count + ramp.ticks)
      if let passage = turn { turn = Tick.earlier(passage, end) } else { turn = end }
    }
    if let move = section.move {
      if let other = turn { turn = Tick.earlier(other, move.goal) } else { turn = move.goal }
    }
    return turn
  }

  /// Appends what follows where the newest section ends by itself.
  @_noLocks
  mutating func appendSuccessor() {
    let section = ring[ring.newest]
    let tick = section.end
    let time = section.endTime
    if section.state.isArmed {
      append(rollingSection(at: tick, time: time))
      return
    }
    if tick >= endOfSong(section) {
      stop(at: tick, ending: true)
      return
    }
    var next = section
    next.start = tick
    next.time = time
    next.entry = .none
    next.announcesTempo = false
    if let passage = timeline.passages[section.passage + 1], tick >= passage.start {
      next.passage = section.passage + 1
      next.span = passage.span
      next.part = passage.part
      next.line = line(of: passage, at: tick, time: time)
      next.announcesTempo = next.line.pace.tempo.milliBPM != section.tempo(at: tick).milliBPM
      next.move = nil
    } else if let move = section.move, tick >= move.goal {
      next.line = TempoMap.Segment(tick: tick, time: time, pace: move.pace)
      next.move = nil
    } else if let ramp = section.line.ramp, tick.count >= section.line.tick.count + ramp.ticks {
      next.line = TempoMap.Segment(tick: tick, time: time, pace: ramp.target)
      next.announcesTempo = true
    }
    if let pattern = timeline.pendingPattern, nextBeat(section, notBefore: tick) == tick {
      next.span = respan(section.span, pattern, at: tick)
      timeline.pendingPattern = nil
    }
    append(next)
  }
}
