internal import MIDIClock

/// The follower's thread: reads input, follows the clock and passes it on.
///
/// Stamps come from the kernel, so the wake-up time of this thread does not affect the measurement.
/// Per pulse it makes a few system calls, and does not allocate, lock or print.
struct FollowThread: ~Copyable, Sendable {
  /// Read by this thread only.
  private let sequencer: Sequencer
  private let ownClient: UInt8
  private let input: PortNumber
  private var sender: RouteSender
  private let wires: FollowWires
  private var follower: ClockFollower
  private var regenerator: Regenerator
  private var choice: SourceChoice
  /// Input and doorbell; the doorbell alone.
  private var poll: PollSet
  private var bell: PollSet
  private var isRung = false
  /// Whether anything receives what is passed on, and so whether its timing matters.
  private var isHeard: Bool
  private var crowd = InputThrottle()
  private var lastTempo = HostTime(nanoseconds: Int64.min / 2)

  init(
    sequencer: Sequencer, input: PortNumber, sender: consuming RouteSender, wires: FollowWires,
    source: PortAddress?, isHeard: Bool, follower: consuming ClockFollower,
    regenerator: consuming Regenerator
  ) {
    self.sequencer = sequencer
    ownClient = sequencer.clientNumber
    self.input = input
    self.sender = sender
    self.wires = wires
    self.isHeard = isHeard
    choice = SourceChoice(source: source.map { $0.key })
    self.follower = follower
    self.regenerator = regenerator
    poll = PollSet([sequencer.pollDescriptor, wires.doorbell.descriptor])
    bell = PollSet([wires.doorbell.descriptor])
  }

  /// Follows the clock until halted.
  consuming func run() -> FollowTally {
    while true {
      readAll()
      let now = SystemClock.now
      if let deadline = follower.deadline, deadline < now, !hasMoreInput(now) {
        follower.elapse(to: now)
        takeReports()
      }
      if obey() {
        end()
        return tally()
      }
      switch regenerator.step(now: now, &follower) {
      case .send(let message, let route): send(message, route)
      case .wait(let until): wait(until, from: now)
      }
    }
  }

  // MARK: - In

  /// Reads what the sequencer returns in one read; if there is more, the next wait ends at once.
  private mutating func readAll() {
    repeat {
      let event: IncomingEvent?
      do throws(ALSAError) { event = try sequencer.nextEvent() } catch { return }
      guard let event else { return }
      crowd.note(isOfUse: take(event))
    } while sequencer.hasReadAhead
  }

  /// Whether input waits to be read: after a stall on our side, silence counts only once it is
  /// read.
  private mutating func hasMoreInput(_ now: HostTime) -> Bool {
    _ = poll.waitForAny(until: now)
    if poll.isReady(1) { isRung = true }
    return poll.isReady(0)
  }

  /// Takes in one event; false if it is of no use to us.
  private mutating func take(_ event: IncomingEvent) -> Bool {
    switch event {
    case .message(let message, let port, let sender, let stamp):
      return port == input && receive(message, from: sender, at: stamp ?? SystemClock.now)
    case .overrun: report(.overrun)
    case .subscribed, .unsubscribed, .clientStarted, .clientExited, .portStarted, .portExited,
      .other:
      return false
    }
    return true
  }

  /// Takes in a message; false if it is of no use to us.
  private mutating func receive(
    _ message: MIDIMessage, from sender: PortAddress, at stamp: HostTime
  ) -> Bool {
    // Our own output, returned through a connection that someone made.
    guard sender.client != ownClient else { return false }
    switch choice.judge(message, from: sender.key, at: stamp) {
    case .follow:
      switch message {
      case .noteOn, .noteOff, .control: return false
      case .clock, .start, .continue, .stop, .songPosition: follow(message, stamp)
      }
    case .taken:
      report(.taken(sender))
      while let early = choice.nextEarly() { follow(early.message, early.stamp) }
      follow(message, stamp)
    case .other: report(.other(sender))
    case .ignore: return false
    }
    return true
  }

  private mutating func follow(_ message: MIDIMessage, _ stamp: HostTime) {
    follower.receive(message, at: stamp)
    takeReports()
  }

  private mutating func takeReports() {
    while let said = follower.nextReport() {
      regenerator.receive(said, &follower)
      // Clicks handed over ahead of a Stop must not be heard after it.
      if case .stop(let stamp, _) = said { sender.cancelSound(after: stamp) }
      if case .tempo(let reading) = said {
        // Ten a second are enough for any reader.
        guard lastTempo + .milliseconds(100) < reading.stamp || reading.stamp < lastTempo else {
          continue
        }
        lastTempo = reading.stamp
      }
      report(.follower(said))
    }
  }

  // MARK: - Out

  private mutating func send(_ message: MIDIMessage, _ route: Int) {
    if let code = sender.send(message, on: route, due: regenerator.due) {
      report(.refused(route: route, code: code))
    }
  }

  private mutating func wait(_ until: HostTime, from now: HostTime) {
    let quiet = follower.deadline ?? .distantFuture
    // Without a listener the timing does not matter.
    let wake = isHeard ? sender.wake(for: until) : until
    if sender.sendUnplanned(before: min(until, quiet), now: now) { return }
    if crowd.isThick, follower.predicts || !isHeard {
      let pause = now + InputThrottle.pause
      if pause < wake, pause < quiet {
        isRung = bell.waitForAny(until: pause)
        return
      }
    }
    guard wake < quiet else {
      // One nanosecond later the deadline has passed.
      _ = look(until: quiet + HostTime.Span(nanoseconds: 1))
      return
    }
    var now = now
    if now < wake {
      if look(until: wake) { return }
      now = sender.hasWoken(for: wake)
    }
    sender.watch(from: now, until: until)
  }

  /// Waits for input, the doorbell or `deadline`; false if it was the deadline.
  private mutating func look(until deadline: HostTime) -> Bool {
    let isReady = poll.waitForAny(until: deadline)
    isRung = poll.isReady(1)
    return isReady
  }

  private func report(_ report: FollowReport) {
    _ = wires.reports.push(report)
    wires.notifier.notify()
  }

  /// Executes the main thread's commands; true if one of them is to halt.
  private mutating func obey() -> Bool {
    // Draining is a system call, so only after a ring; every queued command rings.
    guard isRung else { return false }
    isRung = false
    wires.doorbell.drain()
    while let command = wires.commands.pop() {
      switch command {
      case .follow(let address): choice.follow(address.key)
      case .heard(let isHeard): self.isHeard = isHeard
      // If the task does not fit, others are waiting, perhaps a panic, and will be sent soon.
      case .unplanned(let task): _ = sender.add(task)
      case .silence:
        while case .send(let message, let route)? = regenerator.nextNoteOff() {
          send(message, route)
        }
      case .halt: return true
      }
    }
    return false
  }

  private mutating func end() {
    sender.cancelSound(after: SystemClock.now)
    while case .send(let message, let route)? = regenerator.nextOfEnding() { send(message, route) }
    sender.finishUnplanned()
    report(.finished)
  }

  private mutating func tally() -> FollowTally {
    FollowTally(&follower)
  }
}

extension PortAddress {
  /// The address as a single number.
  fileprivate var key: Int32 { @_noLocks get { Int32(client) << 8 | Int32(port) } }
}
