import Testing

@testable import MIDIClock

/// An estimator after taps at `milliseconds`, and the verdict on each.
private func heard(_ milliseconds: [Double]) -> (TapEstimator, [TapEstimator.Verdict]) {
  var estimator = TapEstimator()
  let verdicts = milliseconds.map { estimator.receive(instant($0 / 1_000)) }
  return (estimator, verdicts)
}

/// Whether `bpm` is within `tolerance` of `wanted`.
private func isNear(_ bpm: Double?, _ wanted: Double, within tolerance: Double) -> Bool {
  bpm.map { ($0 - wanted).magnitude <= tolerance } ?? false
}

/// Tempo from taps: the cases of the field reports, then simulated players.
struct TapEstimatorTests {
  @Test func `F55 intervals are counted, not taps`() {
    #expect(isNear(heard([0, 500, 1_000]).0.bpm, 120, within: 1e-6))
    #expect(
      isNear(heard((0..<7).map { Double($0) * 500 }).0.bpm, 120, within: 1e-6))
  }

  @Test func `F56 a new tempo is not locked out`() {
    let old = [0, 500, 1_000, 1_500.0]
    #expect(isNear(heard(old + [2_500, 3_500]).0.bpm, 60, within: 1))
    let third = heard(old + [2_500, 3_500, 4_500]).0.bpm ?? 0
    #expect((third - 60).magnitude < (third - 120).magnitude)
    #expect(isNear(heard(old + [2_500, 3_500, 4_500, 5_500]).0.bpm, 60, within: 1))
  }

  @Test(arguments: [120, -120, 0.0])
  func `F57 a first tap late or early does not stay`(error: Double) {
    let (estimator, _) = heard([120 + error, 620, 1_120, 1_620, 2_120])
    #expect(isNear(estimator.bpm, 120, within: 1.5))
  }

  @Test(
    arguments: [([0, 667, 1_333, 2_000], 90), ([0, 1_500, 3_000, 4_500], 40)]
      as [([Double], Double)])
  func `F58 slow tempos can be tapped`(taps: [Double], bpm: Double) {
    #expect(isNear(heard(taps).0.bpm, bpm, within: 0.2))
  }

  @Test func `F59 a gap out of range starts a new series`() {
    #expect(heard([0, 5_000]).0.bpm == nil)
    #expect(heard([0, 5_000]).1 == [.newSeries, .newSeries])
    #expect(isNear(heard([0, 5_000, 5_500]).0.bpm, 120, within: 1e-6))
    // Too short a gap does the same: 100 ms is a quarter at 600.
    #expect(heard([0, 100]).0.bpm == nil)
    #expect(isNear(heard([0, 100, 600]).0.bpm, 120, within: 1e-6))
  }

  @Test func `hits within 60 ms are bounces, however many`() {
    let (estimator, verdicts) = heard([0, 20, 55, 500, 559, 560, 1_000])
    #expect(verdicts == [.newSeries, .bounce, .bounce, .tap, .bounce, .outlier, .tap])
    #expect(isNear(estimator.bpm, 120, within: 1e-6))
    #expect(estimator.count == 3)
  }

  @Test func `a missed tap does not change the tempo`() {
    #expect(isNear(heard([0, 500, 1_500, 2_000]).0.bpm, 120, within: 1e-6))
    #expect(isNear(heard([0, 1_000, 1_500, 2_000]).0.bpm, 120, within: 1e-6))
    #expect(isNear(heard([0, 500, 1_000, 1_500, 3_000, 3_500]).0.bpm, 120, within: 1e-6))
  }

  @Test(arguments: 0..<8)
  func `any one of eight taps that is 90 ms late is excluded`(late: Int) {
    var taps = (0..<8).map { Double($0) * 500 }
    taps[late] += 90
    let (estimator, verdicts) = heard(taps)
    #expect(isNear(estimator.bpm, 120, within: 0.01))
    if late >= 4 { #expect(verdicts[late] == .outlier) }
  }

  @Test func `a flam between two taps is not a tap`() {
    let (estimator, verdicts) = heard([0, 500, 1_000, 1_100, 1_500, 2_000])
    #expect(verdicts[3] == .outlier)
    #expect(isNear(estimator.bpm, 120, within: 1e-6))
  }

  @Test func `a tripled tempo is followed, although each tap comes too soon`() {
    let slow = (0..<6).map { Double($0) * 600 }
    let fast = (1...4).map { 3_000 + Double($0) * 200 }
    let (estimator, verdicts) = heard(slow + fast)
    #expect(verdicts[7] == .newSeries)
    #expect(isNear(estimator.bpm, 300, within: 0.01))
  }

  @Test(arguments: [126, 132, 112, 100.0])
  func `a small change is followed within six taps`(bpm: Double) {
    var taps = (0..<12).map { Double($0) * 500 }
    for _ in 0..<6 { taps.append(taps[taps.count - 1] + 60_000 / bpm) }
    #expect(isNear(heard(taps).0.bpm, bpm, within: 0.01 * bpm))
  }

  @Test
  func `a silence of two and a half beats or seconds, whichever is longer, starts a new series`() {
    #expect(heard([0, 500, 1_000, 3_500]).1.last == .tap)
    #expect(heard([0, 500, 1_000, 3_501]).1.last == .newSeries)
    #expect(heard([0, 1_500, 3_000, 6_000]).1.last == .tap)
    // Half a beat off the line, but in the same series.
    #expect(heard([0, 1_500, 3_000, 6_740]).1.last == .outlier)
    #expect(heard([0, 1_500, 3_000, 6_760]).1.last == .newSeries)
  }

  @Test func `beat and next beat lie on the line, not on the tap`() throws {
    let (estimator, _) = heard([0, 500, 1_000, 1_500, 2_020])
    let beat = try #require(estimator.newestBeat)
    #expect((beat - instant(2.012)).nanoseconds.magnitude < 100_000)
    let next = try #require(estimator.nextBeat)
    #expect(isNear(estimator.period, Double((next - beat).nanoseconds), within: 2))
  }

  @Test func `spread and uncertainty are known from the third tap on`() throws {
    #expect(heard([0, 500]).0.spread == nil)
    #expect(heard([0, 500]).0.uncertainty == nil)
    let (estimator, _) = heard([0, 510, 1_000, 1_510, 2_000])
    let spread = try #require(estimator.spread)
    #expect((4_000_000...8_000_000).contains(spread.nanoseconds))
    #expect((0.1...2).contains(estimator.uncertainty ?? 0))
  }

  @Test func `backward stamps start a new series`() {
    #expect(heard([1_000, 1_500, 200]).1 == [.newSeries, .tap, .newSeries])
  }

  @Test func `an hour of taps keeps its last 32 and its count`() {
    var estimator = TapEstimator()
    var random = Seeded(7)
    for tap in 0..<7_200 {
      _ = estimator.receive(instant(Double(tap) * 0.5 + random.gaussian() * 0.008))
    }
    #expect(isNear(estimator.bpm, 120, within: 0.5))
    #expect(estimator.count > 6_500)
  }

  // The full benchmark is `make bench-tap`. This is a tenth of it, with the same targets plus the
  // statistical error of fewer seeds (one part in sqrt(2 x 400), 3.5 %).
  @Test(arguments: [
    (4, false, 1.7), (8, false, 0.6), (16, false, 0.21), (8, true, 0.75), (16, true, 0.22),
  ])
  func `as accurate as the bound, and robust to a missed and a late tap`(
    count: Int, isMarred: Bool, target: Double
  ) {
    var squares = 0.0
    for seed in UInt64(0)..<400 {
      var random = Seeded(seed &+ 50)
      var taps = (0..<count).map { 10 + Double($0) * 0.5 + random.gaussian() * 0.015 }
      if isMarred {
        if random.uniform() < 0.3 { taps[Int(random.uniform() * Double(count))] += 0.08 }
        if random.uniform() < 0.3 { taps.remove(at: Int(random.uniform() * Double(count))) }
      }
      let (estimator, _) = heard(taps.sorted().map { $0 * 1_000 })
      let error = (estimator.bpm ?? 0) - 120
      squares += error * error
    }
    let rms = (squares / 400).squareRoot()
    #expect(rms <= target * 1.05, "\(rms)")
  }
}
