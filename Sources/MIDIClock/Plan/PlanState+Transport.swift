// Start, Stop and moves of the position.

extension PlanState {
  mutating func start(
    _ pace: Pace, on time: HostTime, at base: HostTime, _ window: PassageWindow?
  ) -> Planner.Outcome {
    let section = ring[ring.newest]
    guard section.state.isStopped else { return .ignored }
    let place = section.isPlaceKnown ? Tick.zero : section.resume
    timeline.livePace = pace
    if let window { timeline.passages = window }
    let lead = place == .zero ? Transport.Entry.startLead : Transport.Entry.locateLead
    let given = Tick.later(section.line.firstTick(notBefore: base), section.start)
    let room = section.line.time(of: ExactTick(roomAfterPulses(before: given)))
    let earliest = max(base + lead + .milliseconds(1), section.hasPulses ? room : base)
    let line = TempoMap.Segment(tick: .zero, time: time, pace: pace)
    let missed = max(0, line.firstTick(notBefore: earliest).count)
    let quarter = Resolution.ticksPerQuarter
    let on = line.time(of: ExactTick(Tick(Division.ceiling(missed, by: quarter) &* quarter)))
    if section.hasPulses {
      fallIn(section, pace, on, from: given, at: base)
    } else {
      close(at: Tick.later(section.line.firstTick(notBefore: on), section.start))
    }
    begin(at: place, time: on, countIn: false)
    var song = ring[ring.newest]
    song.announcesTempo = true
    ring[ring.newest] = song
    return .applied
  }

  /// Runs the pulses of a stopped section at `pace` from the next one on, in phase with `on`, the
  /// instant of the song's first pulse.
  private mutating func fallIn(
    _ section: Section, _ pace: Pace, _ on: HostTime, from given: Tick, at base: HostTime
  ) {
    let next = Division.ceiling(given.count, by: Resolution.ticksPerPulse)
    let period = pace.pulsePeriod
    // Slower routes have no pulse this soon.
    let room = roomAfterPulses(before: given, onlyFast: true)
    let earliest = max(base, section.line.time(of: ExactTick(room)))
    let pulses = max(0, Division.floor((on - earliest).nanoseconds, by: period.nanoseconds))
    var lull = section
    lull.line = TempoMap.Segment(tick: Tick(pulse: next &+ pulses), time: on, pace: pace)
    lull.start = Tick(pulse: next)
    lull.time = lull.line.time(of: ExactTick(lull.start))
    lull.entry = .none
    lull.announcesTempo = false
    close(at: given)
    append(lull)
    close(at: Tick(pulse: next &+ pulses))
  }

  mutating func make(
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
        next.part = window.present.part
      }
      close(at: next.start)
      append(next)
      return .applied
    case (.rolling, .stop), (.armed, .stop):
      var tick = Tick.later(section.line.firstTick(notBefore: base), section.start)
      // A multiplied route sends its pulses up to the one that Continue begins with.
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

  /// Starts playing from `tick` as soon as the messages before it have time to leave, on the pulse
  /// grid if pulses are running.
  private mutating func launch(from tick: Tick, at base: HostTime, _ window: PassageWindow?)
    -> Planner.Outcome
  {
    if let window { timeline.passages = window }
    let section = ring[ring.newest]
    let lead = tick == .zero ? Transport.Entry.startLead : Transport.Entry.locateLead
    // One millisecond more, so that the first of these messages need not leave at once.
    var on = section.line.firstTick(notBefore: base + lead + .milliseconds(1))
    let given = section.hasPulses ? section.line.firstTick(notBefore: base) : section.start
    on = Tick.later(on, roomAfterPulses(before: given))
    if section.hasPulses {
      let pulse = Division.ceiling(on.count, by: Resolution.ticksPerPulse)
      let common = Division.ceiling(pulse, by: commonDivision) &* commonDivision
      on = Tick(pulse: pulse)
      let aligned = section.line.time(of: ExactTick(Tick(pulse: common)))
      // Keep the spacing of divided routes if that does not take long.
      if aligned < base + .seconds(2) { on = Tick(pulse: common) }
    }
    let time = section.line.time(of: ExactTick(on))
    close(at: on)
    begin(at: tick, time: time, countIn: countInBars > 0 && tick == .zero)
    return .applied
  }

  /// The first tick at least half a period after the last pulse before `given`, on every route or,
  /// with `onlyFast`, on routes that send at least every pulse of the clock.
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

  /// Returns to the top on the next beat, which becomes the first: sends Stop, then Start.
  private mutating func restart(at base: HostTime, _ window: PassageWindow?) -> Planner.Outcome {
    let section = ring[ring.newest]
    let earliest = section.line.firstTick(notBefore: base + .milliseconds(4))
    let beat = nextBeat(section, notBefore: earliest)
    guard section.end >= beat else {
      appendSuccessor()
      return timeline.hasEnded ? .ignored : restart(at: max(base, ring[ring.newest].time), window)
    }
    let time = section.line.time(of: ExactTick(beat))
    if let window { timeline.passages = window }
    close(at: beat)
    var next = rollingSection(at: .zero, time: time)
    next.entry = .restart
    append(next)
    return .applied
  }

  /// Appends the count-in or, without one, the song from `tick`, beginning at the instant `time`.
  mutating func begin(at tick: Tick, time: HostTime, countIn: Bool) {
    var next = rollingSection(at: tick, time: time)
    if countIn {
      var bars = countInBars &* next.span.pattern.meter.ticksPerBar
      if let pickUp, tick == .zero {
        // One, two, three, and the song begins on four.
        bars = countInBars &* pickUp.pattern.meter.ticksPerBar &- pickUp.start.count
        next.span = pickUp
      }
      next.state = .armed
      next.start = Tick(tick.count - bars)
      if ring.newest == 0 {
        // The first start: the song begins at `time`, the count-in before it.
        next.time = next.line.time(of: ExactTick(next.start))
      } else {
        next.line = TempoMap.Segment(tick: next.start, time: time, pace: next.line.pace)
      }
      next.hasPulses = policy.isAlways
      next.entry = .none
      next.resume = tick
    }
    if ring.newest == 0 { closeFirst(before: next) }
    append(next)
  }

  /// Appends a section that waits for a start at `tick`; if the clock runs while stopped, it sends
  /// pulses from `time` on.
  mutating func wait(at tick: Tick, from time: HostTime) {
    var next = ring[0]
    next.start = tick
    next.time = time
    next.end = Tick.endless
    next.hasPulses = policy.isAlways
    closeFirst(before: next)
    append(next)
  }

  /// Ends the initial section where `next` begins.
  private mutating func closeFirst(before next: Section) {
    var dawn = ring[0]
    dawn.end = dawn.line.firstTick(notBefore: next.time)
    ring[0] = dawn
  }

  /// Stops at `tick` of the newest section; pulses continue if the policy sends them while stopped.
  @_noLocks
  mutating func stop(at tick: Tick, ending: Bool = false) {
    let section = ring[ring.newest]
    var next = section
    next.start = tick
    next.time = section.line.time(of: ExactTick(tick))
    if case .some = section.line.ramp {
      next.line = TempoMap.Segment(
        tick: tick, time: next.time, pace: section.line.pace(at: tick))
    }
    if let move = section.move {
      next.line = TempoMap.Segment(tick: tick, time: next.time, pace: move.pace)
      next.move = nil
    }
    next.state = .stopped
    next.isPlaceKnown = section.state.isRolling
    next.hasClicks = false
    next.hasPulses = policy.isAlways && !ending
    next.entry = section.state.isRolling ? .stop : .none
    next.announcesTempo = false
    // Continue resumes with the first pulse not sent.
    next.resume =
      section.state.isRolling
      ? Tick(pulse: Division.ceiling(tick.count, by: Resolution.ticksPerPulse)) : section.resume
    timeline.hasEnded = ending
    close(at: tick)
    append(next)
  }
}
