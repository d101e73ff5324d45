internal import Glibc
internal import MIDIClock

/// Sends what is planned for a route to wherever the route goes.
///
/// The engine's and the follower's thread have one each. It owns the sending ends and is the only
/// one to use them while the thread runs: output, queue, player, recording. Which one serves a route
/// is a `switch` over a plain value. Real-time safe: no allocation and no lock of ours.
struct RouteSender: ~Copyable, Sendable {
  private let output: SequencerOutput?
  private var queue: SequencerQueue?
  private let player: ClickPlayer?
  private let recording: Recording?
  private var sinks: [16 of Sink] = .init(repeating: .none)
  private var isMeasured: [16 of Bool] = .init(repeating: false)
  private var isFailing: [16 of Bool] = .init(repeating: false)
  private var unplanned: UnplannedTasks
  private var lead = WakeLead()

  /// How late pulses of the measured routes were sent, or given to the queue.
  private(set) var lateness = LatenessHistogram()
  /// Messages that were refused.
  private(set) var refused: Int64 = 0

  /// Sends by `table` to the ends given; a route whose end is missing goes nowhere.
  init(
    _ table: RouteTable, output: SequencerOutput? = nil, queue: consuming SequencerQueue? = nil,
    player: ClickPlayer? = nil, recording: Recording? = nil
  ) {
    self.output = output
    self.queue = queue
    self.player = player
    self.recording = recording
    unplanned = UnplannedTasks(routes: table.general + 1)
    for (number, entry) in table.entries.prefix(sinks.count).enumerated() {
      sinks[number] = entry.sink
      isMeasured[number] = entry.isMeasured
    }
  }
}

// MARK: - Sending

extension RouteSender {
  /// Sends `message`, planned for `due`, now.
  ///
  /// - Returns: The negative errno of a refusal, unless the route's last message was refused too.
  mutating func send(_ message: MIDIMessage, on route: Int, due: HostTime) -> Int32? {
    switch sinks[route] {
    case .sequencer:
      guard let output, let port = sinks[route].port(for: message) else { return nil }
      return note(output.send(message, from: port), on: route)
    case .sound: player?.play(message, plannedFor: due)
    case .recording: return record(message, on: route, due: due)
    case .none: break
    }
    return nil
  }

  /// Gives `message` to the queue, to leave at `stamp`; what no queue serves leaves now.
  ///
  /// - Returns: As `send(_:on:due:)`.
  mutating func schedule(
    _ message: MIDIMessage, on route: Int, at stamp: HostTime, due: HostTime
  ) -> Int32? {
    guard let port = sinks[route].port(for: message) else {
      return send(message, on: route, due: due)
    }
    // The pool holds seconds of events; when it is full all the same, some leave every few ms.
    for _ in 0..<1_000 {
      switch queue?.schedule(message, from: port, at: stamp) {
      case .done: return note(0, on: route)
      case .full: SystemClock.sleep(until: SystemClock.now + .milliseconds(2))
      case .failed(let code): return note(code, on: route)
      case nil: return nil
      }
    }
    return nil
  }

  /// Takes back what waits on the queue for later than `instant`.
  mutating func cancel(after instant: HostTime) { _ = queue?.cancel(after: instant) }

  /// Takes back the clicks that would be heard for an instant after `time`.
  func cancelSound(after time: HostTime) { player?.cancel(after: time) }

  /// When a halt asked for at `now` takes effect.
  ///
  /// Once the clicks that the audio driver holds have been heard, since nothing is to be heard after
  /// Stop. A long buffer is not waited for.
  func endOfSound(_ now: HostTime) -> HostTime {
    guard let player else { return now }
    let last = player.end(after: now)
    guard now < last else { return now }
    // The driver's latency is an estimate.
    return min(last + .milliseconds(2), now + .milliseconds(60))
  }

  /// Waits until the kernel has delivered what was scheduled.
  mutating func settle() {
    for _ in 0..<100 {
      guard let waiting = queue?.pending, waiting > 0 else { return }
      SystemClock.sleep(until: SystemClock.now + .milliseconds(1))
    }
  }

  private mutating func record(
    _ message: MIDIMessage, on route: Int, due: HostTime
  ) -> Int32? {
    guard let recording else { return nil }
    let entry = Recording.Entry(
      message: message, route: route, planned: due, left: SystemClock.now)
    // As the sequencer says it of a program that does not read.
    return note(recording.keep(entry) ? 0 : -ENOMEM, on: route)
  }

  /// Counts a refusal and returns it, once until a message of the route goes through again.
  private mutating func note(_ code: Int32, on route: Int) -> Int32? {
    if code >= 0 {
      isFailing[route] = false
      return nil
    }
    refused += 1
    defer { isFailing[route] = true }
    return isFailing[route] ? nil : code
  }
}

// MARK: - What is not of the plan

extension RouteSender {
  /// How long before the next deadline the last unplanned message is sent: longer than sending takes.
  private static var slack: HostTime.Span { .microseconds(200) }

  /// Adds a task, to be sent between the deadlines; false when too many wait.
  mutating func add(_ task: UnplannedTask) -> Bool { unplanned.add(task) }

  /// Sends one unplanned message if one waits and there is time for it before `deadline`.
  ///
  /// - Returns: Whether there was, so that it is worth to ask again.
  mutating func sendUnplanned(before deadline: HostTime, now: HostTime) -> Bool {
    guard !unplanned.isEmpty, now + lead.span + Self.slack < deadline else { return false }
    return sendUnplanned(now)
  }

  /// Sends all unplanned messages: nothing else is due any more.
  mutating func finishUnplanned() { while sendUnplanned(SystemClock.now) {} }

  private mutating func sendUnplanned(_ now: HostTime) -> Bool {
    switch unplanned.next() {
    // A refusal is told when the plan's own messages meet it.
    case .route(let route, let message): _ = send(message, on: route, due: now)
    case .device(let message, let port, let address):
      _ = output?.send(message, from: port, to: address)
    case nil: return false
    }
    return true
  }
}

// MARK: - Being in time

extension RouteSender {
  /// Counts how late a pulse of a measured route is that is sent at `now`.
  mutating func measure(_ event: PlannedEvent, at now: HostTime) {
    if event.isPulse, isMeasured[event.route] { lateness.record(now - event.time) }
  }

  /// The lateness so far in a few figures; `nil` before the first pulse.
  mutating func latenessSummary() -> LatenessHistogram.Summary? { lateness.summary() }

  /// When to wake in order to be in time for `deadline`.
  func wake(for deadline: HostTime) -> HostTime { deadline - lead.span }

  /// Learns from a wake-up that had been asked for at `asked`; the time it is.
  mutating func hasWoken(for asked: HostTime) -> HostTime {
    let now = SystemClock.now
    lead.learn(now - asked)
    return now
  }

  /// Watches the clock until `deadline`.
  func watch(from now: HostTime, until deadline: HostTime) {
    var now = now
    while now < deadline { now = SystemClock.now }
  }

  /// Goes through what is measured, so that it is in the caches; `forget` undoes it.
  mutating func warm() {
    lead.learn(.zero)
    lateness.record(.zero)
  }

  /// Forgets what was measured.
  mutating func forget() {
    lead = WakeLead()
    lateness = LatenessHistogram()
  }
}
