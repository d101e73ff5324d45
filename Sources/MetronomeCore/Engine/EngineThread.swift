internal import MIDIClock

/// The engine's own thread: asks the dispatch what to do, does it, sleeps until the next deadline.
///
/// Everything it touches is its own but for the wires. Per pulse it makes two or three system
/// calls (sleep, send, and a notification per beat) and no allocation, lock or print.
struct EngineThread<Play: Dispatch & ~Copyable>: ~Copyable, Sendable {
  var dispatch: Play
  let output: SequencerOutput
  var queue: SequencerQueue?
  let ports: RoutePorts
  let wires: EngineWires
  /// What voices the clicks of `soundRoute`, if anything does.
  let sound: ClickPlayer?
  let soundRoute: Int
  /// How many routes, from the first, have their lateness counted.
  ///
  /// The destinations, or our own ports when there are none: what leaves for nobody leaves last.
  let measuredRoutes: Int
  /// Whether to wake early and watch the clock until the deadline; for the precise way only.
  let watchesClock: Bool

  private var tally = EngineTally()
  private var lead = WakeLead()
  private var pending: EngineCommand?
  /// The number of the last change handled, and what became of it.
  private var handled: (number: UInt64, outcome: Planner.Outcome) = (0, .applied)
  /// When everything ends; `nil` as long as nobody has asked for it.
  private var end: HostTime?
  private var failing: [16 of Bool] = .init(repeating: false)
  private var latenessTold = HostTime.zero

  init(
    dispatch: consuming Play, output: SequencerOutput, queue: consuming SequencerQueue?,
    ports: RoutePorts,
    wires: EngineWires, sound: ClickPlayer?, soundRoute: Int, measuredRoutes: Int,
    watchesClock: Bool
  ) {
    self.dispatch = dispatch
    self.output = output
    self.queue = queue
    self.ports = ports
    self.wires = wires
    self.sound = sound
    self.soundRoute = soundRoute
    self.measuredRoutes = measuredRoutes
    self.watchesClock = watchesClock
  }

  /// Plays to the end of the plan.
  consuming func run() -> EngineTally {
    warm()
    while true {
      let now = SystemClock.now
      obey(now)
      switch dispatch.step(now: now) {
      case .perform(let event): perform(event, now)
      case .schedule(let event, let stamp): schedule(event, stamp, now)
      case .cancel(let after): _ = queue?.cancel(after: after)
      case .wait(let until): wait(until, from: now)
      case .postpone(let span):
        tally.postponements += 1
        report(.postpone(span), now)
      case .finished:
        settle()
        publish(isFinished: true)
        report(.finished, now)
        return tally
      }
    }
  }

  /// Runs through a copy of the plan's first seconds without sending, so that code and data are
  /// in memory and in the caches before pulse 0.
  private mutating func warm() {
    var rehearsal = dispatch.rehearsal()
    var time = SystemClock.now
    for _ in 0..<256 {
      if case .wait(let until) = rehearsal.step(now: time), until < .distantFuture { time = until }
      lead.learn(.zero)
      tally.lateness.record(.zero)
    }
    tally = EngineTally()
    lead = WakeLead()
  }

  private mutating func obey(_ now: HostTime) {
    if let end, end <= now {
      dispatch.halt(now: now)
      self.end = .distantFuture
      publish()
    }
    while let command = pending ?? wires.commands.pop() {
      pending = nil
      switch command {
      case .halt:
        guard end == nil else { break }
        let end = endOfSound(now)
        self.end = end
        guard end <= now else { break }
        dispatch.halt(now: now)
        self.end = .distantFuture
        publish()
      case .change(let change, let number):
        let outcome = end == nil ? dispatch.apply(change, now: now) : .ignored
        let isKnownBusy = outcome == .busy && handled == (number, .busy)
        handled = (number, outcome)
        if !isKnownBusy {
          publish()
          wires.notifier.notify()
        }
        if outcome == .busy {
          pending = command
          return
        }
      }
    }
  }

  /// When a halt asked for at `now` takes effect.
  ///
  /// Once the clicks that the audio driver holds have been heard, since nothing is to be heard after
  /// Stop. A long buffer is not waited for.
  private func endOfSound(_ now: HostTime) -> HostTime {
    guard let sound else { return now }
    let last = sound.end(after: now)
    guard now < last else { return now }
    // The driver's latency is an estimate.
    return min(last + .milliseconds(2), now + .milliseconds(60))
  }

  private mutating func perform(_ event: PlannedEvent, _ now: HostTime) {
    switch event.action {
    case .send(let message) where event.route == soundRoute:
      sound?.play(message, plannedFor: event.time)
    case .send(let message):
      let code = output.send(message, from: ports.port(message, on: event.route))
      if event.isPulse, event.route < measuredRoutes { tally.lateness.record(now - event.time) }
      note(code, event, now)
    case .rest: break
    case .report(.pulse(let isRolling)): if isRolling { tally.pulses += 1 }
    case .report(let planned):
      switch planned {
      case .start:
        tally.pulses = 0
        tally.beats = 0
      case .beat(let beat): if !beat.isCountIn { tally.beats += 1 }
      default: break
      }
      publish()
      report(.plan(planned), event.time)
      if case .beat = planned, latenessTold + .seconds(1) <= now,
        let present = tally.lateness.summary()
      {
        latenessTold = now
        report(.lateness(present), now)
      }
    }
  }

  private mutating func schedule(_ event: PlannedEvent, _ stamp: HostTime, _ now: HostTime) {
    guard case .send(let message) = event.action else { return }
    let port = ports.port(message, on: event.route)
    if event.isPulse, event.route < measuredRoutes { tally.lateness.record(now - event.time) }
    // The pool holds seconds of events; when it is full all the same, some leave every few ms.
    for _ in 0..<1_000 {
      switch queue?.schedule(message, from: port, at: stamp) {
      case .done:
        note(0, event, now)
        return
      case .full: SystemClock.sleep(until: SystemClock.now + .milliseconds(2))
      case .failed(let code):
        note(code, event, now)
        return
      case nil: return
      }
    }
  }

  /// Tells a refused message once, until one of the route goes through again.
  private mutating func note(_ code: Int32, _ event: PlannedEvent, _ now: HostTime) {
    if code >= 0 {
      failing[event.route] = false
      return
    }
    tally.refused += 1
    if !failing[event.route] { report(.refused(route: event.route, code: code), now) }
    failing[event.route] = true
  }

  private mutating func wait(_ deadline: HostTime, from now: HostTime) {
    let until = min(deadline, end ?? deadline)
    guard watchesClock else {
      _ = wires.doorbell.wait(until: until)
      return
    }
    var now = now
    let wake = until - lead.span
    // Only a real sleep tells how late wake-ups are.
    if now < wake {
      if wires.doorbell.wait(until: wake) { return }
      now = SystemClock.now
      lead.learn(now - wake)
    }
    while now < until { now = SystemClock.now }
  }

  /// Publishes what is planned and performed, before the notifier rings.
  private mutating func publish(isFinished: Bool = false) {
    var snapshot = dispatch.snapshot
    snapshot.handled = handled.number
    snapshot.outcome = handled.outcome
    snapshot.isFinished = isFinished
    wires.snapshot.publish(snapshot)
  }

  /// A full queue drops the report, never the event: the display catches up, the clock cannot.
  private func report(_ kind: EngineReport.Kind, _ time: HostTime) {
    _ = wires.reports.push(EngineReport(time: time, kind: kind))
    wires.notifier.notify()
  }

  /// Waits until the kernel has delivered what was scheduled.
  private mutating func settle() {
    for _ in 0..<100 {
      guard let waiting = queue?.pending, waiting > 0 else { return }
      SystemClock.sleep(until: SystemClock.now + .milliseconds(1))
    }
  }
}
