import Testing

@testable import MIDIClock

/// A plan that is copied, postponed or halted.
struct PlanStateTests {
  private var routes: [Route] {
    [
      Route(), Route(offset: .milliseconds(-10), divide: 3),
      Route(offset: .milliseconds(25), multiply: 7),
      Route(contents: [.clock, .click]), .observer,
    ]
  }

  private func score() throws -> Score {
    let pattern = try ClickPattern(meter: try Meter(text: "7/8"), subdivision: 2, swing: 66_700)
    var score = Score(pattern: pattern, tempo: Tempo(clamping: 97_500))
    score.append(
      bar: 2, pattern: .common, tempo: Tempo(clamping: 97_500),
      ramp: TempoMap.Ramp(target: Tempo(clamping: 180_000), ticks: 3_840))
    score.append(bar: 3, pattern: .common, tempo: Tempo(clamping: 180_000))
    score.end = score.start(ofBar: 4)
    return score
  }

  // MARK: Copies

  @Test func `a copy made at any point plays on identically and independently`() throws {
    var plan = Planner(score: try score(), routes: routes, countInBars: 1)
    let all = plan.copy()
    var whole = all.copy()
    let events = whole.take()
    var given = 0
    while plan.next != nil {
      if given % 17 == 0 {
        var copy = plan.copy()
        #expect(copy.take() == Array(events[given...]))
      }
      plan.advance()
      given += 1
    }
    #expect(given == events.count)
  }

  @Test func `a copy changes without the original`() throws {
    var plan = Planner(score: try score(), routes: routes)
    let before = plan.copy()
    var untouched = before.copy()
    _ = plan.take(untilMilliseconds: 500)
    #expect(
      plan.apply(.tempo(Tempo(clamping: 60_000)), at: HostTime(nanoseconds: 600_000_000))
        == .applied)
    _ = plan.take()
    var other = Planner(score: try score(), routes: routes)
    #expect(untouched.take() == other.take())
  }

  // MARK: Putting off

  @Test func `a shift postpones everything not yet sent by exactly that much`() throws {
    for taken in [0, 1, 2, 7, 100, 333] {
      var plan = Planner(
        score: try score(), routes: routes, limit: .time(HostTime(nanoseconds: 4_000_000_000)))
      for _ in 0..<taken { plan.advance() }
      var same = plan.copy()
      plan.shift(by: .milliseconds(1_234))
      // Sounding notes end as planned; everything else is postponed.
      let shifted = plan.take().filter { !$0.isNoteOff }
      let wanted = same.take().filter { !$0.isNoteOff }.map { event in
        var event = event
        event.time = event.time + .milliseconds(1_234)
        return event
      }
      #expect(shifted == wanted)
    }
  }

  // MARK: Halting

  @Test func `a halt at any event ends exactly the sounding notes, then stops what was started`()
    throws
  {
    var plan = Planner(score: try score(), routes: routes, countInBars: 1)
    var listeners = [
      ConformanceChecker(), ConformanceChecker(), ConformanceChecker(),
      ConformanceChecker(contents: [.clock, .click]),
    ]
    while let event = plan.next {
      for instant in [event.time, event.time - HostTime.Span(nanoseconds: 1)] {
        var halted = plan.copy()
        halted.halt(at: instant)
        var heard = listeners
        let last = halted.take()
        #expect(halted.isFinished == true)
        #expect(halted.next == nil)
        for end in last {
          #expect(end.time == instant)
          // Events at this instant came before.
          if end.route < 4 { heard[end.route].hear(end, at: event.time + .microseconds(1)) }
        }
        for (route, listener) in heard.enumerated() {
          #expect(listener.faults.isEmpty)
          #expect(listener.sounding.isEmpty)
          // Exactly one note-off per sounding key, and one Stop if started and carried by the
          // route.
          let sounding = listeners[route].sounding.count
          let stops = listeners[route].isRolling && route != 3 ? 1 : 0
          let sent = last.filter { $0.route == route }
          guard sent.count == sounding + stops, sent.dropLast(stops).allSatisfy(\.isNoteOff) else {
            Issue.record("\(sent) for \(sounding) keys and \(stops) stops")
            return
          }
        }
        let observed = last.filter { $0.route == 4 }.map(\.action)
        #expect(observed.isEmpty || observed == [.report(.stop)])
      }
      if event.route < 4 { listeners[event.route].hear(event) }
      plan.advance()
    }
    // At the end there is nothing left to halt.
    plan.halt(at: HostTime(nanoseconds: 60_000_000_000))
    #expect(plan.next == nil)
  }

  @Test func `after a halt nothing can be changed`() throws {
    var plan = Planner(score: try score(), routes: routes)
    _ = plan.take(untilMilliseconds: 500)
    plan.halt(at: HostTime(nanoseconds: 500_000_000))
    for change in [.tempo(.standard), .pattern(.common), .transport(.start), .transport(.continue)]
      as [PlanChange]
    {
      #expect(plan.apply(change, at: HostTime(nanoseconds: 500_000_000)) == .ignored)
    }
    #expect(plan.isRolling == false)
  }

  @Test func `a plan without routes has no events`() throws {
    var plan = Planner(score: try score(), routes: [])
    #expect(plan.next == nil)
  }
}
