import Testing

@testable import MIDIClock

@Suite("Pulses lost and doubled in transit")
struct ClockFollowerRepairTests {
  /// The number of pulses in ten minutes at 120.
  static let tenMinutes = 28_800

  /// Sends `count` pulses, number n `copies(n)` times, and returns the session.
  static func play(
    _ count: Int, repairs: Bool, jitter: Double = 0.000_05, bpm: Double = 120,
    copies: (Int) -> Int
  ) -> Session {
    var random = Seeded(7)
    var session = Session(repairs: repairs)
    session.receive(.start, at: 0.999)
    for pulse in 0..<count {
      let time = 1 + Double(pulse) * period(bpm) + jitter * random.gaussian()
      for copy in 0..<copies(pulse) {
        session.receive(.clock, at: time + Double(copy) * 0.000_3)
      }
    }
    return session
  }

  @Test
  func `With one in fifty lost for ten minutes the count ends on the right pulse`() {
    var session = Self.play(Self.tenMinutes, repairs: true) { $0 % 50 == 49 ? 0 : 1 }
    // The last pulse is number 28 798, because 28 799 was lost.
    #expect(session.follower.pulse == 28_798)
    #expect(session.follower.missing == 575)
    #expect(session.follower.extra == 0)
    #expect(session.beats.count == 1_200)
    #expect(session.beats.map(\.pulse) == (0..<1_200).map { $0 * 24 })
    // Reported at most six pulses late, with the beat's own time.
    for (number, beat) in session.beats.enumerated().dropFirst(8) {
      let stampError = (beat.stamp - instant(1 + Double(number) / 2)).nanoseconds
      #expect((-250_000...125_500_000).contains(stampError))
    }
  }

  @Test
  func `With one in fifty doubled for ten minutes the count ends on the right pulse`() {
    var session = Self.play(Self.tenMinutes, repairs: true) { $0 % 50 == 25 ? 2 : 1 }
    #expect(session.follower.pulse == 28_799)
    #expect(session.follower.extra == 576)
    #expect(session.follower.missing == 0)
    #expect(session.beats.map(\.pulse) == (0..<1_200).map { $0 * 24 })
  }

  @Test(arguments: [0.000_3, 0.001])
  func `Repair works with jitter`(jitter: Double) {
    var session = Self.play(Self.tenMinutes, repairs: true, jitter: jitter) {
      $0 % 50 == 30 ? 0 : $0 % 50 == 40 ? 2 : 1
    }
    #expect(session.follower.pulse == 28_799)
  }

  @Test
  func `Without repair the count follows the specification, and each loss is reported once`() {
    var session = Self.play(2_400, repairs: false) { $0 % 600 == 300 ? 0 : 1 }
    #expect(session.follower.pulse == 2_395)
    let suspicions = session.events.compactMap { (report) -> Int64? in
      guard case .suspected(_, let pulses) = report else { return nil }
      return pulses
    }
    #expect(suspicions == [1, 1, 1, 1])
    #expect(session.beats.map(\.pulse) == (0..<100).map { $0 * 24 })
  }

  @Test
  func `A loss is confirmed by the sixth pulse after it, no sooner`() {
    var session = Session(repairs: true)
    session.receive(.start, at: 0.999)
    session.receive(pulses: pulses(100, bpm: 120, from: 1))
    let later = pulses(6, bpm: 120, from: 1 + 102 * period(120))
    session.receive(pulses: Array(later.dropLast()))
    #expect(session.follower.pulse == 104)
    session.receive(.clock, at: later[5])
    #expect(session.follower.pulse == 107)
    #expect(session.events.contains(.repaired(at: instant(later[5]), pulses: 2)))
  }

  @Test
  func `A beat skipped by a repair is reported late, once, with its own time`() throws {
    var session = Session(repairs: true)
    session.receive(.start, at: 0.999)
    session.receive(pulses: pulses(91, bpm: 120, from: 1))
    // Pulses 91 to 93 are lost; pulse 96 is counted as 93.
    session.receive(pulses: pulses(40, bpm: 120, from: 1 + 94 * period(120)))
    let beat = try #require(session.beats.first { $0.pulse == 96 })
    #expect(session.beats.filter { $0.pulse == 96 }.count == 1)
    #expect(beat.stamp == instant(1 + 99 * period(120)))
    #expect((beat.time - instant(3)).nanoseconds.magnitude < 1_000)
    #expect(session.beats.map(\.pulse) == [0, 24, 48, 72, 96, 120])
  }

  @Test
  func `A burst after a stall is late, not lost`() {
    for repairs in [false, true] {
      var session = Session(repairs: repairs)
      session.receive(.start, at: -0.001)
      session.receive(pulses: pulses(48, bpm: 120))
      session.elapse(to: 1.2)
      session.receive(pulses: Array(repeating: 1.25, count: 13))
      #expect(session.follower.pulse == 60)
      session.receive(pulses: pulses(200, bpm: 120, from: 61 * period(120)))
      #expect(session.follower.pulse == 260)
      #expect(session.follower.missing == 0)
      #expect(session.follower.extra == 0)
      #expect(session.places.prefix(4) == ["1|1|0@0", "1|2|0@24", "1|3|0@48", "1|4|0@72"])
      #expect(session.beats[2].stamp == instant(1.25))
      for reading in session.readings {
        #expect((119.9...120.1).contains(reading.bpm))
        #expect(reading.rawBPM.map { $0 < 300 } ?? true)
      }
      #expect(session.events.count == 2 + session.beats.count)
    }
  }

  @Test
  func `Overdue pulses half a period apart are late, not lost`() {
    var session = Session(repairs: true)
    session.receive(.start, at: -0.001)
    session.receive(pulses: pulses(100, bpm: 120))
    // Stalled for seven periods, then a pulse every half period until it has caught up.
    let free = 107 * period(120)
    for late in 0..<15 { session.receive(.clock, at: free + Double(late) * period(120) / 2) }
    session.receive(pulses: pulses(100, bpm: 120, from: 115 * period(120)))
    #expect(session.follower.pulse == 214)
    #expect(session.follower.missing == 0)
    #expect(session.follower.extra == 0)
    for reading in session.readings { #expect((119.5...120.5).contains(reading.bpm)) }
  }

  @Test(arguments: [
    // Pairs, every second pulse one period late: two clocks merged into one message.
    [0.0, 1], [0.0, 0.5, 0, -0.5], [0, 0.3], [0, 0, 0.45, 0.45, 0.2, 0],
    [0, 0, 0, 0, 0, 0, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4],
  ])
  func `An uneven leader is never repaired`(displacements: [Double]) {
    var session = Session(repairs: true)
    session.receive(.start, at: 0)
    for pulse in 0..<4_800 {
      let shift = displacements[pulse % displacements.count]
      session.receive(.clock, at: 1 + (Double(pulse) + shift) * period(120))
    }
    #expect(session.follower.pulse == 4_799)
    #expect(session.beats.map(\.pulse) == (0..<200).map { $0 * 24 })
  }

  @Test
  func `A leader that wakes at a fixed rate and sends all due pulses is never repaired`() {
    var session = Session(repairs: true)
    session.receive(.start, at: 0)
    var sent = 0
    for wake in 1...3_000 {
      let now = Double(wake) * 0.033_37
      while Double(sent) * period(133.7) <= now {
        session.receive(.clock, at: 1 + now)
        sent += 1
      }
    }
    #expect(session.follower.pulse == Int64(sent) - 1)
  }

  @Test(arguments: [60.0, 72, 90, 110, 114, 126, 132, 150, 180, 240])
  func `A tempo change is never taken for lost or doubled pulses`(bpm: Double) {
    var session = Session(repairs: true)
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(201, bpm: 120, from: 1))
    session.receive(pulses: pulses(300, bpm: bpm, from: 1 + 200 * period(120) + period(bpm)))
    #expect(session.follower.pulse == 500)
    #expect(session.bpm == bpm)
  }

  /// What a follower makes of a step from `old` to `new` after `count` pulses.
  static func step(
    from old: Double, to new: Double, after count: Int = 96, jitter: Double = 0, seed: UInt64 = 1
  ) -> (isCounted: Bool, isSteady: Bool) {
    var random = Seeded(seed)
    var follower = ClockFollower(repairs: true)
    follower.receive(.start, at: instant(0.9))
    var time = 1.0
    var isSteady = true
    for pulse in 0..<count + 48 {
      let scatter = jitter > 0 ? jitter * random.gaussian() : 0
      follower.receive(.clock, at: instant(time + scatter))
      while let report = follower.nextReport() {
        switch report {
        case .repaired, .suspected: isSteady = false
        default: break
        }
      }
      time += period(pulse < count ? old : new)
    }
    let isCounted =
      follower.pulse == Int64(count) + 47 && follower.missing == 0 && follower.extra == 0
    return (isCounted, isSteady)
  }

  /// `make bench-follow` does all by 2.
  static let tempos = Array(stride(from: 40.0, through: 240, by: 4))

  @Test(arguments: tempos)
  func `A step between any two tempos of an exact clock is not a loss`(old: Double) {
    for new in Self.tempos {
      let outcome = Self.step(from: old, to: new, after: 24)
      #expect(outcome.isCounted && outcome.isSteady, "\(old) to \(new)")
    }
  }

  @Test(arguments: [0.000_3, 0.001])
  func `A step of a clock with jitter is not a loss`(jitter: Double) {
    var random = Seeded(10_100)
    for seed in UInt64(0)..<400 {
      let old = 40 + 2 * (101 * random.uniform()).rounded(.down)
      let new = 40 + 2 * (101 * random.uniform()).rounded(.down)
      let count = seed % 3 == 0 ? 24 : 96
      let outcome = Self.step(from: old, to: new, after: count, jitter: jitter, seed: seed)
      #expect(outcome.isCounted && outcome.isSteady, "\(old) to \(new), seed \(seed)")
    }
  }

  @Test(arguments: [0, 0.000_3, 0.001])
  func `Songs of sections and ramps end on the right pulse`(jitter: Double) {
    for seed in UInt64(0)..<20 {
      var random = Seeded(seed)
      var session = Session(repairs: true)
      session.receive(.start, at: 0.9)
      var time = 1.0
      var bpm = 120.0
      var count: Int64 = 0
      for section in 0..<8 {
        let pulses = 24 * (2 + Int(8 * random.uniform()))
        let old = bpm
        let next = 40 + 200 * random.uniform()
        let isRamp = section > 0 && random.uniform() < 0.3
        for pulse in 1...pulses {
          let scatter = jitter > 0 ? jitter * random.gaussian() : 0
          session.receive(.clock, at: time + scatter)
          bpm = isRamp ? old + (next - old) * Double(pulse) / Double(pulses) : next
          time += period(bpm)
          count += 1
        }
      }
      #expect(session.follower.pulse == count - 1, "seed \(seed)")
      #expect(session.follower.missing == 0 && session.follower.extra == 0, "seed \(seed)")
    }
  }

  @Test
  func `A grid restarted off phase at Start is not a loss and does not change the tempo`() {
    for fraction in [0.1, 0.3, 0.5, 0.7, 0.93] {
      var session = Session(repairs: true)
      session.receive(pulses: pulses(100, bpm: 120))
      let start = (99 + fraction) * period(120)
      session.receive(.start, at: start)
      session.receive(pulses: pulses(200, bpm: 120, from: start + period(120)))
      #expect(session.follower.pulse == 199)
      #expect(session.follower.missing == 0)
      for reading in session.readings.dropFirst(10) {
        #expect((119.5...120.5).contains(reading.bpm))
      }
      let beat = session.beats[4]
      #expect((beat.time - beat.stamp).nanoseconds.magnitude < 20_000)
    }
  }
}
