import MIDIClock
import Testing
import TestSupport

@testable import MetronomeCore

/// Random songs under random live actions: the snapshot, the reports and what the devices received
/// never disagree.
struct SnapshotTests {
  private static let routes = [
    Route(), Route(offset: .milliseconds(-10)), Route(offset: .milliseconds(25), divide: 6),
    Route(contents: .click, isMuted: true), .observer,
  ]

  @Test(arguments: 0..<10)
  func `thirty random songs, each event sent when due`(group: Int) throws {
    for seed in group * 30..<(group + 1) * 30 {
      var play = RandomSession(seed: UInt64(seed))
      let plan = try play.plan(Self.routes)
      let start = HostTime(nanoseconds: -700_000_000)
      var simulator = EngineSimulator(PreciseDispatch(plan), now: start)
      let faults = play.faults(&simulator)
      guard faults.isEmpty else {
        Issue.record("seed \(seed): \(faults.prefix(5))")
        return
      }
    }
  }

  @Test(arguments: 0..<10)
  func `thirty random songs, scheduled ahead on a queue`(group: Int) throws {
    for seed in group * 30..<(group + 1) * 30 {
      var play = RandomSession(seed: UInt64(seed))
      let plan = try play.plan(Self.routes)
      let start = HostTime(nanoseconds: -700_000_000)
      var simulator = EngineSimulator(
        QueuedDispatch(plan, now: start, timerPeriod: .microseconds(160), localRoutes: 1 << 3),
        now: start)
      let faults = play.faults(&simulator)
      guard faults.isEmpty else {
        Issue.record("seed \(seed): \(faults.prefix(5))")
        return
      }
    }
  }
}

/// A song and the actions during it.
private struct RandomSession {
  private var generator: SeededGenerator
  private var hasParts = false
  private var faults: [String] = []
  /// The requested state after the applied changes, tracked independently.
  private var policy = ClockPolicy.always
  private var policyWhenOn = ClockPolicy.always
  private var isMuted = [false, false, false, true]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func plan(_ routes: [Route]) throws -> Planner {
    policy = ClockPolicy.allCases.randomElement(using: &generator) ?? .always
    if policy != .off { policyWhenOn = policy }
    var score = Score(pattern: try pattern(), tempo: tempo())
    for part in 0..<Int64.random(in: 0...2, using: &generator) {
      hasParts = true
      score.append(bar: 3 + 2 * part, pattern: try pattern(), tempo: tempo())
    }
    return Planner(
      score: score, routes: routes, policy: policy,
      countInBars: Int64.random(in: 0...1, using: &generator),
      waits: Bool.random(using: &generator))
  }

  mutating func faults<Play: Dispatch & ~Copyable>(_ simulator: inout EngineSimulator<Play>)
    -> [String]
  {
    for _ in 0..<8 {
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let wait = Int64.random(in: 0...400_000_000, using: &generator)
        simulator.lead(until: simulator.now + HostTime.Span(nanoseconds: wait))
        let change = change()
        note(change, simulator.dispatch.apply(change, now: simulator.now))
      }
      // A beat at the slowest tempo, in which a pattern takes effect and a song restarts, then a
      // second to listen.
      let start = simulator.now + .milliseconds(1_700)
      simulator.lead(until: simulator.now + .milliseconds(2_700))
      judge(simulator.deeds, simulator.dispatch.snapshot, since: start, at: simulator.now)
    }
    judge(simulator.snapshots)
    for route in 0..<4 {
      let checker = ConformanceChecker(simulator.deeds, route: route)
      faults += checker.faults.map { "route \(route): \($0)" }
    }
    return faults
  }

  // MARK: Judging

  /// Each snapshot matches the reports up to it.
  private mutating func judge(
    _ snapshots: [(time: HostTime, report: PlanReport, snapshot: PlanSnapshot)]
  ) {
    var transport = Transport.stopped
    var beat: PlanReport.Beat?
    for (time, report, snapshot) in snapshots {
      let performed = snapshot.performed
      if performed.time != time { fault("the time is another", time) }
      switch report {
      case .pulse: break
      case .start, .continue: transport = .rolling
      case .stop: transport = .stopped
      case .position(let pointer, let position):
        if performed.place != pointer.tick || performed.position != position {
          fault("the place is not the one reported", time)
        }
        beat = nil
      case .tempo(let tempo):
        if performed.tempo != tempo { fault("the tempo is not the one reported", time) }
      case .beat(let said):
        transport = said.isCountIn ? .armed : .rolling
        beat = said
        if performed.tempo != said.tempo { fault("the tempo is not the beat's", time) }
        let pattern = performed.pattern
        let click = (said.position.beat - 1) * pattern.subdivision
        if said.position.beat > pattern.meter.beats
          || pattern.accent(ofClick: click) != said.accent
        {
          fault("the beat \(said) is none of the pattern's", time)
        }
      }
      if performed.transport != transport { fault("the transport is not \(transport)", time) }
      if let beat, performed.position != beat.position || performed.place != Tick(pulse: beat.pulse)
      {
        fault("the place is not the last beat's", time)
      }
    }
  }

  /// If nothing was requested for a while, the planned state has been performed, and what was sent
  /// in the last second matches the snapshot.
  private mutating func judge(
    _ deeds: [SimulatedAction], _ snapshot: PlanSnapshot, since start: HostTime, at now: HostTime
  ) {
    let planned = snapshot.planned
    if planned.policy != policy { fault("the policy is not \(policy)", now) }
    for (route, isMuted) in isMuted.enumerated() where planned.isMuted(route) != isMuted {
      fault("route \(route) is muted or not", now)
    }
    // A count-in may be ending.
    if planned.transport != .rolling || snapshot.transport != .armed,
      planned.transport != snapshot.transport
    {
      fault("\(planned.transport) is planned, \(snapshot.transport) performed", now)
    }
    let left = deeds.left.filter { $0.event.route == 0 && $0.time <= now }
    let checker = ConformanceChecker(
      left.map { .performed($0.event, at: $0.time) }, route: 0)
    if checker.isRolling != (snapshot.transport == .rolling) {
      fault("\(snapshot.transport) is said, the device rolls: \(checker.isRolling)", now)
    }
    let recent = left.filter { start <= $0.time }
    let pulses = recent.filter { $0.event.isPulse }.map(\.time.nanoseconds)
    let isClocked = snapshot.transport == .rolling ? policy != .off : policy == .always
    if snapshot.transport != .armed, pulses.isEmpty == isClocked {
      fault("\(pulses.count) pulses while \(snapshot.transport), policy \(policy)", now)
    }
    let strikes = recent.count { if case .send(.noteOn) = $0.event.action { true } else { false } }
    if isMuted[0] || snapshot.transport == .stopped, strikes > 0 {
      fault("\(strikes) notes while muted or stopped", now)
    }
    // With several parts the tempo may change in that second.
    guard !hasParts, snapshot.transport != .armed else { return }
    let tempo = snapshot.planned.tempo.milliBPM
    for (pulse, next) in zip(pulses, pulses.dropFirst())
    where abs((next - pulse) * tempo - 2_500_000_000_000) > tempo {
      fault("\(next - pulse) ns between pulses at \(tempo)", now)
    }
    if snapshot.transport == .rolling, snapshot.performed.tempo.milliBPM != tempo {
      fault("\(snapshot.performed.tempo) performed, \(planned.tempo) planned", now)
    }
    if snapshot.transport == .rolling, snapshot.performed.pattern != planned.wantedPattern {
      fault("the pattern wanted has not come", now)
    }
  }

  private mutating func fault(_ text: String, _ time: HostTime) {
    faults.append("\(time.nanoseconds): \(text)")
  }

  // MARK: Choosing

  private mutating func tempo() -> Tempo {
    Tempo(clamping: Int64.random(in: 60_000...300_000, using: &generator))
  }

  private mutating func pattern() throws -> ClickPattern {
    let meters = ["4/4", "3/4", "7/8", "6/8", "1/4", "5/8", "2/4"]
    let meter = try Meter(text: meters.randomElement(using: &generator) ?? "4/4")
    let letters = (0..<meter.beats).map { _ in
      Accent.allCases.randomElement(using: &generator) ?? .weak
    }
    return try ClickPattern(
      meter: meter, accents: AccentPattern(letters),
      subdivision: Int64.random(in: 1...3, using: &generator))
  }

  private mutating func change() -> PlanChange {
    switch Int.random(in: 0..<16, using: &generator) {
    case 0, 1, 2, 3: .toggle
    case 4: .stopToTop
    case 5: .transport(.start)
    case 6: .transport(.stop)
    case 7: .transport(.continue)
    case 8: .tempo(tempo())
    case 9: .tempoStep(Int64.random(in: -5_000...5_000, using: &generator))
    case 10, 11: .togglePolicy
    case 12: .toggleMute(route: Int.random(in: 0..<4, using: &generator))
    case 13: .edit(.meterStep(Int.random(in: -2...2, using: &generator)))
    case 14: .edit(.accent(beat: Int64.random(in: 1...4, using: &generator), step: 1))
    default: .edit(.subdivision(step: Int64.random(in: -2...2, using: &generator)))
    }
  }

  /// Tracks the applied changes independently.
  private mutating func note(_ change: PlanChange, _ outcome: Planner.Outcome) {
    guard outcome == .applied else { return }
    switch change {
    case .togglePolicy: policy = policy == .off ? policyWhenOn : .off
    case .toggleMute(let route): isMuted[route].toggle()
    default: break
    }
  }
}
