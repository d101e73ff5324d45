import Testing
import TestSupport

@testable import MIDIClock

/// Invariants of every plan, whatever changes when: a thousand sequences of changes.
struct RandomPlansTests {
  static let routes = [
    Route(), Route(offset: .milliseconds(-10)),
    Route(contents: [.clock, .transport], offset: .milliseconds(25), divide: 6),
    Route(contents: [.clock, .transport, .position, .click], multiply: 7),
    Route(offset: .milliseconds(100), divide: 24), Route(contents: [.transport, .position]),
    .observer,
  ]

  @Test(arguments: 0..<20)
  func `fifty plans under random changes keep count, spacing, notes and order`(group: Int) throws {
    for seed in group * 50..<(group + 1) * 50 {
      var play = RandomPlay(seed: UInt64(seed))
      let faults = try play.faults()
      guard faults.isEmpty else {
        Issue.record("seed \(seed): \(faults.prefix(5))")
        return
      }
    }
  }
}

/// One plan and the changes made to it.
private struct RandomPlay {
  private var generator: SeededGenerator
  private var listeners = RandomPlansTests.routes.map {
    ConformanceChecker(contents: $0.contents, multiply: $0.multiply)
  }
  private var observer = Observer()
  private var faultsFound: [String] = []
  private var now: Int64
  private var last = HostTime(nanoseconds: Int64.min)

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    now = 0
  }

  mutating func faults() throws -> [String] {
    let countIn = Int64.random(in: 0...1, using: &generator)
    let startBar = [1, 1, 1, 11].randomElement(using: &generator) ?? 1
    var plan = Planner(
      score: Score(pattern: try pattern(), tempo: tempo()), routes: RandomPlansTests.routes,
      policy: ClockPolicy.allCases.randomElement(using: &generator) ?? .always,
      startBar: Int64(startBar), countInBars: countIn)
    now = (plan.next?.time.nanoseconds ?? 0) - 1
    for _ in 0..<14 {
      now += Int64.random(in: 0...400_000_000, using: &generator)
      hear(&plan, until: HostTime(nanoseconds: now))
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        // As precise dispatch does: from now on, relative to the earliest route.
        let outcome = plan.apply(try change(), at: HostTime(nanoseconds: now) + plan.earliness)
        if outcome == .busy { faultsFound.append("busy at \(now)") }
      }
    }
    now += 700_000_000
    hear(&plan, until: HostTime(nanoseconds: now))
    now += 1
    if Bool.random(using: &generator) {
      _ = plan.apply(.transport(.stop), at: HostTime(nanoseconds: now) + plan.earliness)
      // A restart under way comes first, within a beat of at most 2 s.
      now += 2_500_000_000
      hear(&plan, until: HostTime(nanoseconds: now))
    } else {
      plan.halt(at: HostTime(nanoseconds: now))
      hear(&plan, until: .distantFuture)
      if !plan.isFinished { faultsFound.append("not finished after a halt") }
    }
    return judged()
  }

  private mutating func hear(_ plan: inout Planner, until end: HostTime) {
    while let event = plan.next, event.time <= end {
      if event.time < last { faultsFound.append("time turns back at \(event)") }
      last = event.time
      switch event.action {
      case .send: listeners[event.route].hear(event)
      case .report(let report): observer.hear(report, event.time)
      case .rest: break
      }
      plan.advance()
    }
  }

  private func judged() -> [String] {
    var faults = faultsFound + observer.faults
    for (route, listener) in listeners.enumerated() {
      faults += listener.faults.map { "route \(route): \($0)" }
      if !listener.sounding.isEmpty {
        faults.append("route \(route): \(listener.sounding) sound on")
      }
      if listener.isRolling { faults.append("route \(route) was not stopped") }
    }
    // Clicks fall on the beats, and if the device counts, on the pulse of the beat.
    for route in [0, 1, 3] {
      let settings = RandomPlansTests.routes[route]
      // A route that runs early has played notes that the halt kept from the others.
      let struck = listeners[route].strikes.filter {
        ($0.time - settings.offset).nanoseconds <= now
      }
      let beats = observer.sounding
      if struck.count != beats.count {
        faults.append("route \(route): \(struck.count) clicks for \(beats.count) beats")
      }
      for (strike, beat) in zip(struck, beats) {
        let counted = strike.pulse.map { $0 == beat.pulse * settings.multiply } ?? true
        if strike.time - settings.offset != beat.time || !counted {
          faults.append("route \(route): \(strike) for \(beat)")
        }
      }
    }
    return faults
  }

  // MARK: Choosing

  private mutating func tempo() -> Tempo {
    Tempo(clamping: Int64.random(in: 30_000...400_000, using: &generator))
  }

  /// An instant within a second of now.
  private mutating func near() -> HostTime {
    HostTime(nanoseconds: now + Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator))
  }

  private mutating func pattern() throws -> ClickPattern {
    let meters = ["4/4", "3/4", "7/8", "6/8", "1/4", "5/8", "2/4"]
    let meter = try Meter(text: meters.randomElement(using: &generator) ?? "4/4")
    let letters = (0..<meter.beats).map { _ in
      Accent.allCases.randomElement(using: &generator) ?? .weak
    }
    return try ClickPattern(
      meter: meter, accents: Bool.random(using: &generator) ? AccentPattern(letters) : nil)
  }

  private mutating func change() throws -> PlanChange {
    switch Int.random(in: 0..<15, using: &generator) {
    case 0, 1: return .tempo(tempo())
    case 2: return .pattern(try pattern())
    case 3, 4: return .transport(.stop)
    case 5, 6: return .transport(.continue)
    case 7: return .transport(.start)
    case 8: return .transport(.locate(Tick(Int64.random(in: 0...400, using: &generator) * 240)))
    case 9, 10:
      observer.movesBeats = true
      return .align(tempo(), beat: near())
    case 11: return .startOnBeat(tempo(), at: near())
    case 12, 13:
      observer.movesBeats = true
      return .shift(.milliseconds(Int64.random(in: -200...200, using: &generator)))
    default: return .transport(.locate(Tick(Int64.random(in: 0...400, using: &generator))))
    }
  }
}

/// Tracks the song's count from the reports, and its tempo from the tempo reports.
private struct Observer {
  private(set) var faults: [String] = []
  /// Whether the changes move any beat.
  var movesBeats = false
  /// The audible beats: time and pulse.
  private(set) var sounding: [(time: HostTime, pulse: Int64)] = []
  private var position: Int64?
  private var next: Int64 = 0
  private var pointer: Int64?
  private var isRolling = false
  private var lastPulse: HostTime?
  /// The slowest and fastest tempo since the last pulse; the initial tempo is not reported.
  private var tempos: ClosedRange<Int64>?

  mutating func hear(_ report: PlanReport, _ time: HostTime) {
    switch report {
    case .start:
      if isRolling { faults.append("Start while rolling at \(time.nanoseconds)") }
      (isRolling, next, pointer, lastPulse) = (true, 0, nil, nil)
    case .continue:
      if isRolling { faults.append("Continue while rolling at \(time.nanoseconds)") }
      if let pointer { next = pointer }
      (isRolling, pointer, lastPulse) = (true, nil, nil)
    case .stop:
      if !isRolling { faults.append("Stop while stopped at \(time.nanoseconds)") }
      isRolling = false
    case .position(let place, _): pointer = Int64(place.midiBeats) * 6
    case .tempo(let tempo):
      let slowest = min(tempos?.lowerBound ?? tempo.milliBPM, tempo.milliBPM)
      let fastest = max(tempos?.upperBound ?? tempo.milliBPM, tempo.milliBPM)
      tempos = slowest...fastest
      now = tempo.milliBPM
    case .pulse(let moves):
      guard moves else { break }
      if let lastPulse, let tempos {
        let gap = (time - lastPulse).nanoseconds
        // While beats are moved, the pulse period is half to one and a half times the usual.
        let fastest = 2_500_000_000_000 / tempos.upperBound
        let slowest = 2_500_000_000_000 / tempos.lowerBound
        if gap < (movesBeats ? fastest / 2 : fastest) - 1
          || gap > (movesBeats ? slowest * 3 / 2 : slowest) + 2
        {
          faults.append("\(gap) ns between pulses at \(time.nanoseconds) in \(tempos)")
        }
      }
      if !isRolling { faults.append("a moving pulse while stopped at \(time.nanoseconds)") }
      position = next
      next += 1
      lastPulse = time
      if let now { tempos = now...now }
    case .beat(let beat):
      if !beat.accent.isSilent { sounding.append((time, beat.pulse)) }
      if !beat.isCountIn, let position, let lastPulse, position != beat.pulse || lastPulse != time {
        faults.append("beat \(beat.position) names pulse \(beat.pulse), counted \(position)")
      }
      // Until the first change is reported, the beat gives the tempo.
      if now == nil {
        now = beat.tempo.milliBPM
        tempos = beat.tempo.milliBPM...beat.tempo.milliBPM
      }
    }
  }

  private var now: Int64?
}
