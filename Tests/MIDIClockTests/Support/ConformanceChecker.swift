@testable import MIDIClock

extension Planner {
  /// Takes the planned events up to and including `end`, at most a million.
  mutating func take(until end: HostTime = .distantFuture) -> [PlannedEvent] {
    var events: [PlannedEvent] = []
    while events.count < 1_000_000, let event = next, event.time <= end {
      events.append(event)
      advance()
    }
    return events
  }

  /// Like `take`, with the end in milliseconds.
  mutating func take(untilMilliseconds end: Int64) -> [PlannedEvent] {
    take(until: .zero + .milliseconds(end))
  }
}

extension [PlannedEvent] {
  /// A route's messages, as nanoseconds and hexadecimal bytes.
  func wire(_ route: Int = 0) -> [String] {
    compactMap { event in
      guard event.route == route, case .send(let message) = event.action else { return nil }
      return "\(event.time.nanoseconds) \(message.hexadecimal)"
    }
  }

  /// A route's messages as bytes, without times and pulses.
  func messages(_ route: Int = 0) -> [String] {
    compactMap { event in
      guard event.route == route, !event.isPulse, case .send(let message) = event.action else {
        return nil
      }
      return message.hexadecimal
    }
  }

  /// The instants of a route's messages that satisfy `isWanted`, in nanoseconds.
  func times(_ route: Int = 0, of isWanted: (MIDIMessage) -> Bool) -> [Int64] {
    compactMap { event in
      guard event.route == route, case .send(let message) = event.action, isWanted(message) else {
        return nil
      }
      return event.time.nanoseconds
    }
  }

  /// The instants of a route's pulses.
  func pulses(_ route: Int = 0) -> [Int64] { times(route) { $0 == .clock } }

  /// The instants of a route's note-ons.
  func noteOns(_ route: Int = 0) -> [Int64] {
    times(route) { if case .noteOn = $0 { true } else { false } }
  }

  /// The beats reported to the observer.
  var beats: [(time: Int64, beat: PlanReport.Beat)] {
    compactMap { event in
      guard case .report(.beat(let beat)) = event.action else { return nil }
      return (event.time.nanoseconds, beat)
    }
  }
}

extension MIDIMessage {
  /// The bytes in readable form: `F2 20 01`.
  var hexadecimal: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "0" + digits : digits
    }.joined(separator: " ")
  }
}

/// A device that knows the standard and records each violation.
///
/// It receives one route, counts pulses from Start, Continue and Song Position as a device does,
/// and tracks sounding notes.
struct ConformanceChecker {
  /// The violations found.
  private(set) var faults: [String] = []
  private(set) var isRolling = false
  /// The last pulse while rolling, by the device's count; `nil` before the first.
  private(set) var position: Int64?
  /// The sounding keys.
  private(set) var sounding: Set<UInt8> = []
  /// Note-ons while rolling: time and pulse.
  private(set) var strikes: [(time: HostTime, pulse: Int64?)] = []
  private(set) var pulseCount = 0
  private var next: Int64 = 0
  private var pointer: Int64?
  private var started: HostTime?
  private var lastTime = HostTime(nanoseconds: Int64.min)
  private var lastPulse: PlannedEvent?
  private var lastRank = 0
  /// The contents of the route; a device without transport receives only pulses and notes.
  let contents: Route.Contents
  /// The route's pulses per pulse of the clock.
  let multiply: Int64

  init(contents: Route.Contents = .all, multiply: Int64 = 1) {
    self.contents = contents
    self.multiply = multiply
  }

  mutating func hear(_ event: PlannedEvent, at time: HostTime? = nil) {
    let time = time ?? event.time
    if case .rest = event.action { return }
    guard case .send(let message) = event.action else { return fault("a report", time) }
    if time < lastTime { fault("time turns back at \(message.hexadecimal)", time) }
    // At the same instant: transport, then clock, then notes, note-offs first; but sounding notes
    // end before a Stop.
    let rank = rank(message)
    if time == lastTime, rank < lastRank, !(lastRank == 2 && rank == 0) {
      fault("\(message.hexadecimal) is out of order", time)
    }
    (lastTime, lastRank) = (time, rank)
    hear(message, event, time)
  }

  private func rank(_ message: MIDIMessage) -> Int {
    switch message {
    case .start, .continue, .stop, .songPosition: 0
    case .clock: 1
    case .noteOff: 2
    case .noteOn, .control: 3
    }
  }

  private mutating func hear(_ message: MIDIMessage, _ event: PlannedEvent, _ time: HostTime) {
    switch message {
    case .clock: hearPulse(event, time)
    case .start, .continue:
      if isRolling { fault("\(message.hexadecimal) while rolling", time) }
      if started != nil { fault("\(message.hexadecimal) right after another", time) }
      isRolling = true
      started = time
      if message == .start { next = 0 } else if let pointer { next = pointer }
      pointer = nil
    case .stop:
      if !isRolling { fault("FC while stopped", time) }
      if !sounding.isEmpty { fault("FC while \(sounding) sound", time) }
      isRolling = false
      started = nil
    case .songPosition(let place):
      if isRolling { fault("F2 while rolling", time) }
      pointer = Int64(place.midiBeats) * 6 * multiply
    case .noteOn(_, let key, _):
      if !sounding.insert(key).inserted { fault("\(key) is struck while it sounds", time) }
      strikes.append((time, isRolling && started == nil ? position : nil))
    case .noteOff(_, let key, _):
      if sounding.remove(key) == nil { fault("\(key) ends without having begun", time) }
    case .control: fault("a controller", time)
    }
  }

  private mutating func hearPulse(_ event: PlannedEvent, _ time: HostTime) {
    pulseCount += 1
    if !contents.contains(.clock) { fault("an unwanted pulse", time) }
    if let lastPulse, time <= lastPulse.time { fault("two pulses at once", time) }
    if let lastPulse {
      if time - lastPulse.time < event.closest {
        fault("a pulse \((time - lastPulse.time).nanoseconds) ns after the last", time)
      }
    }
    if let started, time - started < .milliseconds(1) { fault("a pulse too close to FA", time) }
    started = nil
    lastPulse = event
    lastPulse?.time = time
    if isRolling {
      position = next
      next += 1
    }
  }

  private mutating func fault(_ text: String, _ time: HostTime) {
    faults.append("\(time.nanoseconds): \(text)")
  }
}

extension [PlannedEvent] {
  /// A device that has received the messages of `route`.
  func heard(_ route: Int = 0, contents: Route.Contents = .all) -> ConformanceChecker {
    var listener = ConformanceChecker(contents: contents)
    for event in self where event.route == route { listener.hear(event) }
    return listener
  }
}
