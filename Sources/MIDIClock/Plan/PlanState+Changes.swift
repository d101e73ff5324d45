// Live changes to the plan.

extension PlanState {
  /// `Planner.apply`, with the passages around the new position if the change has one.
  ///
  /// Everything due before `leaving` has already been sent.
  mutating func apply(
    _ change: PlanChange, at instant: HostTime, leaving: HostTime, passages window: PassageWindow?
  ) -> Planner.Outcome {
    guard !timeline.isHalted, !timeline.hasEnded else { return .ignored }
    guard !ring.isFull(oldestInUse: oldestSection) else { return .busy }
    let outcome = make(change, at: instant, leaving: leaving, window)
    refreshHeads()
    return outcome
  }

  /// True when the newest section has ended by itself at `instant` and the ring has a free place.
  mutating func isBehind(_ instant: HostTime) -> Bool {
    guard !timeline.isHalted, !timeline.hasEnded, !ring.isFull(oldestInUse: oldestSection) else {
      return false
    }
    let section = ring[ring.newest]
    return section.end < Tick.endless && section.endTime <= instant
  }

  mutating func make(
    _ change: PlanChange, at instant: HostTime, leaving: HostTime, _ window: PassageWindow?
  ) -> Planner.Outcome {
    if case .transport(.stop) = change, revokeStart(at: instant, leaving: leaving) {
      if let livePace = timeline.livePace, livePace != pace {
        _ = make(.tempo(livePace), at: instant, leaving: leaving, nil)
      }
      guard !ring[ring.newest].state.isStopped else { return .applied }
    }
    let section = ring[ring.newest]
    // What is already planned comes first: a Start under way is not overtaken.
    let base = max(instant, section.time, timeline.latestGiven + HostTime.Span(nanoseconds: 1))
    switch change {
    case .tempo(let pace):
      timeline.livePace = pace
      let tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
      guard tick < section.end else {
        appendSuccessor()
        return make(change, at: base, leaving: leaving, window)
      }
      var next = section
      next.start = tick
      next.time = section.line.time(of: ExactTick(tick))
      next.line = TempoMap.Segment(tick: tick, time: next.time, pace: pace)
      next.move = nil
      next.entry = .none
      next.announcesTempo = section.tempo(at: tick).milliBPM != pace.tempo.milliBPM
      close(at: tick)
      append(next)
      return .applied
    case .align(let pace, let beat, let unit): return align(pace, beat, unit, at: base)
    case .startOnBeat(let pace, let time): return start(pace, on: time, at: base, window)
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
      timeline.livePattern = pattern
      // Counting in, the pattern is taken where the song begins; stopped, on the first beat.
      timeline.pendingPattern = section.state.isArmed ? nil : pattern
      if section.state.isRolling { setEnd(after: section.line.firstTick(notBefore: base)) }
      return .applied
    case .transport(let request): return make(request, at: base, window)
    // `Planner.apply` has resolved these.
    case .toggle, .stopToTop, .tempoStep, .togglePolicy, .toggleMute, .offsetStep, .edit:
      return .ignored
    }
  }

  /// Revokes a Start or Continue of which nothing has been sent; false if there is none.
  private mutating func revokeStart(at instant: HostTime, leaving: HostTime) -> Bool {
    var number = ring.newest
    while true {
      let section = ring[number]
      guard number > 1, timeline.latestGiven < section.time else { return false }
      for index in 0..<routeCount
      where hasTouched(cursors[index], routes[index], section: number, section.entry) {
        return false
      }
      if section.entry.begins { break }
      // Another change was to take effect there.
      guard case .none = section.entry else { return false }
      number -= 1
    }
    // The passage to return to must still be in the window.
    let passage = ring[number - 1].passage
    guard timeline.passages.firstNumber <= passage, !timeline.passages.lacks(after: passage) else {
      return false
    }
    let (before, start) = (ring[number - 1], ring[number])
    for index in 0..<routeCount {
      // A pulse or click was left out because of the Start and would be late by now, so the Start
      // stays.
      let cursor = wentBack(cursors[index], from: number)
      guard !misses(cursor, index, before, before: start, at: leaving) else { return false }
    }
    for index in 0..<routeCount { cursors[index] = wentBack(cursors[index], from: number) }
    ring.drop(after: number - 1)
    let section = ring[ring.newest]
    if let livePattern = timeline.livePattern, section.state.isRolling,
      livePattern != section.span.pattern
    {
      timeline.pendingPattern = livePattern
    }
    let now = section.line.firstTick(notBefore: max(instant, timeline.latestGiven))
    setEnd(after: Tick.later(now, section.start))
    return true
  }

  /// Moves the coming beats; see `PlanChange.shift`.
  private mutating func shift(beatsBy span: HostTime.Span, at base: HostTime) -> Planner.Outcome {
    let section = ring[ring.newest]
    guard section.state.isRolling, case .none = section.line.ramp else { return .ignored }
    let tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
    guard tick < section.end else {
      appendSuccessor()
      guard !timeline.hasEnded else { return .ignored }
      return shift(beatsBy: span, at: max(base, ring[ring.newest].time))
    }
    let unit = section.span.pattern.meter.ticksPerBeat
    let goal = nextBeat(section, notBefore: Tick(tick.count &+ unit))
    let pace = section.pace(at: tick)
    let most = pace.part(unit, over: 4 &* Resolution.ticksPerQuarter)
    let wanted =
      section.settledLine.time(of: ExactTick(goal)) + min(max(span, .zero - most), most)
    move(from: tick, to: goal, at: wanted, then: pace, announcing: false)
    return .applied
  }

  /// Appends a section that spreads the ticks from `tick` to `goal` evenly so that the beat on
  /// `goal` falls at `wanted`, and continues at `pace` from there.
  private mutating func move(
    from tick: Tick, to goal: Tick, at wanted: HostTime, then pace: Pace, announcing: Bool
  ) {
    let section = ring[ring.newest]
    var next = section
    next.start = tick
    next.time = section.line.time(of: ExactTick(tick))
    next.line = TempoMap.Segment(
      tick: tick, time: next.time,
      pace: Pace(spreading: goal.count &- tick.count, over: wanted - next.time))
    next.move = Section.Move(goal: goal, pace: pace)
    next.entry = .none
    next.announcesTempo = announcing
    close(at: tick)
    append(next)
  }

  /// Sets the policy; pulses begin or end on the next tick if that changes anything.
  private mutating func set(_ wanted: ClockPolicy, at base: HostTime) -> Planner.Outcome {
    policy = wanted
    if !wanted.isOff { policyWhenOn = wanted }
    let section = ring[ring.newest]
    let hasPulses = section.state.isRolling ? !wanted.isOff : wanted.isAlways
    guard hasPulses != section.hasPulses else { return .applied }
    let tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
    guard tick < section.end else {
      appendSuccessor()
      guard !timeline.hasEnded else { return .ignored }
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
    _ pace: Pace, _ beat: HostTime, _ value: NoteValue, at base: HostTime
  ) -> Planner.Outcome {
    let section = ring[ring.newest]
    guard section.state.isRolling else { return make(.tempo(pace), at: base, leaving: base, nil) }
    timeline.livePace = pace
    let tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
    guard tick < section.end else {
      appendSuccessor()
      guard !timeline.hasEnded else { return .ignored }
      return align(pace, beat, value, at: max(base, ring[ring.newest].time))
    }
    let unit = section.span.pattern.meter.ticksPerBeat
    let step = Division.commonDivisor(unit, value.ticks)
    // At least a beat ahead, so that the pulses up to it are never closer than half a period.
    let goal = nextBeat(section, notBefore: Tick(tick.count &+ unit))
    let unmoved = TempoMap.Segment(
      tick: tick, time: section.line.time(of: ExactTick(tick)), pace: pace
    ).time(of: ExactTick(goal))
    let steps = pace.steps(of: step, in: unmoved - beat)
    let wanted = TempoMap.Segment(tick: .zero, time: beat, pace: pace)
      .time(of: ExactTick(Tick(steps &* step)))
    // Moving a beat at an unchanged tempo is not announced.
    let isNews = section.tempo(at: tick).milliBPM != pace.tempo.milliBPM
    move(from: tick, to: goal, at: wanted, then: pace, announcing: isNews)
    return .applied
  }
}
