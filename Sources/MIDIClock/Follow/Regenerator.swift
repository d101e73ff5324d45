/// The clock passed on: what the follower hears, sent again on its own steadier grid.
///
/// Pulses leave where the follower's line puts them, not where they arrived: the jitter stays
/// behind. While the clock is locked they leave by prediction, so nothing is added to their time;
/// until it is, each leaves when it comes. Start, Continue, Stop and Song Position pass at once,
/// later by a route's positive offset. Clicks are laid on the same line.
///
/// **The counts stay equal.** A pulse that was sent by prediction before its leader stopped is not
/// sent again when it continues; one that was sent before a Start came is sent again after it. So
/// a device that counts is always where the leader is.
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
  /// comes where its next pulse would, is heard first; half of what a click may be off.
  static var hold: HostTime.Span { @_noLocks get { .microseconds(100) } }

  private var routes: [16 of Route]
  private let routeCount: Int
  private var cursors: [16 of Cursor] = .init(repeating: Cursor())
  private var spacing = PulseSpacing()
  private let policy: ClockPolicy
  private let span: MeterSpan

  /// One route's place in what is passed on.
  private struct Cursor {
    /// The number, among all pulses heard, of the song's pulse 0 (below 1 after a Continue).
    var base: Int64 = 1
    /// The next pulse in the route's own count.
    var pulse: Int64 = 0
    /// The next click.
    var click: Int64 = 0
    var isRolling = false
    /// Pulses sent by prediction that the leader had not sent when it stopped.
    var ahead: Int64 = 0
    /// Transport on its way, oldest first.
    var waiting: [8 of Waiting] = .init(repeating: Waiting())
    var waitingCount = 0
    var notes: [3 of RouteCursor.SoundingNote] = .init(repeating: .init())
  }

  /// A transport message and when it leaves.
  private struct Waiting {
    var due = HostTime.zero
    var message = MIDIMessage.stop
    /// For Start and Continue: the base from then on, and the first pulse.
    var base: Int64 = 1
    var pulse: Int64 = 0
  }

  /// Passes on to `routes`, of which further than `maximumRoutes` are left out.
  ///
  /// - Parameters:
  ///   - routes: Where to and what.
  ///   - policy: Whether pulses are passed on while stopped too.
  ///   - span: What clicks.
  public init(routes given: [Route], policy: ClockPolicy, span: MeterSpan) {
    routeCount = min(given.count, Self.maximumRoutes)
    routes = .init(repeating: Route())
    for index in 0..<routeCount { routes[index] = given[index] }
    self.policy = policy
    self.span = span
  }

  // MARK: - What comes in

  /// Takes in what the follower said; in its order, before the next `step`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func receive(_ report: FollowerReport, _ follower: inout ClockFollower) {
    switch report {
    case .start(let stamp):
      pass(.start, at: stamp, base: follower.heard &+ 1, pulse: 0)
    case .continue(let stamp, let pulse):
      pass(.continue, at: stamp, base: follower.heard &+ 1 &- pulse, pulse: pulse)
    case .stop(let stamp, _): pass(.stop, at: stamp, base: follower.heard, pulse: 0)
    case .position(let stamp, let position):
      pass(.songPosition(position), at: stamp, base: 0, pulse: 0)
    case .repaired(_, let pulses):
      var index = 0
      while index < routeCount {
        cursors[index].base &-= pulses
        index &+= 1
      }
    case .found, .withoutStart, .beat, .tempo, .lost, .suspected, .ignored: break
    }
  }

  @_noLocks
  private mutating func pass(
    _ message: MIDIMessage, at stamp: HostTime, base: Int64, pulse: Int64
  ) {
    var index = 0
    while index < routeCount {
      let offset = routes[index].offset
      let count = cursors[index].waitingCount
      // More than eight within half a second is no music; the oldest is then sent early.
      if count < 8 {
        cursors[index].waiting[count] = Waiting()
        cursors[index].waiting[count].due = offset < .zero ? stamp : stamp + offset
        cursors[index].waiting[count].message = message
        cursors[index].waiting[count].base = base
        cursors[index].waiting[count].pulse = pulse
        cursors[index].waitingCount = count &+ 1
      }
      index &+= 1
    }
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
    if cursor.waitingCount > 0 {
      next.time = cursor.waiting[0].due
      next.kind = .transport
    }
    if route.contents.hasClock, cursor.isRolling || policy.isAlways, !policy.isOff {
      let place = route.place(ofPulse: cursor.pulse)
      var time = self.time(of: place, base: cursor.base, route, &follower)
      let event = PlannedEvent(time: time, route: index, action: .send(.clock), closest: .zero)
      time = spacing.release(event)
      if time < next.time {
        next.time = time
        next.kind = .pulse
      }
    }
    if cursor.isRolling, route.contents.hasClick {
      let time = self.time(
        of: span.place(ofClick: cursor.click), base: cursor.base, route, &follower)
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

  /// When `place` of the song leaves on `route`; far away when that cannot be told yet.
  @_noLocks
  private func time(
    of place: ExactTick, base: Int64, _ route: Route, _ follower: inout ClockFollower
  ) -> HostTime {
    let pulses = Resolution.ticksPerPulse &* place.denominator
    let whole = Division.floor(place.numerator, by: pulses)
    let number = base &+ whole
    let ahead = number &- follower.heard
    guard follower.predicts else {
      // Not locked: what has come leaves at once, nothing leaves before it has come.
      return ahead > 0 ? .distantFuture : .zero
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
      let period = follower.periodNanoseconds
      let closest = HostTime.Span(nanoseconds: period &* route.divide / (2 &* route.multiply))
      spacing.left(
        PlannedEvent(time: next.time, route: index, action: .send(.clock), closest: closest),
        at: now)
      return .clock
    case .click: return click(index, now)
    case .transport: return transport(index, now)
    }
  }

  @_noLocks
  private mutating func click(_ index: Int, _ now: HostTime) -> MIDIMessage? {
    let route = routes[index]
    let clicks = span.pattern.clicksPerBar
    let number = cursors[index].click
    let accent = span.pattern.accent(
      ofClick: number &- Division.floor(number, by: clicks) &* clicks)
    if accent.isSilent {
      cursors[index].click = number &+ 1
      return nil
    }
    let note = route.voice.note(accent)
    let slot = route.voice.slot(ofKey: note.key)
    if cursors[index].notes[slot].isSounding {
      // The last one of this key ends first.
      cursors[index].notes[slot].isSounding = false
      return .noteOff(channel: route.voice.channel, key: note.key, velocity: 64)
    }
    cursors[index].click = number &+ 1
    cursors[index].notes[slot].isSounding = true
    cursors[index].notes[slot].key = note.key
    cursors[index].notes[slot].off = now + route.voice.gate
    return .noteOn(channel: route.voice.channel, key: note.key, velocity: note.velocity)
  }

  @_noLocks
  private mutating func transport(_ index: Int, _ now: HostTime) -> MIDIMessage? {
    let route = routes[index]
    let first = cursors[index].waiting[0]
    var slot = 0
    if case .stop = first.message {
      while slot < 3 {
        if cursors[index].notes[slot].isSounding {
          cursors[index].notes[slot].isSounding = false
          return .noteOff(
            channel: route.voice.channel, key: cursors[index].notes[slot].key, velocity: 64)
        }
        slot &+= 1
      }
    }
    var place = 1
    while place < cursors[index].waitingCount {
      cursors[index].waiting[place &- 1] = cursors[index].waiting[place]
      place &+= 1
    }
    cursors[index].waitingCount &-= 1
    switch first.message {
    case .start:
      cursors[index].ahead = 0
      begin(index, base: first.base, pulse: 0)
    case .continue:
      begin(index, base: first.base, pulse: first.pulse &+ cursors[index].ahead)
      cursors[index].ahead = 0
    case .stop:
      // Whole song pulses this route has sent that the leader had not.
      if cursors[index].isRolling {
        let sent = Division.ceiling(
          cursors[index].pulse &* route.divide, by: route.multiply)
        let ahead = cursors[index].base &+ sent &- 1 &- first.base
        cursors[index].ahead = ahead > 0 ? ahead : 0
      }
      cursors[index].isRolling = false
    case .songPosition: cursors[index].ahead = 0
    case .clock, .noteOn, .noteOff, .control: break
    }
    spacing.left(
      PlannedEvent(time: now, route: index, action: .send(first.message), closest: .zero), at: now)
    if case .songPosition = first.message {
      return route.contents.hasPosition ? first.message : nil
    }
    return route.contents.hasTransport ? first.message : nil
  }

  @_noLocks
  private mutating func begin(_ index: Int, base: Int64, pulse: Int64) {
    let tick = Tick(pulse: pulse)
    cursors[index].base = base
    cursors[index].pulse = routes[index].firstPulse(notBefore: tick)
    cursors[index].click = span.firstClick(notBefore: tick)
    cursors[index].isRolling = true
  }

  /// Ends what sounds and stops what rolls: one message at a time until `nil`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func nextOfEnding() -> Step? {
    var index = 0
    while index < routeCount {
      var slot = 0
      while slot < 3 {
        if cursors[index].notes[slot].isSounding {
          cursors[index].notes[slot].isSounding = false
          return .send(
            .noteOff(
              channel: routes[index].voice.channel, key: cursors[index].notes[slot].key,
              velocity: 64), route: index)
        }
        slot &+= 1
      }
      if cursors[index].isRolling {
        cursors[index].isRolling = false
        if routes[index].contents.hasTransport { return .send(.stop, route: index) }
      }
      index &+= 1
    }
    return nil
  }
}
