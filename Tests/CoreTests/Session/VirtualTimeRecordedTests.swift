import MIDIClock
import Testing

@testable import MetronomeCore

/// A whole session without a sequencer, with the real thread and the real clock.
///
/// In the guest, where a busy machine stalls nothing: a stall moves the grid. Only planned times and
/// the order are checked exactly, and that nothing was sent before its time.
@Suite(.serialized) struct VirtualTimeRecordedTests {
  /// The messages sent and the reports.
  private struct Run {
    var entries: [Recording.Entry] = []
    var reports: [EngineReport] = []
    var origin = HostTime.zero
    var tally = EngineTally()

    func entries(on route: Int) -> [Recording.Entry] { entries.filter { $0.route == route } }

    func words(on route: Int) -> [MIDIMessage] {
      entries(on: route).map(\.message).filter { $0 != .clock }
    }
  }

  private func settings(_ milliBPM: Int64, _ contents: Route.Contents) throws -> PlaySettings {
    let tempo = try #require(Tempo(milliBPM: milliBPM))
    var settings = PlaySettings(score: Score(pattern: .common, tempo: tempo))
    settings.general.contents = contents
    settings.policy = .rolling
    settings.recording = Recording()
    return settings
  }

  /// Plays until `end` after pulse 0, calling `step` each millisecond with what has been sent so
  /// far.
  private func play(
    _ settings: PlaySettings, until end: HostTime.Span,
    _ step: (inout PlaySession, [Recording.Entry]) throws -> Void = { _, _ in }
  ) throws -> Run {
    let recording = try #require(settings.recording)
    var leader = try PlaySession.start(settings)
    let dispatch = leader.dispatch
    #expect(dispatch.mode == .precise)
    #expect(dispatch.reason == .noSequencer)
    var run = Run()
    run.origin = leader.origin
    var isHalted = false
    while !run.reports.contains(where: { $0.kind == .finished }) {
      SystemClock.sleep(until: SystemClock.now + .milliseconds(1))
      run.reports += leader.takeReports()
      run.entries += recording.take()
      try step(&leader, run.entries)
      if !isHalted, leader.origin + end <= SystemClock.now {
        isHalted = true
        leader.halt()
      }
    }
    run.tally = leader.finish()
    run.entries += recording.take()
    for entry in run.entries where entry.message == .clock {
      #expect(!(entry.left < entry.planned))
    }
    let left = run.entries.map(\.left)
    #expect(left == left.sorted())
    return run
  }

  @Test
  func `it starts with Start and pulses on the grid, and halts with Stop and nothing after it`()
    throws
  {
    let run = try play(
      settings(133_700, [.clock, .transport]), until: .milliseconds(600))
    #expect(run.words(on: 0) == [.start, .stop])
    #expect(run.entries.first?.message == .start)
    #expect(run.entries.last?.message == .stop)
    let pulses = run.entries(on: 0).filter { $0.message == .clock }
    #expect(pulses.count == Int(run.tally.pulses))
    #expect(pulses.count > 24)
    for (number, pulse) in pulses.enumerated() {
      // n x 60e9 / (24 x 133.7), rounded, computed independently in integers.
      let exact = (Int64(number) * 2_500_000_000_000 * 2 + 133_700) / (2 * 133_700)
      #expect((pulse.planned - run.origin).nanoseconds == exact)
    }
    #expect(run.tally.lateness.maximum > .zero)
    #expect(run.tally.refused == 0)
  }

  @Test func `a new tempo continues from the old tempo line`() throws {
    var isChanged = false
    let faster = try #require(Tempo(milliBPM: 240_000))
    let run = try play(settings(120_000, .clock), until: .milliseconds(700)) { leader, entries in
      guard !isChanged, entries.count >= 12 else { return }
      isChanged = true
      let isTaken = leader.apply(.tempo(faster))
      #expect(isTaken)
    }
    let told = run.reports.compactMap { report in
      if case .plan(.tempo(faster)) = report.kind { report.time } else { nil as HostTime? }
    }
    let change = try #require(told.first)
    #expect(told.count == 1)
    let planned = run.entries.map(\.planned)
    let gaps = zip(planned.dropFirst(), planned).map { ($0 - $1).nanoseconds }
    let before = planned.filter { $0 < change }.count
    #expect(before >= 12 && before + 2 < planned.count)
    #expect(gaps.prefix(before - 1).allSatisfy { abs($0 - 20_833_333) <= 1 })
    #expect(gaps.dropFirst(before).allSatisfy { abs($0 - 10_416_667) <= 1 })
    // The gap that contains the change is partly of each tempo.
    #expect((10_416_666...20_833_334).contains(gaps[before - 1]))
  }

  @Test func `a muted route stops clicking while the other plays on`() throws {
    var settings = try settings(240_000, .click)
    settings.destinations = [Destination(address: "nobody", route: Route(contents: .click))]
    var isMuted = false
    let run = try play(settings, until: .milliseconds(1_400)) { leader, entries in
      guard !isMuted, entries.count(where: { $0.route == 0 }) >= 2 else { return }
      isMuted = true
      let isTaken = leader.apply(.mute(route: 0, true))
      #expect(isTaken)
    }
    func clicks(_ route: Int) -> Int {
      run.words(on: route).count { if case .noteOn = $0 { true } else { false } }
    }
    #expect((1...3).contains(clicks(0)))
    #expect((4...6).contains(clicks(1)))
    // Every note that began has ended.
    for route in [0, 1] {
      let ends = run.words(on: route).count { if case .noteOff = $0 { true } else { false } }
      #expect(ends == clicks(route))
    }
  }

  @Test func `stopping and continuing keep the count`() throws {
    var next = 0
    let changes: [(pulses: Int, change: PlanChange)] = [
      (10, .transport(.stop)), (10, .transport(.continue)),
    ]
    let run = try play(
      settings(120_000, [.clock, .transport, .position]), until: .milliseconds(900)
    ) { leader, entries in
      guard next < changes.count else { return }
      let pulses = entries.count { $0.message == .clock }
      let isStopped = entries.contains { $0.message == .stop }
      guard pulses >= changes[next].pulses, isStopped == (next == 1) else { return }
      let isTaken = leader.apply(changes[next].change)
      #expect(isTaken)
      next += 1
    }
    #expect(run.words(on: 0) == [.start, .stop, .continue, .stop])
    #expect(run.entries.count { $0.message == .clock } == Int(run.tally.pulses))
  }

  @Test func `the snapshot matches the recording and gives the outcome of each change`() throws {
    var next = 0
    let changes: [PlanChange] = [
      .tempoStep(1_000), .toggleMute(route: 0), .offsetStep(route: 9, .milliseconds(1)), .toggle,
    ]
    var outcomes: [Planner.Outcome] = []
    var last: PlanSnapshot?
    let run = try play(settings(240_000, .all), until: .milliseconds(700)) { leader, entries in
      let snapshot = leader.snapshot
      last = snapshot
      guard snapshot.handled.number == leader.lastChange else { return }
      if next > outcomes.count { outcomes.append(snapshot.handled.outcome) }
      guard next < changes.count, entries.count >= 12 else { return }
      let isTaken = leader.apply(changes[next])
      #expect(isTaken)
      next += 1
    }
    #expect(outcomes == [.applied, .applied, .ignored, .applied])
    let snapshot = try #require(last)
    #expect(snapshot.handled.number == 4)
    #expect(snapshot.planned.tempo.milliBPM == 241_000)
    #expect(snapshot.planned.isMuted(0))
    #expect(snapshot.transport == .stopped)
    #expect(run.words(on: 0).count { $0 == .stop } == 1)
  }

  @Test func `a panic goes between the pulses and drops none of them`() throws {
    var isAsked = false
    let run = try play(settings(240_000, .clock), until: .milliseconds(500)) { leader, entries in
      guard !isAsked, entries.count >= 5 else { return }
      isAsked = true
      leader.panic()
    }
    #expect(run.words(on: 0).count == 32)
    let pulses = run.entries.filter { $0.message == .clock }.map(\.planned)
    let gaps = zip(pulses.dropFirst(), pulses).map { ($0 - $1).nanoseconds }
    #expect(gaps.allSatisfy { abs($0 - 10_416_667) <= 1 })
  }
}
