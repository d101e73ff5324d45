import MIDIClock
import Testing
import TestSupport

@testable import MetronomeCore

/// An action of a dispatch, and when it happened.
enum SimulatedAction: Equatable {
  case performed(PlannedEvent, at: HostTime)
  case scheduled(PlannedEvent, stamp: HostTime, at: HostTime)
  case cancelled(after: HostTime, at: HostTime)
  case postpone(HostTime.Span, at: HostTime)
  case finished(at: HostTime)
}

/// Steps a dispatch through simulated time, which stands still while it works, with stalls.
struct EngineSimulator<Play: Dispatch & ~Copyable>: ~Copyable {
  var dispatch: Play
  private(set) var now: HostTime
  private(set) var deeds: [SimulatedAction] = []
  /// The snapshot after each report other than a pulse, as an engine publishes it.
  private(set) var snapshots: [(time: HostTime, report: PlanReport, snapshot: PlanSnapshot)] = []
  /// Nothing is done during a stall: a wake-up due in it happens at its end.
  var stalls: [Range<Int64>] = []

  init(_ dispatch: consuming Play, now: HostTime) {
    self.dispatch = dispatch
    self.now = now
  }

  /// Runs until `end`, for at most two hundred thousand steps.
  mutating func lead(until end: HostTime) {
    var idle = 0
    for _ in 0..<200_000 {
      if now > end { return }
      switch dispatch.step(now: now) {
      case .perform(let event):
        deeds.append(.performed(event, at: now))
        note(event)
      case .schedule(let event, let stamp): deeds.append(.scheduled(event, stamp: stamp, at: now))
      case .cancel(let after): deeds.append(.cancelled(after: after, at: now))
      case .postpone(let span): deeds.append(.postpone(span, at: now))
      case .finished:
        deeds.append(.finished(at: now))
        return
      case .wait(let until):
        let wake = awake(max(until, now))
        if wake > end {
          now = max(now, end)
          return
        }
        // After a wait something must be done.
        idle = wake == now ? idle + 1 : 0
        if idle > 2 {
          Issue.record("it waits for now, and does nothing now: \(now.nanoseconds)")
          return
        }
        now = wake
      }
    }
    Issue.record("it never comes to \(end.nanoseconds)")
  }

  private mutating func note(_ event: PlannedEvent) {
    guard case .report(let report) = event.action else { return }
    if case .pulse = report { return }
    snapshots.append((event.time, report, dispatch.snapshot))
  }

  /// Lets time pass without a step, as a sleep does.
  mutating func wake(at instant: HostTime) { now = max(now, instant) }

  /// Moves a route's offset back and forth by up to a second, sometimes several times at once, then
  /// runs for three more seconds.
  mutating func leapOffsets(ofRoute route: Int, using generator: inout SeededGenerator) {
    for _ in 0..<8 {
      let wait = Int64.random(in: 0...900_000_000, using: &generator)
      lead(until: now + HostTime.Span(nanoseconds: wait))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let offset = Int64.random(in: -500_000_000...500_000_000, using: &generator)
        let change = PlanChange.offset(route: route, HostTime.Span(nanoseconds: offset))
        #expect(dispatch.apply(change, now: now) == .applied)
        let pause = Int64.random(in: 0...3_000_000, using: &generator)
        lead(until: now + HostTime.Span(nanoseconds: pause))
      }
    }
    lead(until: now + .seconds(3))
  }

  mutating func lead(untilMilliseconds end: Int64) { lead(until: .zero + .milliseconds(end)) }

  private func awake(_ instant: HostTime) -> HostTime {
    let stall = stalls.first { $0.contains(instant.nanoseconds) }
    return stall.map { HostTime(nanoseconds: $0.upperBound) } ?? instant
  }
}

extension [SimulatedAction] {
  /// What was really sent, and when: what was performed, and what was scheduled and not cancelled.
  var left: [(event: PlannedEvent, time: HostTime)] {
    var kept: [(event: PlannedEvent, time: HostTime)] = []
    for deed in self {
      switch deed {
      case .performed(let event, let time):
        if case .send = event.action { kept.append((event, time)) }
      case .scheduled(let event, let stamp, _): kept.append((event, stamp))
      case .cancelled(let after, _): kept.removeAll { after < $0.time }
      case .postpone, .finished: break
      }
    }
    return kept
  }

  /// The times at which a route's pulses were sent.
  func pulses(_ route: Int = 0) -> [Int64] {
    left.filter { $0.event.route == route && $0.event.isPulse }.map(\.time.nanoseconds)
  }

  /// A route's messages other than pulses, in hexadecimal, with the times they were sent.
  func messages(_ route: Int = 0) -> [String] {
    left.compactMap { event, time in
      guard event.route == route, !event.isPulse, case .send(let message) = event.action else {
        return nil
      }
      let hex = message.bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
      }
      return ([String(time.nanoseconds)] + hex).joined(separator: " ")
    }
  }

  /// The reports performed, without pulses.
  var told: [PlanReport] {
    compactMap { deed in
      guard case .performed(let event, _) = deed, case .report(let report) = event.action else {
        return nil
      }
      if case .pulse = report { return nil }
      return report
    }
  }

  var beats: [PlanReport.Beat] {
    told.compactMap { if case .beat(let beat) = $0 { beat } else { nil } }
  }

  var postponements: [HostTime.Span] {
    compactMap { if case .postpone(let span, _) = $0 { span } else { nil } }
  }

  var isFinished: Bool { if case .finished = last { true } else { false } }
}

/// Receives one route as a device does, and lists violations of the standard.
struct ConformanceChecker {
  private(set) var faults: [String] = []
  private(set) var isRolling = false
  private(set) var sounding: Set<UInt8> = []
  /// Pulses since Start.
  private(set) var count = 0
  private var lastTime = HostTime(nanoseconds: Int64.min)
  private var lastPulse = HostTime(nanoseconds: Int64.min / 2)
  private var started: HostTime?

  init(_ deeds: [SimulatedAction], route: Int = 0) {
    for (event, time) in deeds.left where event.route == route { hear(event, time) }
  }

  private mutating func hear(_ event: PlannedEvent, _ time: HostTime) {
    guard case .send(let message) = event.action else { return }
    if time < lastTime { fault("time turns back", time) }
    lastTime = time
    switch message {
    case .clock:
      if time - lastPulse < event.closest { fault("a pulse too close to the last", time) }
      if let started, time - started < .milliseconds(1) { fault("a pulse too close to FA", time) }
      (lastPulse, started) = (time, nil)
      if isRolling { count += 1 }
    case .start, .continue:
      if isRolling { fault("Start while rolling", time) }
      (isRolling, started) = (true, time)
      if message == .start { count = 0 }
    case .stop:
      if !isRolling { fault("Stop while stopped", time) }
      if !sounding.isEmpty { fault("Stop while \(sounding) sound", time) }
      (isRolling, started) = (false, nil)
    case .songPosition: if isRolling { fault("Song Position while rolling", time) }
    case .noteOn(_, let key, _):
      if !sounding.insert(key).inserted { fault("\(key) is struck while it sounds", time) }
    case .noteOff(_, let key, _):
      if sounding.remove(key) == nil { fault("\(key) ends without having begun", time) }
    case .control: fault("a controller", time)
    }
  }

  private mutating func fault(_ text: String, _ time: HostTime) {
    faults.append("\(time.nanoseconds): \(text)")
  }
}

/// When pulse `number` is due at `milliBPM`, by unsigned long division.
func due(_ number: Int, _ milliBPM: UInt64 = 120_000) -> Int64 {
  let (quotient, remainder) = milliBPM.dividingFullWidth(
    UInt64(number).multipliedFullWidth(by: 2_500_000_000_000))
  return Int64(remainder >= milliBPM - remainder ? quotient + 1 : quotient)
}
