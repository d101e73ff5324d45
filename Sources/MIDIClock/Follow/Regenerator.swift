/// Regenerates the clock: what the follower receives is sent on, on a steadier grid.
///
/// Pulses leave where the follower's line puts them, not where they arrived, which removes the
/// jitter. While the clock is locked, they leave by prediction and are not delayed. Until then,
/// each leaves when it arrives. Start, Continue, Stop and Song Position are forwarded immediately,
/// or later by a route's positive offset. Clicks follow the same line.
///
/// **The counts stay equal.** Each route counts its own pulses of the song. A pulse sent by
/// prediction before the leader stopped is not sent again when it continues. A pulse that the
/// leader had sent before its Stop, and the route had not, goes before the Stop here too. One that
/// was sent before a Start arrived is sent again after it. A device that counts pulses is therefore
/// always at the leader's position. After a Stop, pulses wait for those of the leader until one has
/// shown that it sends them while stopped.
///
/// Time is a parameter. Fixed size; `step` is real-time safe.
public struct Regenerator: ~Copyable, Sendable {
  /// What to do next.
  public enum Step: Hashable, Sendable {
    /// Send the message on the route.
    case send(MIDIMessage, route: Int)
    /// Do nothing before the instant, unless a message arrives.
    case wait(until: HostTime)
  }

  /// The maximum number of routes.
  public static let maximumRoutes = 16

  /// Pulses leave this long after their grid time.
  ///
  /// An even leader's Stop arrives when its next pulse would, and must be received first. Small
  /// compared with the 200 µs allowed for a click.
  static var hold: HostTime.Span { @_noLocks get { .microseconds(30) } }

  private var routes: [16 of Route]
  private let routeCount: Int
  private var cursors: [16 of Cursor] = .init(repeating: Cursor())
  private var spacing = PulseSpacing()
  private let policy: ClockPolicy
  private var meters: MeterMap
  /// The due time of the message last returned by `step`; sound is handed over early and needs it.
  ///
  /// A message without a grid time, because the clock was not locked, was due when it was returned.
  public private(set) var due = HostTime.zero

  /// The state of one route.
  private struct Cursor {
    /// The number, among all pulses received, of the song's pulse 0 (below 1 after a Continue).
    var base: Int64 = 1
    /// The number of the route's next pulse.
    var pulse: Int64 = 0
    /// The next click, counted within its stretch of one meter.
    var click: Int64 = 0
    var stretch = 0
    var isRolling = false
    /// The number of pulses received when the clock paused, if it has: the next one is not
    /// predicted.
    var heardAtPause: Int64?
    /// While stopped: the pulse and the click at which a Continue resumes.
    var resumePulse: Int64 = 0
    var resumeClick: Int64 = 0
    var resumeStretch = 0
    /// Pending transport messages, oldest first.
    var waiting: [8 of Waiting] = .init(repeating: Waiting())
    var waitingCount = 0
    var notes: [3 of RouteCursor.SoundingNote] = .init(repeating: .init())
  }

  /// A transport message and its due time.
  private struct Waiting {
    var due = HostTime.zero
    var message = MIDIMessage.stop
    /// The number of pulses received before it; these are sent before it.
    var heard: Int64 = 0
    /// The same number if the leader's clock had paused by then, as with leaders that send no
    /// pulses while stopped; `nil` otherwise.
    var heardAtPause: Int64?
    /// For Start and Continue, the number, among all pulses received, of the song's pulse 0; for
    /// Song Position, the pulse it points at.
    var base: Int64 = 1
  }

  /// Creates a regenerator for the first `maximumRoutes` of the routes.
  ///
  /// - Parameters:
  ///   - given: The routes to send on.
  ///   - policy: Whether to send pulses while stopped too.
  ///   - meters: The meters and accents of the clicks.
  public init(routes given: [Route], policy: ClockPolicy, meters: MeterMap) {
    routeCount = min(given.count, Self.maximumRoutes)
    routes = .init(repeating: Route())
    for index in 0..<routeCount { routes[index] = given[index] }
    self.policy = policy
    self.meters = meters
  }

  // MARK: - Input

  /// Processes a report of the follower.
  ///
  /// Pass all reports in order, before the next `step`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func receive(_ report: FollowerReport, _ follower: inout ClockFollower) {
    switch report {
    case .start(let stamp): enqueue(.start, at: stamp, base: follower.heard &+ 1, &follower)
    case .continue(let stamp, let pulse):
      enqueue(.continue, at: stamp, base: follower.heard &+ 1 &- pulse, &follower)
    case .stop(let stamp, _): enqueue(.stop, at: stamp, base: 0, &follower)
    case .position(let stamp, let position):
      enqueue(.songPosition(position), at: stamp, base: position.pulse, &follower)
    case .repaired(_, let pulses):
      var index = 0
      while index < routeCount {
        cursors[index].base &-= pulses
        index &+= 1
      }
    case .found, .withoutStart, .beat, .tempo, .lost, .suspected, .ignored: break
    }
  }

  /// Queues `message` on every route.
  @_noLocks
  private mutating func enqueue(
    _ message: MIDIMessage, at stamp: HostTime, base: Int64, _ follower: inout ClockFollower
  ) {
    var index = 0
    while index < routeCount {
      let offset = routes[index].offset
      makeSpace(index, message)
      let count = cursors[index].waitingCount
      cursors[index].waiting[count] = Waiting()
      cursors[index].waiting[count].due = offset < .zero ? stamp : stamp + offset
      cursors[index].waiting[count].message = message
      cursors[index].waiting[count].heard = follower.heard
      cursors[index].waiting[count].base = base
      if case .freewheeling = follower.state {
        cursors[index].waiting[count].heardAtPause = follower.heard
      }
      cursors[index].waitingCount = count &+ 1
      index &+= 1
    }
  }

  /// Ensures that `message` fits into the queue of a route.
  ///
  /// While a pointer is dragged, only the last position counts. More than eight other messages
  /// within half a second cannot be music; the oldest is then dropped, so that the final state is
  /// the leader's.
  @_noLocks
  private mutating func makeSpace(_ index: Int, _ message: MIDIMessage) {
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
    var slot = 1
    while slot < cursors[index].waitingCount {
      cursors[index].waiting[slot &- 1] = cursors[index].waiting[slot]
      slot &+= 1
    }
    cursors[index].waitingCount &-= 1
  }

  // MARK: - Output

  /// What to do at `now`.
  ///
  /// Call again after doing it.
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
        if let message = commit(index, next, now, &follower) {
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
    var pulseTick = ExactTick(0, over: 1)
    var pulseTime = HostTime.zero
    var hasPulse = false
    if route.contents.hasClock, cursor.isRolling || policy.isAlways, !policy.isOff {
      let tick = route.place(ofPulse: cursor.pulse)
      let event = PlannedEvent(
        time: time(of: tick, cursor, route, &follower), route: index,
        action: .send(.clock), closest: closest(route, &follower))
      next.time = spacing.release(event)
      next.kind = .pulse
      pulseTick = tick
      pulseTime = next.time
      hasPulse = true
      // Pulses that the leader sent before a Stop go before it here too.
      mustPass =
        cursor.isRolling && cursor.waitingCount > 0
        && number(notBefore: tick, cursor.base) <= cursor.waiting[0].heard
    }
    if cursor.waitingCount > 0, !mustPass, !(next.time < cursor.waiting[0].due) {
      next.time = cursor.waiting[0].due
      next.kind = .transport
    }
    if cursor.isRolling, route.contents.hasClick {
      let tick = meters[cursor.stretch].place(ofClick: cursor.click)
      var time = self.time(of: tick, cursor, route, &follower)
      // Never before its own pulse, which may have been delayed.
      if hasPulse, time < pulseTime, !tick.isBefore(pulseTick) { time = pulseTime }
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

  /// The number, among all pulses received, of the first one not before `tick`.
  @_noLocks
  private func number(notBefore tick: ExactTick, _ base: Int64) -> Int64 {
    base
      &+ Division.ceiling(tick.numerator, by: Resolution.ticksPerPulse &* tick.denominator)
  }

  /// The minimum distance between two pulses of `route`: half their period.
  @_noLocks
  private func closest(_ route: Route, _ follower: inout ClockFollower) -> HostTime.Span {
    HostTime.Span(
      nanoseconds: follower.periodNanoseconds &* route.divide / (2 &* route.multiply))
  }

  /// When `tick` of the song is due on `route`; the distant future while that is unknown.
  @_noLocks
  private func time(
    of tick: ExactTick, _ cursor: Cursor, _ route: Route, _ follower: inout ClockFollower
  ) -> HostTime {
    let pulses = Resolution.ticksPerPulse &* tick.denominator
    let whole = Division.floor(tick.numerator, by: pulses)
    let number = cursor.base &+ whole
    let ahead = number &- follower.heard
    if ahead > 0, follower.awaitsPulse { return .distantFuture }
    if ahead > 0, cursor.isRolling, let heardAtPause = cursor.heardAtPause,
      follower.heard <= heardAtPause
    {
      return .distantFuture
    }
    guard follower.predicts else {
      // Not locked: pulses that have arrived leave immediately, or later by the route's offset.
      // Nothing leaves before it arrives.
      guard ahead <= 0 else { return .distantFuture }
      guard .zero < route.offset, let came = follower.time(ahead: ahead) else { return .zero }
      return came + route.offset
    }
    guard let before = follower.time(ahead: ahead) else { return .distantFuture }
    var time = before + route.offset + Self.hold
    let rest = tick.numerator &- whole &* pulses
    if rest > 0, let after = follower.time(ahead: ahead &+ 1) {
      let gap = Int128((after - before).nanoseconds)
      time =
        time + HostTime.Span(nanoseconds: Division.rounded(gap * Int128(rest), by: Int128(pulses)))
    }
    return time
  }

  /// Advances past the event and returns its message; `nil` if the route does not carry it.
  @_noLocks
  private mutating func commit(
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

  /// Advances to the next click of a route, entering the next meter where it begins.
  @_noLocks
  private mutating func advanceClick(_ index: Int) {
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
      advanceClick(index)
      return nil
    }
    let note = route.voice.note(accent)
    let slot = route.voice.slot(ofKey: note.key)
    if cursors[index].notes[slot].isSounding {
      // End the previous note of this key first.
      cursors[index].notes[slot].isSounding = false
      return .noteOff(channel: route.voice.channel, key: note.key, velocity: 64)
    }
    advanceClick(index)
    cursors[index].notes[slot].isSounding = true
    cursors[index].notes[slot].key = note.key
    cursors[index].notes[slot].off = now + route.voice.gate
    return .noteOn(channel: route.voice.channel, key: note.key, velocity: note.velocity)
  }

  @_noLocks
  private mutating func transport(_ index: Int, _ now: HostTime) -> MIDIMessage? {
    let route = routes[index]
    let entry = cursors[index].waiting[0]
    if case .stop = entry.message, let end = noteOff(index) { return end }
    dropFirstWaiting(index)
    switch entry.message {
    case .start:
      cursors[index].base = entry.base
      cursors[index].pulse = 0
      let first = firstClick(notBefore: .zero)
      cursors[index].stretch = first.stretch
      cursors[index].click = first.click
      cursors[index].isRolling = true
      cursors[index].heardAtPause = entry.heardAtPause
    case .continue:
      cursors[index].base = entry.base
      cursors[index].pulse = cursors[index].resumePulse
      cursors[index].click = cursors[index].resumeClick
      cursors[index].stretch = cursors[index].resumeStretch
      cursors[index].isRolling = true
      cursors[index].heardAtPause = entry.heardAtPause
    case .stop:
      // From here on pulses are still counted, but the song does not advance.
      cursors[index].resumePulse = cursors[index].pulse
      cursors[index].resumeClick = cursors[index].click
      cursors[index].resumeStretch = cursors[index].stretch
      cursors[index].isRolling = false
    case .songPosition:
      let tick = Tick(pulse: entry.base)
      cursors[index].resumePulse = route.firstPulse(notBefore: tick)
      let first = firstClick(notBefore: tick)
      cursors[index].resumeStretch = first.stretch
      cursors[index].resumeClick = first.click
    case .clock, .noteOn, .noteOff, .control: break
    }
    spacing.left(
      PlannedEvent(time: now, route: index, action: .send(entry.message), closest: .zero), at: now)
    if case .songPosition = entry.message {
      return route.contents.hasPosition ? entry.message : nil
    }
    return route.contents.hasTransport ? entry.message : nil
  }

  /// Ends a sounding note; call until it returns `nil`.
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

  /// Ends a sounding note or stops a rolling route; call until it returns `nil`.
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

  /// Ends a sounding note of a route; `nil` if none sounds.
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
