import Testing
import TestSupport

@testable import MIDIClock

struct PaceTests {
  /// Nanoseconds per quarter at a thousandth of a quarter per minute.
  private let minute: Int128 = 60_000_000_000_000

  private func isReduced(_ pace: Pace) -> Bool {
    Division.commonDivisor(pace.numerator, pace.denominator) == 1
      && (1...(1 << 62)).contains(pace.numerator) && (1...(1 << 31)).contains(pace.denominator)
  }

  @Test func `every typed tempo is exact and displayed as typed`() {
    for milliBPM in Tempo.range {
      let pace = Pace(Tempo(clamping: milliBPM))
      guard isReduced(pace), pace.tempo.milliBPM == milliBPM,
        Int128(pace.numerator) * Int128(milliBPM) == minute * Int128(pace.denominator)
      else {
        Issue.record("\(milliBPM) is \(pace)")
        return
      }
    }
  }

  @Test func `whole microseconds are exact`() {
    let pace = Pace(microseconds: 448_553)
    #expect(pace.numerator == 448_553_000)
    #expect(pace.denominator == 1)
    #expect(pace.tempo == Tempo(clamping: 133_763))
    #expect(Pace(microseconds: 500_000) == Pace(.standard))
    // A pace of zero is not possible.
    #expect(Pace(microseconds: 0).numerator == 1_000)
  }

  @Test func `a typed ratio of a typed tempo is exact, and so is its inverse`() {
    let written = Pace(Tempo(clamping: 133_701))
    // 95 %, 3 % more, a half, and three decimals.
    for (ratio, base) in [(95, 100), (103, 100), (1, 2), (97_125, 100_000)] as [(Int64, Int64)] {
      let pace = written.faster(by: ratio, over: base)
      #expect(isReduced(pace))
      #expect(pace == Pace(numerator: minute * Int128(base), denominator: Int128(133_701 * ratio)))
      #expect(pace.faster(by: base, over: ratio) == written)
    }
  }

  @Test func `anything else is rounded once, to less than a millionth of a nanosecond`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let tempo = Tempo(clamping: Int64.random(in: 10_000...400_000, using: &generator))
      let ratio = Int64.random(in: 1_000_000...2_000_000, using: &generator) | 1
      let pace = Pace(tempo).faster(by: ratio, over: 1_999_993)
      #expect(isReduced(pace))
      // |numerator / denominator - 60e12 base / (milliBPM ratio)| <= 2^-21.
      let divisor = Int128(tempo.milliBPM) * Int128(ratio)
      let exact = minute * 1_999_993 * Int128(pace.denominator)
      let error: Int128 = Int128(pace.numerator) * divisor - exact
      let size = error < 0 ? 0 - error : error
      let most: Int128 = divisor * Int128(pace.denominator) / (1 << 21)
      #expect(size <= most)
    }
    // Repeatedly applying a ratio to its own result stays in bounds.
    var pace = Pace(Tempo(clamping: 133_700))
    for _ in 0..<40 {
      pace = pace.faster(by: 95, over: 100)
      #expect(isReduced(pace))
    }
  }

  @Test func `ticks spread over a span end on it to the nanosecond`() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<5_000 {
      let ticks = Int64.random(in: 1...40_000, using: &generator)
      let span = HostTime.Span(nanoseconds: Int64.random(in: 1...60_000_000_000, using: &generator))
      let pace = Pace(spreading: ticks, over: span)
      #expect(pace.duration(ofTicks: Int128(ticks), over: 1) == span)
    }
  }

  @Test func `at its bounds nothing overflows`() {
    let slowest = Pace(numerator: 1 << 62, denominator: (1 << 31) - 1)
    #expect(slowest.numerator == 1 << 62)
    let fastest = Pace(numerator: 1, denominator: 1 << 31)
    #expect(fastest.denominator == 1 << 31)
    for pace in [slowest, fastest] {
      let segment = TempoMap.Segment(tick: .zero, time: .zero, pace: pace)
      for sign in [1, -1] as [Int64] {
        let place = ExactTick(sign * (1 << 40) * 2_400_000, over: 2_400_000)
        _ = segment.time(of: place)
        _ = pace.ticks(in: HostTime.Span(nanoseconds: sign * Int64.max))
        _ = pace.steps(of: 1, in: HostTime.Span(nanoseconds: sign * (Int64.max / 2)))
      }
      #expect(Tempo.range.contains(pace.tempo.milliBPM))
    }
    #expect(fastest.isFaster(than: slowest))
    #expect(!slowest.isFaster(than: fastest))
    #expect(slowest.change(to: fastest) > 0 && fastest.change(to: slowest) < 0)
  }

  @Test func `the difference of two nearly equal paces keeps its precision`() {
    let pace = Pace(microseconds: 500_000)
    let numerator: Int128 = (500_000_000 << 20) + 1
    let change = pace.change(to: Pace(numerator: numerator, denominator: 1 << 20))
    let exact = -1 / Double(Int64(numerator))
    #expect((change / exact - 1).magnitude < 1e-12)
    #expect(pace.change(to: pace) == 0)
    #expect(pace.change(to: Pace(Tempo(clamping: 240_000))) == 1)
  }

  // F49, also for the microseconds of MIDI files.
  @Test func `an hour has no drift, at typed tempos and at a file's`() {
    let typed = TempoMap(tempo: Tempo(clamping: 133_701))
    let file = TempoMap(pace: Pace(microseconds: 448_553))
    var pulse: Int64 = 0
    while typed.time(of: Tick(pulse: pulse)).nanoseconds < 3_600_000_000_000 {
      guard
        typed.time(of: Tick(pulse: pulse)).nanoseconds
          == Oracle.pulse(UInt64(pulse), milliBPM: 133_701),
        // Half up: pulses are 448 553 000 / 24 ns apart.
        file.time(of: Tick(pulse: pulse)).nanoseconds == (pulse * 897_106_000 + 24) / 48
      else {
        Issue.record("pulse \(pulse) has drifted")
        return
      }
      pulse += 1
    }
    #expect(pulse > 190_000)
  }
}
