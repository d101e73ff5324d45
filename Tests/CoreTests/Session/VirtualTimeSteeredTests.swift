import MIDIClock
import Testing

@testable import MetronomeCore

/// A session without a sequencer that is steered by actions alone: what it says it does and what it
/// sent agree.
@Suite(.serialized) struct VirtualTimeSteeredTests {
  /// A session with all that it has sent and told.
  private struct Run: ~Copyable {
    var session: PlaySession
    let recording: Recording
    var entries: [Recording.Entry] = []
    var reports: [EngineReport] = []
    var outcomes: [ChangeOutcome] = []

    private init(_ session: consuming PlaySession, _ recording: Recording) {
      self.session = session
      self.recording = recording
    }

    static func start(_ settings: PlaySettings) throws -> Run {
      let recording = try #require(settings.recording)
      return Run(try PlaySession.start(settings), recording)
    }

    var state: SessionState { session.state }

    mutating func turn() {
      SystemClock.sleep(until: SystemClock.now + .milliseconds(1))
      reports += session.takeReports()
      outcomes += session.takeOutcomes()
      entries += recording.take()
    }

    /// Goes on until `condition` holds for what is so then; false when it does not for 10 s.
    mutating func run(until condition: (SessionState, [Recording.Entry]) -> Bool) -> Bool {
      let end = SystemClock.now + .seconds(10)
      while SystemClock.now < end {
        turn()
        if condition(session.state, entries) { return true }
      }
      return false
    }

    /// Waits until the engine has ended.
    consuming func finish() -> EngineTally { session.finish() }

    /// Asks for `action`, and waits until it has been handled.
    mutating func ask(_ action: Action) throws -> Planner.Outcome? {
      let asked = session.change(action)
      let change = try #require(asked)
      let isTaken = session.apply(change)
      #expect(isTaken)
      let state = session.state
      #expect(state.pending == [change])
      let isHandled = run { state, _ in state.pending.isEmpty }
      #expect(isHandled)
      #expect(outcomes.last?.change == change)
      return outcomes.last?.outcome
    }
  }

  @Test func `start, tempo, mute, toggle and the end: the state and what was sent agree`() throws {
    var settings = PlaySettings(
      score: Score(pattern: .common, tempo: try #require(Tempo(milliBPM: 240_000))))
    settings.policy = .rolling
    settings.waits = true
    settings.recording = Recording()
    var run = try Run.start(settings)
    for _ in 0..<80 { run.turn() }
    #expect(run.entries.isEmpty)
    #expect(!run.state.isPlaying)
    #expect(run.state.position == nil)

    #expect(try run.ask(.start) == .applied)
    #expect(run.state.isPlaying)
    let isRolling = run.run { state, sent in state.transport == .rolling && sent.count >= 12 }
    #expect(isRolling)
    #expect(run.entries.first?.message == .start)
    #expect(run.state.position?.bar == 1)

    #expect(try run.ask(.tempoStep(1_000)) == .applied)
    #expect(run.state.tempo.milliBPM == 241_000)

    #expect(try run.ask(.mute(0)) == .applied)
    #expect(run.state.isMuted(0))
    let muted = SystemClock.now
    let isFar = run.run { _, sent in sent.count { $0.message == .clock && muted < $0.left } >= 60 }
    #expect(isFar)
    let clicks = run.entries.filter { if case .noteOn = $0.message { true } else { false } }
    #expect(!clicks.isEmpty)
    #expect(clicks.allSatisfy { $0.left < muted })
    let pulses = run.entries.filter { $0.message == .clock && muted < $0.left }.map(\.planned)
    // 60e9 / (24 x 241).
    #expect(
      zip(pulses.dropFirst(), pulses).allSatisfy { abs(($0 - $1).nanoseconds - 10_373_444) <= 1 })

    #expect(try run.ask(.toggle) == .applied)
    #expect(!run.state.isPlaying)
    let isStopped = run.run { state, sent in
      state.isPaused && sent.contains { $0.message == .stop }
    }
    #expect(isStopped)
    #expect(try run.ask(.nudge(5)) == .ignored)
    #expect(try run.ask(.toggle) == .applied)
    let goesOn = run.run { state, sent in
      state.transport == .rolling && sent.contains { $0.message == .continue }
    }
    #expect(goesOn)

    // The end is no change of the plan.
    let end = run.session.change(.quit)
    #expect(end == nil)
    run.session.halt()
    let isFinished = run.run { state, _ in state.snapshot.isFinished }
    #expect(isFinished)
    #expect(!run.state.isPlaying)
    run.turn()
    let words = run.entries.map(\.message).filter {
      [.start, .stop, .continue].contains($0)
    }
    #expect(words == [.start, .stop, .continue, .stop])
    let told = run.reports.compactMap { report -> PlanReport? in
      guard case .plan(let planned) = report.kind else { return nil }
      return [.start, .stop, .continue].contains(planned) ? planned : nil
    }
    #expect(told == [.start, .stop, .continue, .stop])
    let count = run.entries.count { $0.message == .clock }
    let tally = run.finish()
    #expect(Int(tally.pulses) == count)
  }
}
