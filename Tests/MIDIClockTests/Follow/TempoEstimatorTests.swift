import Testing

@testable import MIDIClock

@Suite("The tempo estimated from a clock")
struct TempoEstimatorTests {
  /// The tempo after each of `stamps`, in seconds.
  static func readings(_ stamps: [Double]) -> [Double?] {
    var estimator = TempoEstimator()
    return stamps.map { stamp in
      estimator.receive(instant(stamp))
      return estimator.bpm
    }
  }

  static func rounded(_ bpm: Double?) -> Double? {
    bpm.map { ($0 * 1_000).rounded() / 1_000 }
  }

  @Test
  func `Twenty-four pulses make a quarter`() {
    let shown = Self.readings(pulses(25, bpm: 120))
    #expect(shown[0] == nil)
    #expect(Self.rounded(shown[1]) == 120)
    #expect(Self.rounded(shown[24]) == 120)
  }

  @Test(arguments: [10.0, 20, 60, 97.125, 120, 133.7, 174, 240, 300, 400])
  func `An even clock is read to a thousandth from the second pulse on`(bpm: Double) {
    var estimator = TempoEstimator()
    for stamp in pulses(500, bpm: bpm) {
      estimator.receive(instant(stamp))
      guard estimator.pulses > 1 else { continue }
      #expect(Self.rounded(estimator.bpm) == bpm)
      #expect(Self.rounded(estimator.rawBPM) == bpm)
    }
    #expect(estimator.tempo == Tempo(milliBPM: Int64(bpm * 1_000)))
    #expect(estimator.windowLength == 500)
    #expect(estimator.missing == 0 && estimator.extra == 0 && estimator.late == 0)
  }

  @Test
  func `A cold start never shows anything between a default and the tempo`() {
    let shown = Self.readings(pulses(96, bpm: 140))
    for bpm in shown.dropFirst() { #expect(Self.rounded(bpm) == 140) }
  }

  @Test
  func `Alternating intervals do not make the reading flutter`() {
    var stamps: [Double] = [0]
    for pulse in 1..<960 {
      stamps.append(stamps[pulse - 1] + (pulse % 2 == 1 ? 0.0198333 : 0.0218333))
    }
    let shown = Self.readings(stamps).compactMap { $0 }
    let exact = 2.5 / 0.0208333
    for bpm in shown.dropFirst(24) { #expect((bpm - exact).magnitude < 0.05) }
    for bpm in shown.dropFirst(96) { #expect((bpm - exact).magnitude < 0.005) }
  }

  @Test
  func `Stamps in whole milliseconds still give 120 and not 120,35`() {
    let stamps = pulses(97, bpm: 120).map { ($0 * 1_000).rounded() / 1_000 }
    let shown = Self.readings(stamps).compactMap { $0 }
    #expect((shown[23] - 120).magnitude < 0.25)
    #expect((shown[95] - 120).magnitude < 0.02)
  }

  @Test(arguments: [120.37, 124.9375, 166.5])
  func `A sender on a 1 ms timer is read at its intended tempo`(bpm: Double) {
    // With the last two, intervals stay even for a long time and then jump by a tick.
    let stamps = pulses(4_000, bpm: bpm).map { ($0 * 1_000).rounded(.up) / 1_000 }
    for bpmShown in Self.readings(stamps).dropFirst(800) {
      #expect(((bpmShown ?? 0) - bpm).magnitude < 0.005)
    }
  }

  @Test
  func `A tempo between two integers is shown steadily, to a decimal`() {
    var random = Seeded(34)
    let stamps = pulses(2_000, bpm: 126.5).map { $0 + 0.000_2 * (2 * random.uniform() - 1) }
    let shown = Self.readings(stamps).compactMap { $0 }
    #expect(Set(shown.dropFirst(48).map { ($0 * 10).rounded() / 10 }) == [126.5])
  }

  @Test(arguments: [(120.0, 100.0), (100, 120), (120, 130), (133.7, 140), (140, 133.7)])
  func `A step is followed within a beat and never overshoots`(old: Double, new: Double) {
    let before = pulses(97, bpm: old)
    let after = pulses(96, bpm: new, from: before[96] + period(new))
    let shown = Self.readings(before + after).compactMap { $0 }
    // The first interval of the new tempo ends with pulse 97.
    #expect((shown[96 + 24] - new).magnitude < 0.01)
    let range = min(old, new) - 0.5...max(old, new) + 0.5
    for bpm in shown { #expect(range.contains(bpm)) }
    #expect(Self.rounded(shown.last) == new)
  }

  @Test
  func `Pulses delivered in pairs are read at the tempo they were sent`() {
    let stamps = (0..<960).map { Double($0 / 2 * 2 + 1) * period(120) }
    let shown = Self.readings(stamps)
    for bpm in shown.dropFirst(25) { #expect((114.9...125.1).contains(bpm ?? 0)) }
    for bpm in shown.dropFirst(192) { #expect(((bpm ?? 0) - 120).magnitude < 0.2) }
  }

  @Test
  func `Jitter of ±5 ms converges to a tenth of a BPM`() {
    var random = Seeded(39)
    let stamps = pulses(960, bpm: 120).map { $0 + 0.005 * (2 * random.uniform() - 1) }
    let shown = Self.readings(stamps).compactMap { $0 }
    for bpm in shown.dropFirst(96) { #expect((bpm - 120).magnitude < 0.6) }
    for bpm in shown.dropFirst(288) { #expect((bpm - 120).magnitude < 0.15) }
  }

  @Test
  func `A burst after a stall never shows a tempo above 300`() {
    var estimator = TempoEstimator()
    let stamps =
      pulses(48, bpm: 120) + Array(repeating: 1.25, count: 13)
      + pulses(100, bpm: 120, from: 61 * period(120))
    for stamp in stamps {
      estimator.receive(instant(stamp))
      if let bpm = estimator.bpm { #expect((119.9...120.1).contains(bpm)) }
      if let raw = estimator.rawBPM { #expect(raw < 300) }
    }
    #expect(Self.rounded(estimator.bpm) == 120)
    #expect(estimator.missing == 0 && estimator.extra == 0)
    #expect(estimator.late == 12)
  }

  @Test
  func `One missing, three missing, one extra or one late pulse moves it by a hundredth at most`() {
    let even = pulses(700, bpm: 120)
    var missingOne = even
    missingOne.remove(at: 500)
    var missingThree = even
    missingThree.removeSubrange(500..<503)
    var extra = even
    extra.insert(even[500] + 0.007, at: 501)
    var late = even
    late[500] += 0.01
    for stamps in [missingOne, missingThree, extra, late] {
      for bpm in Self.readings(stamps).dropFirst(480) {
        #expect(((bpm ?? 0) - 120).magnitude < 0.01)
      }
    }
  }

  @Test
  func `Missing, extra and late pulses are counted`() {
    var stamps = pulses(900, bpm: 120)
    stamps[800] += 0.01
    stamps.insert(stamps[600], at: 601)
    stamps.removeSubrange(300..<303)
    var estimator = TempoEstimator()
    for stamp in stamps { estimator.receive(instant(stamp)) }
    #expect(estimator.pulses == 898)
    #expect(estimator.missing == 3)
    #expect(estimator.extra == 1)
    #expect(estimator.late == 1)
  }

  @Test
  func `Equal and backward stamps, and a gap of six hours, leave a finite number`() {
    var estimator = TempoEstimator()
    for _ in 0..<50 { estimator.receive(instant(1)) }
    #expect(estimator.bpm == nil)
    for stamp in pulses(200, bpm: 120, from: 2) { estimator.receive(instant(stamp)) }
    #expect(Self.rounded(estimator.bpm) == 120)
    for stamp in pulses(10, bpm: 120, from: 21_600) { estimator.receive(instant(stamp)) }
    #expect(Self.rounded(estimator.bpm) == 120)
    for stamp in pulses(100, bpm: 120, from: 5) { estimator.receive(instant(stamp)) }
    #expect(Self.rounded(estimator.bpm) == 120)
    for stamp in [6.0, 5.9, 5.8, 7, 6.5, 6.5, 6.5, 3] { estimator.receive(instant(stamp)) }
    #expect(estimator.bpm.map { $0.isFinite } ?? true)
    for stamp in pulses(100, bpm: 97, from: 8) { estimator.receive(instant(stamp)) }
    #expect(Self.rounded(estimator.bpm) == 97)
    for nanoseconds in [Int64.min, .max, 0, .min, .max, -1] {
      estimator.receive(HostTime(nanoseconds: nanoseconds))
      #expect(estimator.bpm.map { $0.isFinite } ?? true)
      _ = estimator.time(ahead: 1)
    }
  }

  @Test
  func `Arbitrary stamps never crash it`() {
    var random = Seeded(99)
    for _ in 0..<200 {
      var estimator = TempoEstimator()
      var time = 0.0
      for _ in 0..<600 {
        switch random.uniform() {
        case ..<0.6: time += 0.02 * (1 + 0.1 * random.gaussian())
        case ..<0.8: time += 0
        case ..<0.9: time += random.uniform()
        case ..<0.97: time -= 0.1 * random.uniform()
        default: time += 1e4 * random.uniform()
        }
        estimator.receive(instant(time))
        if let bpm = estimator.bpm { #expect(bpm > 7 && bpm < 455) }
        #expect((0...1536).contains(estimator.windowLength))
        #expect(estimator.uncertainty.map { $0.isFinite && $0 >= 0 } ?? true)
      }
      for stamp in pulses(120, bpm: 120, from: time + 1) { estimator.receive(instant(stamp)) }
      #expect(((estimator.bpm ?? 0) - 120).magnitude < 0.2)
    }
  }

  @Test
  func `The uncertainty matches the error of the reading, and the jitter that of the stamps`() {
    var random = Seeded(4)
    var within = 0
    var jitter = 0.0
    for _ in 0..<200 {
      var estimator = TempoEstimator()
      for stamp in pulses(96, bpm: 120) {
        estimator.receive(instant(stamp + 0.001 * random.gaussian()))
      }
      let error = ((estimator.bpm ?? 0) - 120).magnitude
      if error < estimator.uncertainty ?? 0 { within += 1 }
      jitter += Double(estimator.jitter.nanoseconds) / 200
    }
    #expect((950_000...1_200_000).contains(jitter))
    // 68 % of a normal distribution lie within one deviation.
    #expect((116...170).contains(within))
  }

  @Test
  func `The filtered time has at most a seventh of the stamps' jitter`() {
    var random = Seeded(15)
    var estimator = TempoEstimator()
    var sum = 0.0
    for (number, stamp) in pulses(4_000, bpm: 120).enumerated() {
      estimator.receive(instant(stamp + 0.001 * random.gaussian()))
      guard number >= 400, let time = estimator.filteredTime else { continue }
      let error = Double((time - instant(stamp)).nanoseconds) / 1e6
      sum += error * error
    }
    #expect((sum / 3_600).squareRoot() < 0.15)
  }

  @Test
  func `A future pulse is predicted`() throws {
    var estimator = TempoEstimator()
    for stamp in pulses(100, bpm: 120) { estimator.receive(instant(stamp)) }
    for ahead in Int64(-5)...24 {
      let predicted = estimator.time(ahead: ahead)
      let time = try #require(predicted)
      let exact = instant(Double(99 + ahead) * period(120))
      #expect((time - exact).nanoseconds.magnitude <= 2)
    }
  }

  @Test
  func `A ramp is followed without lagging behind`() {
    var estimator = TempoEstimator()
    var time = 0.0
    for pulse in 0..<1_200 {
      let bpm = 120 + Double(max(0, pulse - 400)) * 1.25 / 24
      estimator.receive(instant(time))
      if pulse > 500 { #expect(((estimator.bpm ?? 0) - bpm).magnitude < 0.8) }
      time += period(bpm)
    }
  }

  @Test
  func `Thousands of late stamps are never taken for a new tempo`() {
    var random = Seeded(26)
    var estimator = TempoEstimator()
    for pulse in 0..<40_000 {
      var scatter = 0.000_1 * random.gaussian()
      if random.uniform() < 0.05 { scatter += 0.004 * random.uniform() }
      estimator.receive(instant(1 + Double(pulse) * period(120) + scatter))
      if pulse > 200 { #expect(((estimator.bpm ?? 0) - 120).magnitude < 0.1) }
    }
    #expect(estimator.missing == 0 && estimator.extra == 0)
  }
}
