// How the plan changes: live, and where the score says so.

/// A change of the plan while it runs.
public enum Change: Hashable, Sendable {
  /// Another tempo, from the next tick on; the place is kept.
  case tempo(Tempo)
  /// Another tempo, and the nearest beat of the meter moved to where a beat falls on a line in that
  /// tempo through the instant `beat`, of which there is one every `unit`.
  ///
  /// A unit finer than the meter's moves the nearest of its own: taps in eighths are on and off the
  /// beat by turns. Of one that does not divide the beat it is what both divide into.
  /// The beat after the next is the first in its new place; the pulses up to it are spread evenly,
  /// none is lost or doubled, and the bars count on. While the song does not move it is `tempo`.
  case align(Tempo, beat: HostTime, unit: NoteValue = .quarter)
  /// Start in this tempo, its first pulse at this instant, or as many quarters later as it takes to
  /// send what comes before it.
  ///
  /// From the top, or for the first time from where the song was to begin. Pulses that go out while
  /// stopped fall in with it. While the song moves it means nothing.
  case startOnBeat(Tempo, at: HostTime)
  /// Every beat from the one after the next on earlier (below zero) or later by this, the pulses up
  /// to it spread evenly.
  ///
  /// At most a quarter of a beat is taken. While the song does not move, and in a ramp, it means
  /// nothing.
  case shift(HostTime.Span)
  /// Pulses while stopped too, only while rolling, or none, from the next tick on.
  case policy(ClockPolicy)
  /// Whether a route's clicks are left out; beats, pulses and everything else go on.
  case mute(route: Int, Bool)
  /// A route earlier (below zero) or later than the plan by this.
  ///
  /// From its next message on the route's time runs by a quarter faster or slower until the offset is
  /// reached, so that no pulses crowd and no clock is lost; -500 to 500 ms.
  case offset(route: Int, HostTime.Span)
  /// Another meter, accents, subdivision or swing, from the next beat on, which begins a bar.
  case pattern(ClickPattern)
  /// Start, Continue, Stop or another place.
  case transport(Transport.Request)
}

extension PlanState {
  /// `Planner.apply`, with the passages around a new place where the change has one.
  ///
  /// `leaving` is the instant before which everything has left that is given.
  mutating func apply(
    _ change: Change, at instant: HostTime, leaving: HostTime, passages window: PassageWindow?
  ) -> Planner.Outcome {
    guard !isHalted, !hasEnded else { return .ignored }
    guard !ring.isFull(oldestInUse: oldestSection) else { return .busy }
    let outcome = make(change, at: instant, leaving: leaving, window)
    refreshHeads()
    return outcome
  }

  /// True when the newest section has ended by itself at `instant`, and there is room to go on.
  mutating func isBehind(_ instant: HostTime) -> Bool {
    guard !isHalted, !hasEnded, !ring.isFull(oldestInUse: oldestSection) else { return false }
    let section = ring[ring.newest]
    return section.end < Section.endless && section.endTime <= instant
  }

  private mutating func make(
    _ change: Change, at instant: HostTime, leaving: HostTime, _ window: PassageWindow?
  ) -> Planner.Outcome {
    if case .transport(.stop) = change, revokeStart(at: instant, leaving: leaving) {
      if let liveTempo,
        liveTempo.milliBPM != ring[ring.newest].tempo(at: ring[ring.newest].start).milliBPM
      {
        _ = make(.tempo(liveTempo), at: instant, leaving: leaving, nil)
      }
      guard !ring[ring.newest].state.isStopped else { return .applied }
    }
    let section = ring[ring.newest]
    // What is already planned comes first: a Start under way is not overtaken.
    let base = max(instant, section.time, latestGiven + HostTime.Span(nanoseconds: 1))
    switch change {
    case .tempo(let tempo):
      liveTempo = tempo
      let tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
      guard tick < section.end else {
        appendSuccessor()
        return make(change, at: base, leaving: leaving, window)
      }
      var next = section
      next.start = tick
      next.time = section.line.time(of: ExactTick(tick))
      next.line = TempoMap.Segment(tick: tick, time: next.time, tempo: tempo)
      next.settled = nil
      next.entry = .none
      next.announcesTempo = section.tempo(at: tick).milliBPM != tempo.milliBPM
      close(at: tick)
      append(next)
      return .applied
    case .align(let tempo, let beat, let unit): return align(tempo, beat, unit, at: base)
    case .startOnBeat(let tempo, let time): return start(tempo, on: time, at: base, window)
    case .shift(let span): return shift(beatsBy: span, at: base)
    case .policy(let wanted): return set(wanted, at: base)
    case .mute(let route, let isMuted):
      guard (0..<routeCount).contains(route) else { return .ignored }
      let bit: UInt16 = 1 << UInt16(truncatingIfNeeded: route)
      muted = isMuted ? muted | bit : muted & ~bit
      return .applied
    case .offset(let route, let offset):
      guard (0..<routeCount).contains(route) else { return .ignored }
      glides[route].turn(from: routes[route].offset, to: offset, at: leaving)
      routes[route].offset = offset
      return .applied
    case .pattern(let pattern):
      livePattern = pattern
      // Counting in, the pattern is taken where the song begins; stopped, on the first beat.
      pendingPattern = section.state.isArmed ? nil : pattern
      if section.state.isRolling { setEnd(after: section.line.firstTick(notBefore: base)) }
      return .applied
    case .transport(let request): return make(request, at: base, window)
    }
  }

  /// Takes back a Start or Continue of which nothing has left; false when there is none.
  private mutating func revokeStart(at instant: HostTime, leaving: HostTime) -> Bool {
    var number = ring.newest
    while true {
      let section = ring[number]
      guard number > 1, latestGiven < section.time else { return false }
      for index in 0..<routeCount
      where hasTouched(cursors[index], routes[index], section: number, section.entry) {
        return false
      }
      if section.entry.begins { break }
      // Something else was to change from there on.
      guard case .none = section.entry else { return false }
      number -= 1
    }
    // Where the score goes on from there must be at hand.
    let passage = ring[number - 1].passage
    guard passages.firstNumber <= passage, !passages.lacks(after: passage) else { return false }
    let (before, start) = (ring[number - 1], ring[number])
    for index in 0..<routeCount {
      // What was left out because of the Start and would be late by now: then it starts.
      let cursor = wentBack(cursors[index], from: number)
      guard !misses(cursor, index, before, before: start, at: leaving) else { return false }
    }
    for index in 0..<routeCount { cursors[index] = wentBack(cursors[index], from: number) }
    ring.drop(after: number - 1)
    let section = ring[ring.newest]
    if let livePattern, section.state.isRolling, livePattern != section.span.pattern {
      pendingPattern = livePattern
    }
    let now = section.line.firstTick(notBefore: max(instant, latestGiven))
    setEnd(after: Tick.later(now, section.start))
    return true
  }

  /// Moves the beats to come, as `Change.shift` says.
  private mutating func shift(beatsBy span: HostTime.Span, at base: HostTime) -> Planner.Outcome {
    let section = ring[ring.newest]
    guard section.state.isRolling, case .none = section.line.ramp else { return .ignored }
    let tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
    guard tick < section.end else {
      appendSuccessor()
      guard !hasEnded else { return .ignored }
      return shift(beatsBy: span, at: max(base, ring[ring.newest].time))
    }
    let unit = section.span.pattern.meter.ticksPerBeat
    let goal = nextBeat(section, notBefore: Tick(tick.count &+ unit))
    // What another change is still moving towards, or the line as it is.
    let unmoved = section.settled ?? section.line
    let tempo = section.tempo(at: tick)
    let most = HostTime.Span(
      nanoseconds: tempo.pulsePeriod.nanoseconds * unit / Resolution.ticksPerPulse / 4)
    let wanted =
      unmoved.time(of: ExactTick(goal)) + min(max(span, .zero - most), most)
    move(from: tick, to: goal, at: wanted, then: tempo, announcing: false)
    return .applied
  }

  /// Appends what moves the beat on `goal` to `wanted` by spreading the ticks from `tick` on evenly
  /// up to it, and goes on in `tempo` from there.
  private mutating func move(
    from tick: Tick, to goal: Tick, at wanted: HostTime, then tempo: Tempo, announcing: Bool
  ) {
    let section = ring[ring.newest]
    var next = section
    next.start = tick
    next.time = section.line.time(of: ExactTick(tick))
    // The pace is rounded, so it reaches the beat a few microseconds off; the settled line has it.
    next.line = TempoMap.Segment(
      tick: tick, time: next.time,
      tempo: Tempo(passing: goal.count &- tick.count, in: wanted - next.time))
    next.settled = TempoMap.Segment(tick: goal, time: wanted, tempo: tempo)
    next.entry = .none
    next.announcesTempo = announcing
    close(at: tick)
    append(next)
  }

  /// Takes over `wanted`; the pulses begin or end on the next tick where it makes a difference.
  private mutating func set(_ wanted: ClockPolicy, at base: HostTime) -> Planner.Outcome {
    policy = wanted
    let section = ring[ring.newest]
    let hasPulses = section.state.isRolling ? !wanted.isOff : wanted.isAlways
    guard hasPulses != section.hasPulses else { return .applied }
    let tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
    guard tick < section.end else {
      appendSuccessor()
      guard !hasEnded else { return .ignored }
      return set(wanted, at: max(base, ring[ring.newest].time))
    }
    var next = section
    next.start = tick
    next.time = section.line.time(of: ExactTick(tick))
    next.hasPulses = hasPulses
    next.entry = .none
    next.announcesTempo = false
    close(at: tick)
    append(next)
    return .applied
  }

  private mutating func align(
    _ tempo: Tempo, _ beat: HostTime, _ value: NoteValue, at base: HostTime
  ) -> Planner.Outcome {
    let section = ring[ring.newest]
    guard section.state.isRolling else { return make(.tempo(tempo), at: base, leaving: base, nil) }
    liveTempo = tempo
    let tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
    guard tick < section.end else {
      appendSuccessor()
      guard !hasEnded else { return .ignored }
      return align(tempo, beat, value, at: max(base, ring[ring.newest].time))
    }
    let unit = section.span.pattern.meter.ticksPerBeat
    let step = Division.commonDivisor(unit, value.ticks)
    // At least a beat ahead, so that the pulses up to it are never closer than half a period.
    let goal = nextBeat(section, notBefore: Tick(tick.count &+ unit))
    let unmoved = TempoMap.Segment(
      tick: tick, time: section.line.time(of: ExactTick(tick)), tempo: tempo
    ).time(of: ExactTick(goal))
    let steps = Division.rounded(
      Int128((unmoved - beat).nanoseconds) * Int128(tempo.milliBPM),
      by: Int128(Tempo.tickNumerator) * Int128(step))
    let wanted = TempoMap.Segment(tick: .zero, time: beat, tempo: tempo)
      .time(of: ExactTick(Tick(steps &* step)))
    // A beat that is moved once more in the same tempo is no news.
    let isNews = section.tempo(at: tick).milliBPM != tempo.milliBPM
    move(from: tick, to: goal, at: wanted, then: tempo, announcing: isNews)
    return .applied
  }

  private mutating func start(
    _ tempo: Tempo, on time: HostTime, at base: HostTime, _ window: PassageWindow?
  ) -> Planner.Outcome {
    let section = ring[ring.newest]
    guard section.state.isStopped else { return .ignored }
    let place = section.isPlaceKnown ? Tick.zero : section.resume
    liveTempo = tempo
    if let window { passages = window }
    let lead = place == .zero ? Transport.Entry.startLead : Transport.Entry.locateLead
    let given = Tick.later(section.line.firstTick(notBefore: base), section.start)
    let room = section.line.time(of: ExactTick(roomAfterPulses(before: given)))
    let earliest = max(base + lead + .milliseconds(1), section.hasPulses ? room : base)
    let line = TempoMap.Segment(tick: .zero, time: time, tempo: tempo)
    let missed = max(0, line.firstTick(notBefore: earliest).count)
    let quarter = Resolution.ticksPerQuarter
    let on = line.time(of: ExactTick(Tick(Division.ceiling(missed, by: quarter) &* quarter)))
    if section.hasPulses {
      fallIn(section, tempo, on, from: given, at: base)
    } else {
      close(at: Tick.later(section.line.firstTick(notBefore: on), section.start))
    }
    begin(at: place, time: on, countIn: false)
    var song = ring[ring.newest]
    song.announcesTempo = true
    ring[ring.newest] = song
    return .applied
  }

  /// Lets the pulses of a stopped section go on in `tempo` from the next on, in phase with one at
  /// `on`, which is not theirs any more.
  private mutating func fallIn(
    _ section: Section, _ tempo: Tempo, _ on: HostTime, from given: Tick, at base: HostTime
  ) {
    let next = Division.ceiling(given.count, by: Resolution.ticksPerPulse)
    let period = tempo.pulsePeriod
    // Of slower routes none has a pulse so soon.
    let room = roomAfterPulses(before: given, onlyFast: true)
    let earliest = max(base, section.line.time(of: ExactTick(room)))
    let pulses = max(0, Division.floor((on - earliest).nanoseconds, by: period.nanoseconds))
    var lull = section
    lull.line = TempoMap.Segment(tick: Tick(pulse: next &+ pulses), time: on, tempo: tempo)
    lull.start = Tick(pulse: next)
    lull.time = lull.line.time(of: ExactTick(lull.start))
    lull.entry = .none
    lull.announcesTempo = false
    close(at: given)
    append(lull)
    close(at: Tick(pulse: next &+ pulses))
  }

  private mutating func make(
    _ request: Transport.Request, at base: HostTime, _ window: PassageWindow?
  ) -> Planner.Outcome {
    let section = ring[ring.newest]
    switch (section.state, request) {
    case (.stopped, .start): return launch(from: .zero, at: base, window)
    case (.stopped, .continue): return launch(from: section.resume, at: base, window)
    case (.stopped, .locate(let tick)):
      guard let pointer = SongPosition(exactly: tick) else { return .ignored }
      var next = section
      next.start = section.line.firstTick(notBefore: base)
      next.time = section.line.time(of: ExactTick(next.start))
      next.entry = .locate(pointer)
      next.announcesTempo = false
      next.resume = tick
      next.isPlaceKnown = true
      if var window {
        next.span = liveSpan(window.present.span)
        next.passage = window.firstNumber
      }
      close(at: next.start)
      append(next)
      return .applied
    case (.rolling, .stop), (.armed, .stop):
      var tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
      // A multiplied route gives its pulses up to the one that Continue begins with.
      if hasMultipliedRoutes, section.state.isRolling {
        tick = Tick(pulse: Division.ceiling(tick.count, by: Resolution.ticksPerPulse))
      }
      guard tick < section.end else {
        appendSuccessor()
        return make(request, at: base, window)
      }
      stop(at: tick)
      return .applied
    case (.rolling, .start): return restart(at: base, window)
    case (.stopped, .stop), (.armed, _), (.rolling, .continue), (.rolling, .locate):
      return .ignored
    }
  }

  /// Begins to play from `tick` as soon as the messages before it have their time, on the pulse
  /// grid when pulses are running.
  private mutating func launch(from tick: Tick, at base: HostTime, _ window: PassageWindow?)
    -> Planner.Outcome
  {
    if let window { passages = window }
    let section = ring[ring.newest]
    let lead = tick == .zero ? Transport.Entry.startLead : Transport.Entry.locateLead
    // A millisecond more, so that the first of these messages need not leave this very instant.
    var on = section.line.firstTick(notBefore: base + lead + .milliseconds(1))
    let given = section.hasPulses ? section.line.firstTick(notBefore: base) : section.start
    on = Tick.later(on, roomAfterPulses(before: given))
    if section.hasPulses {
      let pulse = Division.ceiling(on.count, by: Resolution.ticksPerPulse)
      let common = Division.ceiling(pulse, by: commonDivision) &* commonDivision
      on = Tick(pulse: pulse)
      let aligned = section.line.time(of: ExactTick(Tick(pulse: common)))
      // Divided routes keep their own spacing when that does not take long.
      if aligned < base + .seconds(2) { on = Tick(pulse: common) }
    }
    let time = section.line.time(of: ExactTick(on))
    close(at: on)
    begin(at: tick, time: time, countIn: countInBars > 0 && tick == .zero)
    return .applied
  }

  /// The first place that is half a period after the last pulse before `given` on every route, or on
  /// every one that has all of the clock's pulses.
  private func roomAfterPulses(before given: Tick, onlyFast: Bool = false) -> Tick {
    var room = given
    for index in 0..<routeCount where routes[index].contents.hasClock && !policy.isOff {
      let route = routes[index]
      if onlyFast, route.divide > route.multiply { continue }
      let last = route.firstPulse(notBefore: given) - 1
      let half = (2 * last + 1) * Resolution.ticksPerPulse * route.divide
      room = Tick.later(room, Tick(Division.ceiling(half, by: 2 * route.multiply)))
    }
    return room
  }

  /// Goes back to the top on the next beat: Stop, Start, and the beat is the first one.
  private mutating func restart(at base: HostTime, _ window: PassageWindow?) -> Planner.Outcome {
    let section = ring[ring.newest]
    let earliest = section.line.firstTick(notBefore: base + .milliseconds(4))
    let beat = nextBeat(section, notBefore: earliest)
    guard !(section.end < beat) else {
      appendSuccessor()
      return hasEnded ? .ignored : restart(at: max(base, ring[ring.newest].time), window)
    }
    let time = section.line.time(of: ExactTick(beat))
    if let window { passages = window }
    close(at: beat)
    var next = rollingSection(at: .zero, time: time)
    next.entry = .restart
    append(next)
    return .applied
  }

  /// Appends what plays from `tick`, at the instant `time`: the count-in, or at once the song.
  mutating func begin(at tick: Tick, time: HostTime, countIn: Bool) {
    var next = rollingSection(at: tick, time: time)
    if countIn {
      let bars = countInBars &* next.span.pattern.meter.ticksPerBar
      next.state = .armed
      next.start = Tick(tick.count - bars)
      if ring.newest == 0 {
        // The first start: the song begins at `time`, the count-in before it.
        next.time = next.line.time(of: ExactTick(next.start))
      } else {
        next.line = TempoMap.Segment(tick: next.start, time: time, tempo: next.line.tempo)
      }
      next.hasPulses = policy.isAlways
      next.entry = .none
      next.resume = tick
    }
    if ring.newest == 0 { closeFirst(before: next) }
    append(next)
  }

  /// Appends what waits to be started from `tick`: pulses from `time` on, when they go out while
  /// stopped.
  mutating func wait(at tick: Tick, from time: HostTime) {
    var next = ring[0]
    next.start = tick
    next.time = time
    next.end = Section.endless
    next.hasPulses = policy.isAlways
    closeFirst(before: next)
    append(next)
  }

  /// Lets the waiting section end where `next` begins.
  private mutating func closeFirst(before next: Section) {
    var dawn = ring[0]
    dawn.end = dawn.line.firstTick(notBefore: next.time)
    ring[0] = dawn
  }

  /// The song from `tick`, its pulse at the instant `time`.
  @_noLocks
  private mutating func rollingSection(at tick: Tick, time: HostTime) -> Section {
    let number = passages.firstNumber
    let passage = passages.present
    var section = Section(
      line: line(of: passage, at: tick, time: time), span: passage.span, start: tick, time: time,
      end: Section.endless, state: .rolling, hasPulses: !policy.isOff, hasClicks: true,
      entry: .start, announcesTempo: false, resume: tick, passage: number)
    if tick.count != 0 {
      section.entry = .continue
      if let pointer = SongPosition(exactly: tick) { section.entry = .continueAt(pointer) }
      // A Stop in the middle of a sixteenth is continued where it was, which no pointer can name.
      // After a move the pointer went out with the move.
      let last = ring[ring.newest]
      if last.state.isStopped, last.isPlaceKnown { section.entry = .continue }
    }
    if passages.total == 1, let liveTempo {
      section.line = TempoMap.Segment(tick: tick, time: time, tempo: liveTempo)
    }
    let last = ring[ring.newest]
    if last.state.isStopped, ring.newest > 0, tick.count != 0, last.passage == number {
      // The bars as they were counted, or as they are where the place was moved to.
      section.span = last.span
    } else if last.state.isArmed, tick.count != 0, passages.total == 1, let livePattern {
      section.span = respan(section.span, livePattern, at: tick)
    } else {
      section.span = liveSpan(section.span)
    }
    return section
  }

  /// The bars of a passage as they count from its beginning: in the pattern set live, which
  /// outlives a Stop when the score has one passage.
  @_noLocks
  private mutating func liveSpan(_ span: MeterSpan) -> MeterSpan {
    guard passages.total == 1, let livePattern else { return span }
    pendingPattern = nil
    return MeterSpan(start: span.start, bar: span.bar, pattern: livePattern)
  }

  /// A passage's tempo line through `tick` at the instant `time`.
  @_noLocks
  private func line(of passage: Score.Passage, at tick: Tick, time: HostTime) -> TempoMap.Segment {
    guard let ramp = passage.ramp else {
      return TempoMap.Segment(tick: tick, time: time, tempo: passage.tempo)
    }
    let rampEnd = Tick(passage.start.count + ramp.ticks)
    guard tick < rampEnd else {
      return TempoMap.Segment(tick: tick, time: time, tempo: ramp.target)
    }
    // Anchored at the ramp's own beginning, so that its law is kept from any place in it.
    let whole = TempoMap.Segment(
      tick: passage.start, time: .zero, tempo: passage.tempo, ramp: ramp)
    let along = whole.time(of: ExactTick(Tick.later(tick, passage.start))) - whole.time
    return TempoMap.Segment(
      tick: whole.tick, time: time - along, tempo: whole.tempo, ramp: ramp)
  }

  /// The span in which `pattern` begins a bar at `tick`.
  @_noLocks
  private func respan(_ span: MeterSpan, _ pattern: ClickPattern, at tick: Tick) -> MeterSpan {
    let position = span.position(of: tick)
    let isBarLine = position.beat == 1 && position.tick == 0
    return MeterSpan(start: tick, bar: position.bar + (isBarLine ? 0 : 1), pattern: pattern)
  }

  /// The first beat of a section's span that does not come before `tick`.
  @_noLocks
  private func nextBeat(_ section: Section, notBefore tick: Tick) -> Tick {
    let beat = section.span.pattern.meter.ticksPerBeat
    let start = section.span.start.count
    return Tick(start + Division.ceiling(tick.count - start, by: beat) * beat)
  }

  /// Stops at `tick` of the newest section; pulses go on when they are wanted while stopped.
  @_noLocks
  private mutating func stop(at tick: Tick, ending: Bool = false) {
    let section = ring[ring.newest]
    var next = section
    next.start = tick
    next.time = section.line.time(of: ExactTick(tick))
    if case .some = section.line.ramp {
      next.line = TempoMap.Segment(
        tick: tick, time: next.time, tempo: section.line.tempo(at: tick))
    }
    if let settled = section.settled {
      next.line = TempoMap.Segment(tick: tick, time: next.time, tempo: settled.tempo)
      next.settled = nil
    }
    next.state = .stopped
    next.isPlaceKnown = section.state.isRolling
    next.hasClicks = false
    next.hasPulses = policy.isAlways && !ending
    next.entry = section.state.isRolling ? .stop : .none
    next.announcesTempo = false
    // The place is that of the first pulse not sent.
    next.resume =
      section.state.isRolling
      ? Tick(pulse: Division.ceiling(tick.count, by: Resolution.ticksPerPulse)) : section.resume
    hasEnded = ending
    close(at: tick)
    append(next)
  }

  @_noLocks
  private mutating func close(at tick: Tick) {
    var section = ring[ring.newest]
    section.end = tick
    ring[ring.newest] = section
  }

  @_noLocks
  private mutating func append(_ section: Section) {
    var section = section
    section.end = Section.endless
    ring.append(section)
    setEnd(after: section.start)
  }

  /// Sets where the newest section ends by itself, at or after `tick`: the end of the song, the
  /// next passage, the end of a ramp, the end of the count-in, or the beat that takes a pattern.
  @_noLocks
  private mutating func setEnd(after tick: Tick) {
    var section = ring[ring.newest]
    section.end = Section.endless
    switch section.state {
    case .stopped: break
    case .armed: section.end = section.resume
    case .rolling:
      section.end = Tick.earlier(section.end, Tick.later(endOfSong(section), tick))
      if let next = nextTurn(section) { section.end = Tick.earlier(section.end, next) }
      if case .some = pendingPattern {
        section.end = Tick.earlier(section.end, nextBeat(section, notBefore: tick))
      }
    }
    ring[ring.newest] = section
  }

  @_noLocks
  private func endOfSong(_ section: Section) -> Tick {
    switch limit {
    case .none: songEnd
    case .time(let time): Tick.earlier(section.line.firstTick(notBefore: time), songEnd)
    }
  }

  /// Where the score itself turns next after the start of `section`: a passage or a ramp's end.
  @_noLocks
  private mutating func nextTurn(_ section: Section) -> Tick? {
    var turn = passages[section.passage + 1]?.start
    if let ramp = section.line.ramp {
      let end = Tick(section.line.tick.count + ramp.ticks)
      if let passage = turn { turn = Tick.earlier(passage, end) } else { turn = end }
    }
    if let settled = section.settled {
      if let other = turn { turn = Tick.earlier(other, settled.tick) } else { turn = settled.tick }
    }
    return turn
  }

  /// Appends what follows the newest section where it ends by itself.
  @_noLocks
  mutating func appendSuccessor() {
    let section = ring[ring.newest]
    let tick = section.end
    let time = section.endTime
    if section.state.isArmed {
      append(rollingSection(at: tick, time: time))
      return
    }
    if !(tick < endOfSong(section)) {
      stop(at: tick, ending: true)
      return
    }
    var next = section
    next.start = tick
    next.time = time
    next.entry = .none
    next.announcesTempo = false
    if let passage = passages[section.passage + 1], !(tick < passage.start) {
      next.passage = section.passage + 1
      next.span = passage.span
      next.line = line(of: passage, at: tick, time: time)
      next.announcesTempo = next.line.tempo.milliBPM != section.tempo(at: tick).milliBPM
      next.settled = nil
    } else if let settled = section.settled, !(tick < settled.tick) {
      next.line = settled
      next.time = settled.time
      next.settled = nil
    } else if let ramp = section.line.ramp, tick.count >= section.line.tick.count + ramp.ticks {
      next.line = TempoMap.Segment(tick: tick, time: time, tempo: ramp.target)
      next.announcesTempo = true
    }
    if let pattern = pendingPattern, nextBeat(section, notBefore: tick).count == tick.count {
      next.span = respan(section.span, pattern, at: tick)
      pendingPattern = nil
    }
    append(next)
  }
}
