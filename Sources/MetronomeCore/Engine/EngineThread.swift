internal import MIDIClock

/// The engine's thread: asks the dispatch what to do, does it, sleeps until the next deadline.
///
/// It shares nothing with other threads except the wires. Per pulse it makes two or three system
/// calls (sleep, send, and a notification per beat), and does not allocate, lock or print.
struct EngineThread<Play: Dispatch & ~Copyable>: ~Copyable, Sendable {
  var dispatch: Play
  private var sender: RouteSender
  private let wires: EngineWires
  /// Whether to wake early and watch the clock until the deadline; for precise dispatch only.
  private let watchesClock: Bool

  private var tally = EngineTally()
  private var pending: EngineCommand?
  private var handled = HandledChanges()
  /// When everything ends; `nil` as long as nobody has asked for it.
  private var end: HostTime?
  private var latenessTold = HostTime.zero

  init(
    dispatch: consuming Play, sender: consuming RouteSender, wires: EngineWires,
    watchesClock: Bool
  ) {
    self.dispatch = dispatch
    self.sender = sender
    self.wires = wires
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
      case .cancel(let after): sender.cancel(after: after)
      case .wait(let until): wait(until, from: now)
      case .postpone(let span):
        tally.postponements += 1
        report(.postpone(span), now)
      case .finished:
        sender.finishUnplanned()
        sender.settle()
        publish(isFinished: true)
        report(.finished, now)
        tally.lateness = sender.lateness
        tally.refused = sender.refused
        return tally
      }
    }
  }

  /// Steps through a copy of the plan's first seconds without sending, so that code and data are in
  /// memory and in the caches before pulse 0.
  private mutating func warm() {
    var rehearsal = dispatch.rehearsal()
    var time = SystemClock.now
    for _ in 0..<256 {
      if case .wait(let until) = rehearsal.step(now: time), until < .distantFuture { time = until }
      sender.warm()
    }
    sender.forget()
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
        let end = sender.endOfSound(now)
        self.end = end
        guard end <= now else { break }
        dispatch.halt(now: now)
        self.end = .distantFuture
        publish()
      case .unplanned(let task):
        if !sender.add(task) {
          pending = command
          return
        }
      case .change(let change, let number):
        let outcome = end == nil ? dispatch.apply(change, now: now) : .ignored
        let isKnownBusy = outcome == .busy && handled.number == number
        handled.note(outcome, of: number)
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

  private mutating func perform(_ event: PlannedEvent, _ now: HostTime) {
    switch event.action {
    case .send(let message):
      let refusal = sender.send(message, on: event.route, due: event.time)
      sender.measure(event, at: now)
      tell(refusal, of: event.route, now)
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
        let present = sender.latenessSummary()
      {
        latenessTold = now
        report(.lateness(present), now)
      }
    }
  }

  private mutating func schedule(_ event: PlannedEvent, _ stamp: HostTime, _ now: HostTime) {
    guard case .send(let message) = event.action else { return }
    sender.measure(event, at: now)
    let refusal = sender.schedule(message, on: event.route, at: stamp, due: event.time)
    tell(refusal, of: event.route, now)
  }

  private func tell(_ refusal: Int32?, of route: Int, _ now: HostTime) {
    if let refusal { report(.refused(route: route, code: refusal), now) }
  }

  private mutating func wait(_ deadline: HostTime, from now: HostTime) {
    let until = min(deadline, end ?? deadline)
    if sender.sendUnplanned(before: until, now: now) { return }
    guard watchesClock else {
      _ = wires.doorbell.wait(until: until)
      return
    }
    var now = now
    let wake = sender.wake(for: until)
    // Only a real sleep shows how late wake-ups are.
    if now < wake {
      if wires.doorbell.wait(until: wake) { return }
      now = sender.hasWoken(for: wake)
    }
    sender.watch(from: now, until: until)
  }

  /// Publishes the snapshot; call it before the notifier.
  private mutating func publish(isFinished: Bool = false) {
    var snapshot = dispatch.snapshot
    snapshot.handled = handled
    snapshot.isFinished = isFinished
    wires.snapshot.publish(snapshot)
  }

  /// If the queue is full the report is dropped, never the event: the display can catch up, the
  /// clock cannot.
  private func report(_ kind: EngineReport.Kind, _ time: HostTime) {
    _ = wires.reports.push(EngineReport(time: time, kind: kind))
    wires.notifier.notify()
  }
}
