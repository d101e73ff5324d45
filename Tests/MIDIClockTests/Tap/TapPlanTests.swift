import Testing
import TestSupport

@testable import MIDIClock

/// Changes of the plan that taps make: re-phasing, and a start on a beat.
struct TapPlanTests {
  private func plan(
    _ milliBPM: Int64 = 120_000, routes: [Route] = [Route()], policy: ClockPolicy = .always,
    meter: String = "4/4", startBar: Int64 = 1, waits: Bool = false
  ) throws -> Planner {
    Planner(
      score: Score(
        pattern: ClickPattern(plain: try Meter(text: meter)), tempo: Tempo(clamping: milliBPM)),
      routes: routes + [.observer], policy: policy, startBar: startBar, waits: waits)
  }

  private func milliseconds(_ count: Int64) -> HostTime { .zero + .milliseconds(count) }

  @Test(
    arguments: stride(from: Int64(5_000), to: 5_700, by: 37).map { $0 }, [96_000, 120_000, 152_345])
  func `the beat after next and all following are on the line`(beat: Int64, milliBPM: Int64)
    throws
  {
    let tempo = Tempo(clamping: milliBPM)
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 5_123)
    #expect(
      plan.apply(.align(tempo, beat: milliseconds(beat)), at: milliseconds(5_123)) == .applied)
    events += plan.take(untilMilliseconds: 12_000)
    // Beat 11 is at 5.5 s, less than a beat after the change; all beats from 12 on are moved.
    let beats = events.beats
    let period = 60e12 / Double(milliBPM)
    for (time, _) in beats.dropFirst(12) {
      let off = Double(time - beat * 1_000_000) / period
      #expect((off - off.rounded()).magnitude * period < 2)
    }
    // The nearest beat: none is moved by more than half a beat.
    let unmoved = Double(beats[12].time)
    let wouldBe = 5_123e6 + (6_000 - 5_123) / 500.0 * period
    #expect((unmoved - wouldBe).magnitude <= period / 2 + 600_000)
    // The count continues without gaps.
    #expect(beats.map(\.beat.pulse) == beats.indices.map { Int64($0) * 24 })
    #expect(beats.map(\.beat.position.bar) == beats.indices.map { Int64($0) / 4 + 1 })
    #expect(events.heard().faults.isEmpty)
    // Never closer than half a period; no gap longer than two.
    let pulses = events.pulses()
    let closest = zip(pulses, pulses.dropFirst()).map { $1 - $0 }.min() ?? 0
    let widest = zip(pulses, pulses.dropFirst()).map { $1 - $0 }.max() ?? 0
    #expect(Double(closest) >= min(period, 500e6) / 48 - 2_000)
    #expect(Double(widest) <= max(period, 500e6) / 24 * 1.51)
  }

  @Test func `the reported tempo is the tapped one, not that of the transition`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 2_100)
    let tempo = Tempo(clamping: 110_000)
    #expect(
      plan.apply(.align(tempo, beat: milliseconds(2_300)), at: milliseconds(2_100)) == .applied)
    events += plan.take(untilMilliseconds: 6_000)
    let reported = events.compactMap { event -> Tempo? in
      if case .report(.tempo(let tempo)) = event.action { return tempo }
      return nil
    }
    #expect(reported == [tempo])
    #expect(events.beats.dropFirst(5).allSatisfy { $0.beat.tempo == tempo })
  }

  @Test func `a beat already in phase is not moved`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 2_100)
    #expect(
      plan.apply(.align(.standard, beat: milliseconds(1_000)), at: milliseconds(2_100)) == .applied)
    events += plan.take(untilMilliseconds: 5_000)
    for (pulse, time) in events.pulses().enumerated() {
      #expect((time - Oracle.pulse(UInt64(pulse), milliBPM: 120_000)).magnitude <= 2)
    }
  }

  @Test func `a stop during re-phasing is immediate, and the clock continues at the new tempo`()
    throws
  {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 2_100)
    let tempo = Tempo(clamping: 100_000)
    #expect(
      plan.apply(.align(tempo, beat: milliseconds(2_350)), at: milliseconds(2_100)) == .applied)
    events += plan.take(untilMilliseconds: 2_300)
    #expect(plan.apply(.transport(.stop), at: milliseconds(2_300)) == .applied)
    events += plan.take(untilMilliseconds: 4_000)
    let stops = events.times { $0 == .stop }
    #expect(stops.count == 1 && stops[0] - 2_300_000_000 < 1_000_000)
    let after = events.pulses().filter { $0 > 2_400_000_000 }
    for (first, second) in zip(after, after.dropFirst()) {
      #expect((second - first - 25_000_000).magnitude <= 1)
    }
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `two taps in one transition, an eighth, and a postponed plan keep the count`() throws {
    var plan = try plan(meter: "7/8")
    var events: [PlannedEvent] = []
    for tap in 0..<12 {
      let now = 1_000 + Int64(tap) * 220
      events += plan.take(untilMilliseconds: now)
      let tempo = Tempo(clamping: 130_000 + Int64(tap) * 500)
      #expect(
        plan.apply(.align(tempo, beat: milliseconds(now - 3)), at: milliseconds(now)) == .applied)
    }
    events += plan.take(untilMilliseconds: 8_000)
    #expect(events.beats.map(\.beat.pulse) == events.beats.indices.map { Int64($0) * 12 })
    #expect(events.heard().faults.isEmpty)
    // The line of the last tap: eighths at 135.5 from 3.417 s.
    let eighth = 30e12 / 135_500.0
    let off = Double((events.beats.last?.time ?? 0) - 3_417_000_000) / eighth
    #expect((off - off.rounded()).magnitude * eighth < 2)
  }

  @Test func `taps finer than the meter's beats do not move it back and forth`() throws {
    var plan = try plan()
    var events: [PlannedEvent] = []
    let eighth = try #require(NoteValue(text: "1/8"))
    for tap in 0..<16 {
      let now = 1_000 + Int64(tap) * 250
      events += plan.take(untilMilliseconds: now)
      #expect(
        plan.apply(.align(.standard, beat: milliseconds(now), unit: eighth), at: milliseconds(now))
          == .applied)
    }
    events += plan.take(untilMilliseconds: 6_000)
    for (pulse, time) in events.pulses().enumerated() {
      #expect((time - Oracle.pulse(UInt64(pulse), milliBPM: 120_000)).magnitude <= 2)
    }
    #expect(!events.contains { if case .report(.tempo) = $0.action { true } else { false } })
  }

  @Test func `a tempo is reported when it changes, however soon the next change comes`() throws {
    var plan = try plan()
    var events = plan.take(untilMilliseconds: 2_000)
    let tempo = Tempo(clamping: 110_000)
    for tap in 0..<6 {
      let now = 2_100 + Int64(tap) * 545
      #expect(
        plan.apply(.align(tempo, beat: milliseconds(now - 4)), at: milliseconds(now)) == .applied)
      // Back to the first immediately, before it has been reported.
      if tap == 0 {
        #expect(plan.apply(.tempo(tempo), at: milliseconds(now)) == .applied)
      }
      events += plan.take(untilMilliseconds: now + 540)
    }
    let reported = events.compactMap { event -> Tempo? in
      if case .report(.tempo(let tempo)) = event.action { return tempo }
      return nil
    }
    #expect(reported == [tempo])
  }

  @Test(
    arguments: [10_000, 33_333, 96_000, 133_700, 240_000, 400_000],
    ["4/4", "7/8", "6/8", "5/4", "2/2", "13/16"])
  func `64 uneven taps, each of which re-phases: no pulse lost, doubled or too close`(
    milliBPM: Int64, meter: String
  ) throws {
    var random = SeededGenerator(seed: UInt64(milliBPM) &+ UInt64(meter.utf8.count))
    var plan = try plan(milliBPM, meter: meter)
    var events: [PlannedEvent] = []
    let period = 60_000_000_000_000 / milliBPM
    var now = period / 3
    var fastest = milliBPM
    for _ in 0..<64 {
      now += period + Int64.random(in: -period / 12...period / 12, using: &random)
      events += plan.take(until: HostTime(nanoseconds: now))
      let tempo = Tempo(clamping: milliBPM + Int64.random(in: -9_000...9_000, using: &random))
      fastest = max(fastest, tempo.milliBPM)
      #expect(
        plan.apply(
          .align(tempo, beat: HostTime(nanoseconds: now - 700_000)),
          at: HostTime(nanoseconds: now)) == .applied)
    }
    events += plan.take(until: HostTime(nanoseconds: now + 8 * period))
    #expect(events.heard().faults.isEmpty)
    let pulses = events.pulses()
    let closest = zip(pulses, pulses.dropFirst()).map { $1 - $0 }.min() ?? 0
    #expect(closest >= 60_000_000_000_000 / fastest / 48 - 2_000)
    let beats = events.beats.map(\.beat)
    let unit = (beats.dropFirst().first?.pulse ?? 0) - (beats.first?.pulse ?? 0)
    #expect(beats.map(\.pulse) == beats.indices.map { Int64($0) * unit })
    let count = Int64(try Meter(text: meter).beats)
    #expect(beats.map(\.position.bar) == beats.indices.map { Int64($0) / count + 1 })
    #expect(events.messages().filter { $0.hasPrefix("F") } == ["FA"])
  }

  @Test(arguments: [ClockPolicy.always, .rolling, .off])
  func `a tempo set while stopped applies to the next start`(policy: ClockPolicy) throws {
    var plan = try plan(policy: policy)
    var events = plan.take(untilMilliseconds: 1_000)
    #expect(plan.apply(.transport(.stop), at: milliseconds(1_000)) == .applied)
    events += plan.take(untilMilliseconds: 2_000)
    #expect(plan.apply(.tempo(Tempo(clamping: 90_000)), at: milliseconds(2_000)) == .applied)
    events += plan.take(untilMilliseconds: 3_000)
    #expect(plan.apply(.transport(.continue), at: milliseconds(3_000)) == .applied)
    events += plan.take(untilMilliseconds: 8_000)
    let beats = events.beats.filter { $0.time > 3_000_000_000 }
    #expect(beats.count > 5)
    for (first, second) in zip(beats, beats.dropFirst()) {
      #expect((second.time - first.time - 666_666_667).magnitude <= 2)
    }
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `a long stall during re-phasing also delays what follows`() throws {
    var plan = try plan()
    _ = plan.take(untilMilliseconds: 2_100)
    #expect(
      plan.apply(.align(.standard, beat: milliseconds(2_250)), at: milliseconds(2_100)) == .applied)
    plan.shift(by: .milliseconds(10_000))
    let beats = plan.take(untilMilliseconds: 16_000).beats
    #expect(beats.last.map { ($0.time - 250_000_000) % 500_000_000 } == 0)
  }

  // MARK: The tapped count-in

  @Test func `while waiting, pulses run at the given tempo and the song does not move`() throws {
    var plan = try plan(waits: true)
    let events = plan.take(untilMilliseconds: 3_000)
    #expect(events.pulses().count == 145)
    #expect(events.messages().isEmpty && events.beats.isEmpty)
    var quiet = try self.plan(policy: .rolling, waits: true)
    #expect(quiet.take(untilMilliseconds: 3_000).isEmpty)
    let isFinished = quiet.isFinished
    #expect(!isFinished)
  }

  @Test(arguments: [ClockPolicy.always, .rolling], [2_001, 2_190, 2_333, 2_600, 2_601])
  func `Start 1 ms before the beat, its pulse and click on it`(policy: ClockPolicy, at: Int64)
    throws
  {
    var plan = try plan(policy: policy, waits: true)
    var events = plan.take(untilMilliseconds: 2_000)
    let tempo = Tempo(clamping: 100_000)
    // If a beat is too near, the start is on the next one.
    let due = at < 2_003 ? at + 600 : at
    #expect(
      plan.apply(.startOnBeat(tempo, at: milliseconds(at)), at: milliseconds(2_000)) == .applied)
    events += plan.take(untilMilliseconds: 6_000)
    #expect(events.times { $0 == .start } == [due * 1_000_000 - 1_000_000])
    #expect(events.noteOns().first == due * 1_000_000)
    let song = events.pulses().filter { $0 >= due * 1_000_000 }
    for (pulse, time) in song.enumerated() {
      #expect(time == due * 1_000_000 + Oracle.pulse(UInt64(pulse), milliBPM: 100_000))
    }
    #expect(events.heard().faults.isEmpty)
    // Earlier pulses are in phase with it.
    let before = events.pulses().filter { $0 < due * 1_000_000 && $0 > 2_025_000_000 }
    if policy == .rolling { #expect(before.isEmpty) }
    for time in before { #expect((due * 1_000_000 - time) % 25_000_000 == 0) }
    let all = events.pulses()
    let closest = zip(all, all.dropFirst()).map { $1 - $0 }.min() ?? 0
    #expect(closest >= 12_499_999)
  }

  @Test func `after a Stop the next start is from the top; the first from the requested bar`()
    throws
  {
    var plan = try plan(startBar: 3, waits: true)
    var events = plan.take(untilMilliseconds: 1_000)
    #expect(
      plan.apply(.startOnBeat(.standard, at: milliseconds(1_500)), at: milliseconds(1_000))
        == .applied)
    events += plan.take(untilMilliseconds: 3_000)
    #expect(plan.apply(.transport(.stop), at: milliseconds(3_000)) == .applied)
    events += plan.take(untilMilliseconds: 4_000)
    #expect(
      plan.apply(.startOnBeat(.standard, at: milliseconds(4_500)), at: milliseconds(4_000))
        == .applied)
    events += plan.take(untilMilliseconds: 4_900)
    #expect(
      events.messages().filter { $0.hasPrefix("F") } == ["F2 20 00", "FB", "FC", "FA"])
    #expect(events.heard().faults.isEmpty)
  }

  @Test func `while the song is playing it is ignored`() throws {
    var plan = try plan()
    _ = plan.take(untilMilliseconds: 1_000)
    #expect(
      plan.apply(.startOnBeat(.standard, at: milliseconds(1_500)), at: milliseconds(1_000))
        == .ignored)
  }

  @Test func `a waiting plan can be started and ended manually`() throws {
    var plan = try plan(waits: true)
    _ = plan.take(untilMilliseconds: 1_000)
    #expect(plan.apply(.transport(.continue), at: milliseconds(1_000)) == .applied)
    #expect(plan.take(untilMilliseconds: 2_000).messages().first == "FA")
    plan.halt(at: milliseconds(2_000))
    #expect(plan.take().messages().last == "FC")
    let isFinished = plan.isFinished
    #expect(isFinished)
  }
}
