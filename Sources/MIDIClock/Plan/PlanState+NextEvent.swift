// Finds a route's next event and commits it.

extension PlanState {
  /// How long before its start a section is appended.
  ///
  /// More than the longest lead, so that its entry messages, which precede it, are never late; not
  /// much more, so that changes can still be made before it.
  private static var appendAhead: HostTime.Span { @_noLocks get { .milliseconds(15) } }

  /// Finds the next event of route `index`.
  @_noLocks
  mutating func refreshHead(_ index: Int) {
    if timeline.isHalted { return refreshHaltedHead(index) }
    let route = routes[index]
    while true {
      let cursor = cursors[index]
      let section = ring[cursor.section]
      var pulseTime = self.pulseTime(cursor, route, section)
      var clickTime = self.clickTime(cursor, section)
      if cursor.section == ring.newest {
        choose(index, route, section, pulseTime, clickTime, before: nil, hasEntry: false)
        return
      }
      let following = ring[cursor.section &+ 1]
      let given = cursor.entriesGiven
      let hasEntry = given < entryCount(following, route)
      if hasEntry, !carries(route, following.entry, given) {
        cursors[index].entriesGiven &+= 1
        continue
      }
      if pulseTime >= pulsesEnd(section, before: following, route) {
        pulseTime = .distantFuture
      }
      if clickTime >= clicksEnd(before: following) { clickTime = .distantFuture }
      let ownTime = pulseTime < clickTime ? pulseTime : clickTime
      let mustEndNotes = cutsNotes(following) && cursor.firstToEnd != nil
      guard hasEntry || mustEndNotes || ownTime < .distantFuture else {
        enter(following, cursor: index, route: route)
        continue
      }
      choose(index, route, section, pulseTime, clickTime, before: following, hasEntry: hasEntry)
      return
    }
  }

  /// The instant from which `section` sends no more pulses, because of how `following` begins.
  @_noLocks
  private func pulsesEnd(_ section: Section, before following: Section, _ route: Route) -> HostTime
  {
    let quiet = following.entry.quietLead
    let silence = .zero < quiet ? following.time - quiet : .distantFuture
    guard following.start.count != section.end.count else { return silence }
    // The count may restart here. A divided route's last pulse of the old count could then come so
    // close that the first pulse of the new count would have to wait.
    let closest = route.closestPulses(at: fastest(section)) - HostTime.Span(nanoseconds: 1)
    let crowd = following.time - closest
    return crowd < silence ? crowd : silence
  }

  /// The instant from which no more clicks are sent, because of how `following` begins.
  @_noLocks
  private func clicksEnd(before following: Section) -> HostTime {
    guard case .restart = following.entry else { return .distantFuture }
    return following.time - following.entry.quietLead
  }

  /// Half the shortest period since the route's last pulse, `section` included.
  @_noLocks
  private func closest(_ cursor: RouteCursor, _ route: Route, _ section: Section) -> HostTime.Span {
    let here = route.closestPulses(at: fastest(section))
    return here < cursor.closest ? here : cursor.closest
  }

  /// Moves the cursor into the next section.
  @_noLocks
  private mutating func enter(_ section: Section, cursor index: Int, route: Route) {
    cursors[index].closest = closest(cursors[index], route, section)
    cursors[index].section &+= 1
    cursors[index].entriesGiven = 0
    cursors[index].pulseBefore = cursors[index].pulse
    cursors[index].clickBefore = cursors[index].click
    cursors[index].pulse = route.firstPulse(notBefore: section.start)
    cursors[index].click = RouteCursor.none
    if section.hasClicks, route.contents.hasClick || route.contents.hasReports {
      let first = section.span.firstClick(notBefore: section.start)
      cursors[index].click = audibleClick(from: first, section.span, route)
    }
  }

  /// Whether route `index` has been sent anything of section `number`, or of its entry.
  func hasTouched(
    _ cursor: RouteCursor, _ route: Route, section number: Int, _ entry: Transport.Entry
  )
    -> Bool
  {
    if cursor.section < number - 1 { return false }
    if cursor.section == number - 1 {
      return (0..<cursor.entriesGiven).contains { carries(route, entry, $0) }
    }
    // A route that gets no entry message counts as in the section once the previous section has
    // nothing left for it.
    return cursor.section > number || (0..<entry.count).contains { carries(route, entry, $0) }
  }

  /// The cursor moved back into the section before `number`, if it is at most one section ahead.
  func wentBack(_ cursor: RouteCursor, from number: Int) -> RouteCursor {
    var cursor = cursor
    if cursor.section == number {
      cursor.pulse = cursor.pulseBefore
      cursor.click = cursor.clickBefore
      cursor.section = number - 1
    }
    if cursor.section == number - 1 { cursor.entriesGiven = 0 }
    return cursor
  }

  /// Whether a pulse or click of `section` was due before `instant` but was left out because of how
  /// `following` begins.
  mutating func misses(
    _ cursor: RouteCursor, _ index: Int, _ section: Section, before following: Section,
    at instant: HostTime
  ) -> Bool {
    let route = routes[index]
    let glide = glides[index]
    func isPast(_ time: HostTime) -> Bool {
      time < .distantFuture && time + glide.offset(at: time, target: route.offset) < instant
    }
    let pulse = pulseTime(cursor, route, section)
    let click = clickTime(cursor, section)
    return (isPast(pulse) && pulse >= pulsesEnd(section, before: following, route))
      || (isPast(click) && click >= clicksEnd(before: following))
  }

  /// The first click from `first` on that matters to this route; `none` if a whole bar has none.
  ///
  /// That is a beat for the observer, an audible click for a device.
  @_noLocks
  private func audibleClick(from first: Int64, _ span: MeterSpan, _ route: Route) -> Int64 {
    let clicks = span.pattern.clicksPerBar
    var click = first
    while click < first &+ clicks {
      let inBar = click &- Division.floor(click, by: clicks) &* clicks
      if route.contents.hasReports {
        if inBar % span.pattern.subdivision == 0 { return click }
      } else if !span.pattern.accent(ofClick: inBar).isSilent {
        return click
      }
      click &+= 1
    }
    return RouteCursor.none
  }

  /// When the route's next pulse in `section` is due, without offset; the distant future if there
  /// is none.
  @_noLocks
  private func pulseTime(_ cursor: RouteCursor, _ route: Route, _ section: Section) -> HostTime {
    guard section.hasPulses, route.contents.hasClock else { return .distantFuture }
    let place = route.place(ofPulse: cursor.pulse)
    return place.isBefore(section.end) ? section.line.time(of: place) : .distantFuture
  }

  /// When the route's next click in `section` is due, without offset; the distant future if there
  /// is none.
  @_noLocks
  private func clickTime(_ cursor: RouteCursor, _ section: Section) -> HostTime {
    guard cursor.click != RouteCursor.none else { return .distantFuture }
    let place = section.span.place(ofClick: cursor.click)
    return place.isBefore(section.end) ? section.line.time(of: place) : .distantFuture
  }

  /// The number of events a route has where `section` begins.
  @_noLocks
  private func entryCount(_ section: Section, _ route: Route) -> Int {
    if route.contents.hasReports {
      return section.entry.count &+ (section.announcesTempo ? 1 : 0)
    }
    return section.entry.count
  }

  /// Whether a route is sent message number `index` of an entry; the observer gets all of them.
  @_noLocks
  private func carries(_ route: Route, _ entry: Transport.Entry, _ index: Int) -> Bool {
    if route.contents.hasReports { return true }
    if case .songPosition = entry.message(index) { return route.contents.hasPosition }
    return route.contents.hasTransport
  }

  /// Whether `section` begins with a Stop, reported or (after a count-in) not, which ends all
  /// notes.
  @_noLocks
  private func cutsNotes(_ section: Section) -> Bool {
    if case .restart = section.entry { return true }
    return section.state.isStopped
  }

  /// Chooses the earliest candidate: entry of the next section, pulse, note-off or click.
  @_noLocks
  private mutating func choose(
    _ index: Int, _ route: Route, _ section: Section, _ pulseTime: HostTime, _ clickTime: HostTime,
    before following: Section?, hasEntry: Bool
  ) {
    var head = RouteCursor.Candidate.nothing
    head.event.route = index
    let cursor = cursors[index]
    let glide = glides[index]
    var cut = HostTime.distantFuture
    if case .none = following, section.end < Tick.endless {
      head.kind = .turn
      head.event.time =
        section.endTime - Self.appendAhead
        + glide.offset(at: section.endTime, target: route.offset)
    }
    if let following {
      let given = cursor.entriesGiven
      let offset = glide.offset(at: following.time, target: route.offset)
      if cutsNotes(following) {
        cut = following.time - following.entry.lead(0) + offset
      }
      if hasEntry {
        // The tempo is reported after the messages.
        let isTempo = given == following.entry.count
        let lead = isTempo ? HostTime.Span.zero : following.entry.lead(given)
        let message = following.entry.message(given)
        head.kind = .entry
        head.event.time = following.time - lead + offset
        head.event.action =
          route.contents.hasReports
          ? .report(isTempo ? .tempo(following.askedTempo) : report(message, following))
          : .send(message)
      }
    }
    let pulseLeaves = pulseTime + glide.offset(at: pulseTime, target: route.offset)
    if pulseTime < .distantFuture, pulseLeaves < head.event.time {
      head.kind = .pulse
      head.place = pulseTime
      head.event.time = pulseLeaves
      head.event.action =
        route.contents.hasReports
        ? .report(.pulse(isRolling: section.state.isRolling)) : .send(.clock)
      head.event.closest = closest(cursor, route, section)
    }
    let clickLeaves = clickTime + glide.offset(at: clickTime, target: route.offset)
    if clickTime < .distantFuture, clickLeaves < head.event.time {
      head.kind = .click
      head.place = clickTime
      head.event.time = clickLeaves
      let isMuted = muted & (1 << UInt16(truncatingIfNeeded: index)) != 0
      head.event.action = isMuted ? .rest : click(cursor.click, route, section)
      head.event.closest = .zero
    }
    guard let slot = cursor.firstToEnd else {
      cursors[index].head = head
      return
    }
    let off = cursor.notes[slot].off < cut ? cursor.notes[slot].off : cut
    // At the same instant a note ends after a pulse, but before the next click and before a Stop.
    if off < head.event.time || (head.event.time == off && !head.isPulse) {
      setNoteOff(&head, slot, cursor, route, at: off)
    } else if case .click = head.kind, case .send(.noteOn(_, let key, _)) = head.event.action {
      // The next click on the same key cuts the last one short.
      let same = route.voice.slot(ofKey: key)
      if cursor.notes[same].isSounding {
        setNoteOff(&head, same, cursor, route, at: head.event.time)
      }
    }
    cursors[index].head = head
  }

  /// The report for an entry message.
  @_noLocks
  private func report(_ message: MIDIMessage, _ section: Section) -> PlanReport {
    switch message {
    case .start: .start
    case .continue: .continue
    case .songPosition(let pointer):
      .position(pointer, section.span.position(of: pointer.tick))
    default: .stop
    }
  }

  @_noLocks
  private func click(_ index: Int64, _ route: Route, _ section: Section) -> PlannedEvent.Content {
    let clicks = section.span.pattern.clicksPerBar
    let inBar = index &- Division.floor(index, by: clicks) &* clicks
    let accent = section.span.pattern.accent(ofClick: inBar)
    if route.contents.hasReports {
      let place = section.span.place(ofClick: index)
      let tick = Tick(Division.floor(place.numerator, by: place.denominator))
      return .report(
        .beat(
          PlanReport.Beat(
            position: section.span.position(of: tick), accent: accent,
            pulse: Division.floor(tick.count, by: Resolution.ticksPerPulse),
            tempo: section.tempo(at: tick), isCountIn: section.state.isArmed,
            part: section.part)))
    }
    let note = route.voice.note(accent)
    return .send(.noteOn(channel: route.voice.channel, key: note.key, velocity: note.velocity))
  }

  @_noLocks
  private func setNoteOff(
    _ head: inout RouteCursor.Candidate, _ slot: Int, _ cursor: RouteCursor, _ route: Route,
    at time: HostTime
  ) {
    head.kind = .noteOff
    head.event.time = time
    head.event.closest = .zero
    head.event.action = .send(
      .noteOff(channel: route.voice.channel, key: cursor.notes[slot].key, velocity: 64))
  }

  /// The fastest pace in a section, which limits how close pulses may come.
  @_noLocks
  private func fastest(_ section: Section) -> Pace {
    guard let ramp = section.line.ramp else { return section.line.pace }
    return ramp.target.isFaster(than: section.line.pace) ? ramp.target : section.line.pace
  }

  /// After a halt: ends notes, then stops a started device, then nothing.
  @_noLocks
  private mutating func refreshHaltedHead(_ index: Int) {
    let route = routes[index]
    let cursor = cursors[index]
    var head = RouteCursor.Candidate.nothing
    head.event.route = index
    if let slot = cursor.firstToEnd {
      setNoteOff(&head, slot, cursor, route, at: timeline.haltTime)
    } else if cursor.isRolling {
      head.kind = .entry
      head.event.time = timeline.haltTime
      head.event.action = route.contents.hasReports ? .report(.stop) : .send(.stop)
    }
    cursors[index].head = head
  }

  /// Commits the route's next event: updates the route's state for it.
  @_noLocks
  mutating func give(_ index: Int) {
    let head = cursors[index].head
    if head.isOnLine, timeline.latestGiven < head.place { timeline.latestGiven = head.place }
    switch head.kind {
    case .nothing, .turn: return
    case .pulse:
      cursors[index].pulse &+= 1
      cursors[index].closest = routes[index].closestPulses(
        at: fastest(ring[cursors[index].section]))
    case .entry:
      switch head.event.action {
      case .send(.start), .send(.continue), .report(.start), .report(.continue):
        cursors[index].isRolling = true
      case .send(.stop), .report(.stop): cursors[index].isRolling = false
      default: break
      }
      if !timeline.isHalted { cursors[index].entriesGiven &+= 1 }
    case .noteOff:
      guard case .send(.noteOff(_, let key, _)) = head.event.action else { return }
      cursors[index].notes[routes[index].voice.slot(ofKey: key)].isSounding = false
    case .click:
      let route = routes[index]
      let section = ring[cursors[index].section]
      if case .send(.noteOn(_, let key, _)) = head.event.action {
        let slot = route.voice.slot(ofKey: key)
        cursors[index].notes[slot].isSounding = true
        cursors[index].notes[slot].key = key
        cursors[index].notes[slot].off = noteEnd(key, struckAt: head.event.time, index, section)
      }
      cursors[index].click = audibleClick(
        from: cursors[index].click &+ 1, section.span, route)
    }
  }

  /// When a note just struck ends: after the gate, or 1 ms before its key is struck again.
  @_noLocks
  private mutating func noteEnd(
    _ key: UInt8, struckAt time: HostTime, _ index: Int, _ section: Section
  )
    -> HostTime
  {
    let route = routes[index]
    let glide = glides[index]
    let pattern = section.span.pattern
    let clicks = pattern.clicksPerBar
    let end = time + route.voice.gate
    var click = cursors[index].click &+ 1
    while true {
      let due = section.line.time(of: section.span.place(ofClick: click))
      let again = due + glide.offset(at: due, target: route.offset)
      guard again < end else { return end }
      let accent = pattern.accent(
        ofClick: click &- Division.floor(click, by: clicks) &* clicks)
      if !accent.isSilent, route.voice.note(accent).key == key {
        let early = again - .milliseconds(1)
        let half = time + HostTime.Span(nanoseconds: (again - time).nanoseconds / 2)
        return half < early ? early : half
      }
      click &+= 1
    }
  }
}
