/// The clock passed on: what the follower hears, sent again on its own steadier grid.
///
/// Pulses leave where the follower's line puts them, not where they arrived: the jitter stays
/// behind. While the clock is locked they leave by prediction, so nothing is added to their time;
/// until it is, each leaves when it comes. Start, Continue, Stop and Song Position pass at once,
/// later by a route's positive offset. Clicks are laid on the same line.
///
/// **The counts stay equal.** Each route counts its own pulses of the song. A pulse that was sent by
/// prediction before its leader stopped is not sent again when it continues; one that the leader
/// had sent and we had not goes before its Stop; one that was sent before a Start came is sent again
/// after it. So a device that counts is always where the leader is.
///
/// Time is a parameter. Fixed size; `step` is real-time safe.
public struct Regenerator: ~Copyable, Sendable {
  /// What is to be done at `now`.
  public enum Step: Hashable, Sendable {
    /// Send it on the route.
    case send(MIDIMessage, route: Int)
    /// Nothing before the instant, unless a message comes in.
    case wait(until: HostTime)
  }

  /// The most routes there can be.
  public static let maximumRoutes = 16

  /// Pulses leave this long after their place on the line, so that the Stop of an even leader, which
  /// comes where its next pulse would, is heard first; little beside the 200 µs a click may be off.
  static var hold: HostTime.Span { @_noLocks get { .microseconds(30) } }

  private var routes: [16 of Route]
  private let routeCount: Int
  private var cursors: [16 of Cursor] = .init(repeating: Cursor())
  private var spacing = PulseSpacing()
  private let policy: ClockPolicy
  private var meters: MeterMap
  /// When what `step` gave last was due: what leaves ahead of its time is heard at a time of its own.
  ///
  /// What had no place of its own, because the clock was not locked, was due when it was given.
  public private(set) var due = HostTime.zero

  /// One route's place in what is passed on.
  private struct Cursor {
    /// The number, among all pulses heard, of the song's pulse 0 (below 1 after a Continue).
    var base: Int64 = 1
    /// The next pulse in the route's own count.
    var pulse: Int64 = 0
    /// The next click, counted in the stretch of one meter that it is in.
    var click: Int64 = 0
    var stretch = 0
    var isRolling = false
    /// How many pulses had been heard when the clock paused: more are waited for, not foreseen.
    var paused: Int64 = -1
    /// While stopped: the pulse and the click of the song that a Continue goes on with.
    var resumePulse: Int64 = 0
    var resumeClick: Int64 = 0
    var resumeStretch = 0
    /// Transport on its way, oldest first.
    var waiting: [8 of Waiting] = .init(repeating: Waiting())
    var waitingCount = 0
    var notes: [3 of RouteCursor.SoundingNote] = .init(repeating: .init())
  }

  /// A transport message and when it leaves.
  private struct Waiting {
    var due = HostTime.zero
    var message = MIDIMessage.stop
    /// How many pulses had been heard when it came; these go before it.
    var heard: Int64 = 0
    /// As many again when the leader's clock had paused by then, as leaders do that send no pulses
    /// while stopped; else -1.
    var paused: Int64 = -1
    /// For Start and Continue: the number, among all pulses heard, of the song's pulse 0; for Song
    /// Position the pulse it points at.
    var base: Int64 = 1
  }

  /// Passes on to `routes`, of which further than `maximumRoutes` are left out.
  ///
  /// - Parameters:
  ///   - given: Where to and what.
  ///   - policy: Whether pulses are passed on while stopped too.
  ///   - meters: What clicks.
  public init(routes given: [Route], policy: ClockPolicy, meters: MeterMap) {
    routeCount = min(given.count, Self.maximumRoutes)
    routes = .init(repeating: Route())
    for index in 0..<routeCount { routes[index] = given[index] }
    self.policy = policy
    self.meters = meters
  }

  // MARK: - What comes in

  /// Takes in what the follower said; in its order, before the next `step`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func receive(_ report: FollowerReport, _ follower: inout ClockFollower) {
    switch report {
    case .start(let stamp): pass(.start, at: stamp, base: follower.heard &+ 1, &follower)
    case .continue(let stamp, let pulse):
      pass(.continue, at: stamp, base: follower.heard &+ 1 &- pulse, &follower)
    case .stop(let stamp, _): pass(.stop, at: stamp, base: 0, &follower)
    case .position(let stamp, let position):
      pass(.songPosition(position), at: stamp, base: position.pulse, &follower)
    case .repaired(_, let pulses):
      var index = 0
      while index < routeCount {
        cursors[index].base &-= pulses
        index &+= 1
      }
    case .found, .withoutStart, .beat, .tempo, .lost, .suspected, .ignored: break
    }
  }

  /// Puts `message` on its way on every route.
  @_noLocks
  private mutating func pass(
    _ message: MIDIMessage, at stamp: HostTime, base: Int64, _ follower: inout ClockFollower
  ) {
    var index = 0
    while index < routeCount {
      let offset = routes[index].offset
      makeRoom(index, message)
      let count = cursors[index].waitingCount
      cursors[index].waiting[count] = Waiting()
      cursors[index].waiting[count].due = offset < .zero ? stamp : stamp + offset
      cursors[index].waiting[count].message = message
      cursors[index].waiting[count].heard = follower.heard
      cursors[index].waiting[count].base = base
      if case .freewheeling = follower.state {
        cursors[index].waiting[count].paused = follower.heard
      }
      cursors[index].waitingCount = count &+ 1
      index &+= 1
    }
  }

  /// Sees to it that `message` can wait behind the others of a route.
  ///
  /// Of a pointer that is dragged only the last place counts. More than eight others within half a
  /// second is no music; then the oldest goes, so that the end is that of the leader.
  @_noLocks
  private mutating func makeRoom(_ index: Int, _ message: MIDIMessage) {
    let count = cursors[index].waitingCount
    guard count > 0 else { return }
    if case .songPosition = message, case .songPosition = cursors[index].waiting[count &- 1].message
    {
      cursors[index].waitingCount = count &- 1
    } else if count == 8 {
      dropFirstWaiting(index)
    }
  }

  @_noLocks
  private mutating func dropFirstWaiting(_ index: Int) {
    var place = 1
    while place < cursors[index].waitingCount {
      cursors[index].waiting[place &- 1] = cursors[index].waiting[place]
      place &+= 1
    }
    cursors[index].waitingCount &-= 1
  }

  // MARK: - What goes out

  /// What is to be done at `now`; ask again after having done it.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func step(now: HostTime, _ follower: inout ClockFollower) -> Step {
    var wake = HostTime.distantFuture
    var index = 0
    while index < routeCount {
      let next = self.next(index, &follower)
      if !(now < next.time) {
        due = .zero < next.time ? next.time : now
        if let message = give(index, next, now, &follower) {
          return .send(message, route: index)
        }
        continue
      }
      if next.time < wake { wake = next.time }
      index &+= 1
    }
    return .wait(until: wake)
  }

  /// A route's next event.
  private struct Next {
    var time = HostTime.distantFuture
    var kind = Kind.nothing

    enum Kind { case nothing, transport, pulse, noteOff(Int), click }

    @_noLocks
    init() {}
  }

  @_noLocks
  private mutating func next(_ index: Int, _ follower: inout ClockFollower) -> Next {
    let route = routes[index]
    let cursor = cursors[index]
    var next = Next()
    var mustPass = false
    var pulsePlace = ExactTick(0, over: 1)
    var pulseTime = HostTime.zero
    var hasPulse = false
    if route.contents.hasClock, cursor.isRolling || policy.isAlways, !policy.isOff {
      let place = route.place(ofPulse: cursor.pulse)
      let event = PlannedEvent(
        time: time(of: place, cursor, route, &follower), route: index,
        action: .send(.clock), closest: closest(route, &follower))
      next.time = spacing.release(event)
      next.kind = .pulse
      pulsePlace = place
      pulseTime = next.time
      hasPulse = true
      // What the leader had sent before a Stop goes before it here too.
      mustPass =
        cursor.isRolling && cursor.waitingCount > 0
        && number(notBefore: place, cursor.base) <= cursor.waiting[0].heard
    }
    if cursor.waitingCount > 0, !mustPass, !(next.time < cursor.waiting[0].due) {
      next.time = cursor.waiting[0].due
      next.kind = .transport
    }
    if cursor.isRolling, route.contents.hasClick {
      let place = meters[cursor.stretch].place(ofClick: cursor.click)
      var time = self.time(of: place, cursor, route, &follower)
      // Never before the pulse it belongs to, which may have been held back.
      if hasPulse, time < pulseTime, !place.isBefore(pulsePlace) { time = pulseTime }
      if time < next.time {
        next.time = time
        next.kind = .click
      }
    }
    var slot = 0
    while slot < 3 {
      if cursor.notes[slot].isSounding, !(next.time < cursor.notes[slot].off) {
        next.time = cursor.notes[slot].off
        next.kind = .noteOff(slot)
      }
      slot &+= 1
    }
    return next
  }

  /// The number, among all pulses heard, of the first one not before `place`.
  @_noLocks
  private func number(notBefore place: ExactTick, _ base: Int64) -> Int64 {
    base
      &+ Division.ceiling(place.numerator, by: Resolution.ticksPerPulse &* place.denominator)
  }

  /// The closest two pulses of `route` may come: half their period.
  @_noLocks
  private func closest(_ route: Route, _ follower: inout ClockFollower) -> HostTime.Span {
    HostTime.Span(
      nanoseconds: follower.periodNanoseconds &* route.divide / (2 &* route.multiply))
  }

  /// When `place` of the song leaves on `route`; far away when that cannot be told yet.
  @_noLocks
  private func time(
    of place: ExactTick, _ cursor: Cursor, _ route: Route, _ follower: inout ClockFollower
  ) -> HostTime {
    let pulses = Resolution.ticksPerPulse &* place.denominator
    let whole = Division.floor(place.numerator, by: pulses)
    let number = cursor.base &+ whole
    let ahead = number &- follower.heard
    if ahead > 0, cursor.isRolling, follower.heard <= cursor.paused { return .distantFuture }
    guard follower.predicts else {
      // Not locked: what has come leaves at once, or as much later as the route's offset says;
      // nothing leaves before it has come.
      guard ahead <= 0 else { return .distantFuture }
      guard .zero < route.offset, let came = follower.time(ahead: ahead) else { return .zero }
      return came + route.offset
    }
    guard let before = follower.time(ahead: ahead) else { return .distantFuture }
    var time = before + route.offset + Self.hold
    let rest = place.numerator &- whole &* pulses
    if rest > 0, let after = follower.time(ahead: ahead &+ 1) {
      let gap = Int128((after - before).nanoseconds)
      time =
        time + HostTime.Span(nanoseconds: Division.rounded(gap * Int128(rest), by: Int128(pulses)))
    }
    return time
  }

  /// Gives the event and goes on; `nil` when the route carries nothing of it.
  @_noLocks
  private mutating func give(
    _ index: Int, _ next: Next, _ now: HostTime, _ follower: inout ClockFollower
  ) -> MIDIMessage? {
    let route = routes[index]
    switch next.kind {
    case .nothing: return nil
    case .noteOff(let slot):
      cursors[index].notes[slot].isSounding = false
      return .noteOff(
        channel: route.voice.channel, key: cursors[index].notes[slot].key, velocity: 64)
    case .pulse:
      cursors[index].pulse &+= 1
      spacing.left(
        PlannedEvent(time: next.time, route: index, action: .send(.clock), closest: .zero), at: now)
      return .clock
    case .click: return click(index, now)
    case .transport: return transport(index, now)
    }
  }

  /// Goes on to a route's next click, in the next meter where it begins.
  @_noLocks
  private mutating func goOn(_ index: Int) {
    let stretch = cursors[index].stretch
    cursors[index].click &+= 1
    guard meters.isPast(meters[stretch].place(ofClick: cursors[index].click), stretch: stretch)
    else { return }
    cursors[index].stretch = stretch &+ 1
    cursors[index].click = 0
  }

  /// The first click not before `tick`, and the stretch it is counted in.
  @_noLocks
  private mutating func firstClick(notBefore tick: Tick) -> (stretch: Int, click: Int64) {
    let stretch = meters.index(at: tick)
    let click = meters[stretch].firstClick(notBefore: tick)
    guard !meters.isPast(meters[stretch].place(ofClick: click), stretch: stretch) else {
      return (stretch &+ 1, 0)
    }
    return (stretch, click)
  }

  @_noLocks
  private mutating func click(_ index: Int, _ now: HostTime) -> MIDIMessage? {
    let route = routes[index]
    let pattern = meters[cursors[index].stretch].pattern
    let clicks = pattern.clicksPerBar
    let number = cursors[index].click
    let accent = pattern.accent(
      ofClick: number &- Division.floor(number, by: clicks) &* clicks)
    if accent.isSilent {
      goOn(index)
      return nil
    }
    let note = route.voice.note(accent)
    let slot = route.voice.slot(ofKey: note.key)
    if cursors[index].notes[slot].isSounding {
      // The last one of this key ends first.
      cursors[index].notes[slot].isSounding = false
      return .noteOff(channel: route.voice.channel, key: note.key, velocity: 64)
    }
    goOn(index)
    cursors[index].notes[slot].isSounding = true
    cursors[index].notes[slot].key = note.key
    cursors[index].notes[slot].off = now + route.voice.gate
    return .noteOn(channel: route.voice.channel, key: note.key, velocity: note.velocity)
  }

  @_noLocks
  private mutating func transport(_ index: Int, _ now: HostTime) -> MIDIMessage? {
    let route = routes[index]
    let waited = cursors[index].waiting[0]
    if case .stop = waited.message, let end = noteOff(index) { return end }
    dropFirstWaiting(index)
    switch waited.message {
    case .start:
      cursors[index].base = waited.base
      cursors[index].pulse = 0
      let first = firstClick(notBefore: .zero)
      cursors[index].stretch = first.stretch
      cursors[index].click = first.click
      cursors[index].isRolling = true
      cursors[index].paused = waited.paused
    case .continue:
      cursors[index].base = waited.base
      cursors[index].pulse = cursors[index].resumePulse
      cursors[index].click = cursors[index].resumeClick
      cursors[index].stretch = cursors[index].resumeStretch
      cursors[index].isRolling = true
      cursors[index].paused = waited.paused
    case .stop:
      // From here on pulses are counted on without moving the song.
      cursors[index].resumePulse = cursors[index].pulse
      cursors[index].resumeClick = cursors[index].click
      cursors[index].resumeStretch = cursors[index].stretch
      cursors[index].isRolling = false
    case .songPosition:
      let tick = Tick(pulse: waited.base)
      cursors[index].resumePulse = route.firstPulse(notBefore: tick)
      let first = firstClick(notBefore: tick)
      cursors[index].resumeStretch = first.stretch
      cursors[index].resumeClick = first.click
    case .clock, .noteOn, .noteOff, .control: break
    }
    spacing.left(
      PlannedEvent(time: now, route: index, action: .send(waited.message), closest: .zero), at: now)
    if case .songPosition = waited.message {
      return route.contents.hasPosition ? waited.message : nil
    }
    return route.contents.hasTransport ? waited.message : nil
  }

  /// Ends what sounds: one note at a time until `nil`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func nextNoteOff() -> Step? {
    var index = 0
    while index < routeCount {
      if let message = noteOff(index) { return .send(message, route: index) }
      index &+= 1
    }
    return nil
  }

  /// Ends what sounds and stops what rolls: one message at a time until `nil`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func nextOfEnding() -> Step? {
    if let step = nextNoteOff() { return step }
    var index = 0
    while index < routeCount {
      if cursors[index].isRolling {
        cursors[index].isRolling = false
        if routes[index].contents.hasTransport { return .send(.stop, route: index) }
      }
      index &+= 1
    }
    return nil
  }

  /// The end of a note that sounds on a route; `nil` when all is quiet there.
  @_noLocks
  private mutating func noteOff(_ index: Int) -> MIDIMessage? {
    var slot = 0
    while slot < 3 {
      if cursors[index].notes[slot].isSounding {
        cursors[index].notes[slot].isSounding = false
        return .noteOff(
          channel: routes[index].voice.channel, key: cursors[index].notes[slot].key, velocity: 64)
      }
      slot &+= 1
    }
    return nil
  }
}
