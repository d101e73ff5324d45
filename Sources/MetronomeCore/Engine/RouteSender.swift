internal import Glibc
internal import MIDIClock

/// Sends the messages of a route to the route's sink.
///
/// The engine's and the follower's thread have one each. It owns the outputs (sequencer output,
/// queue, player, recording), and only it uses them while the thread runs. The output for a route
/// is chosen by a `switch` over a plain value. Real-time safe: no allocation and no lock of ours.
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

  /// How late pulses of the measured routes were sent or scheduled.
  private(set) var lateness = LatenessHistogram()
  /// The number of refused messages.
  private(set) var refused: Int64 = 0

  /// Sends by `table` through these outputs; a route whose output is missing goes nowhere.
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

  /// Schedules `message` on the queue, to leave at `stamp`; without a queue it is sent now.
  ///
  /// - Returns: Like `send(_:on:due:)`.
  mutating func schedule(
    _ message: MIDIMessage, on route: Int, at stamp: HostTime, due: HostTime
  ) -> Int32? {
    guard let port = sinks[route].port(for: message) else {
      return send(message, on: route, due: due)
    }
    // The pool has space for seconds of events; should it be full, some leave every few ms.
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

  /// Cancels the messages waiting on the queue for later than `instant`.
  mutating func cancel(after instant: HostTime) { _ = queue?.cancel(after: instant) }

  /// Cancels the clicks that would be heard later than `time`.
  func cancelSound(after time: HostTime) { player?.cancel(after: time) }

  /// When a halt requested at `now` takes effect.
  ///
  /// Once the clicks in the audio driver's buffer have been heard, since nothing may be heard after
  /// Stop. A long buffer is not waited for.
  func endOfSound(_ now: HostTime) -> HostTime {
    guard let player else { return now }
    let last = player.end(after: now)
    guard now < last else { return now }
    // The driver's latency is an estimate.
    return min(last + .milliseconds(2), now + .milliseconds(60))
  }

  /// Waits until the kernel has delivered everything scheduled, at most 0.1 s.
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
    // The sequencer's error for a program that does not read.
    return note(recording.keep(entry) ? 0 : -ENOMEM, on: route)
  }

  /// Counts a refusal and returns it, once until a message of the route succeeds again.
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
  /// How long before the next deadline the last unplanned message is sent: longer than sending
  /// takes.
  private static var slack: HostTime.Span { .microseconds(200) }

  /// Adds a task to send between the deadlines; false if too many are waiting.
  mutating func add(_ task: UnplannedTask) -> Bool { unplanned.add(task) }

  /// Sends one unplanned message if one is waiting and there is time for it before `deadline`.
  ///
  /// - Returns: Whether one was sent, so that another call is worthwhile.
  mutating func sendUnplanned(before deadline: HostTime, now: HostTime) -> Bool {
    guard !unplanned.isEmpty, now + lead.span + Self.slack < deadline else { return false }
    return sendUnplanned(now)
  }

  /// Sends all unplanned messages; nothing else is due any more.
  mutating func finishUnplanned() { while sendUnplanned(SystemClock.now) {} }

  private mutating func sendUnplanned(_ now: HostTime) -> Bool {
    switch unplanned.next() {
    // A refusal is reported when the plan's own messages are refused.
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
  /// Records the lateness of a pulse sent at `now`, if its route is measured.
  mutating func measure(_ event: PlannedEvent, at now: HostTime) {
    if event.isPulse, isMeasured[event.route] { lateness.record(now - event.time) }
  }

  /// A summary of the lateness so far; `nil` before the first pulse.
  mutating func latenessSummary() -> LatenessHistogram.Summary? { lateness.summary() }

  /// When to wake up in order to be on time for `deadline`.
  func wake(for deadline: HostTime) -> HostTime { deadline - lead.span }

  /// Learns from a wake-up requested for `asked`, and returns the current time.
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

  /// Touches the measurements, so that they are in the caches; `forget` undoes it.
  mutating func warm() {
    lead.learn(.zero)
    lateness.record(.zero)
  }

  /// Resets the measurements.
  mutating func forget() {
    lead = WakeLead()
    lateness = LatenessHistogram()
  }
}
