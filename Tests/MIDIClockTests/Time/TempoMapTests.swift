import Glibc
import Testing
import TestSupport

@testable import MIDIClock

struct TempoMapTests {
  /// Twenty tempos, most of which divide nothing evenly.
  static let tempos: [Int64] = [
    10_000, 10_001, 30_000, 55_000, 59_999, 60_000, 97_500, 103_000, 106_000, 113_000, 120_000,
    126_500, 127_300, 133_700, 150_833, 180_000, 217_000, 299_999, 399_999, 400_000,
  ]

  /// The time of a ramp's tick by ln (1 + x) / x, computed with the C library.
  private func ramped(_ tick: Int64, _ first: Int64, _ last: Int64, ticks: Int64) -> Double {
    let x = Double(last - first) / Double(first) * Double(tick) / Double(ticks)
    let straight = Double(tick) * 62.5e9 / Double(first)
    return x == 0 ? straight : straight * Glibc.log1p(x) / x
  }

  // F42, F44, F46, F49: errors do not accumulate, at any tempo.
  @Test(arguments: tempos)
  func `a hundred thousand pulses are each the rational time, rounded once`(milliBPM: Int64) {
    let map = TempoMap(tempo: Tempo(clamping: milliBPM))
    var last: Int64 = -1
    for pulse in 0...100_000 as ClosedRange<Int64> {
      let time = map.time(of: Tick(pulse: pulse)).nanoseconds
      guard time == Oracle.pulse(UInt64(pulse), milliBPM: UInt64(milliBPM)), time > last else {
        Issue.record("pulse \(pulse) is at \(time)")
        return
      }
      last = time
    }
  }

  @Test func `the last of a million pulses is as exact as the first`() {
    for milliBPM in Self.tempos {
      let map = TempoMap(tempo: Tempo(clamping: milliBPM))
      for pulse in stride(from: Int64(1_000_000), through: 900_000, by: -997) {
        #expect(
          map.time(of: Tick(pulse: pulse)).nanoseconds
            == Oracle.pulse(UInt64(pulse), milliBPM: UInt64(milliBPM)))
      }
    }
  }

  @Test func `fractions of ticks are rounded only once, too`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let milliBPM = Int64.random(in: 10_000...400_000, using: &generator)
      let denominator = Int64.random(in: 1...24, using: &generator)
      let numerator = Int64.random(in: 0...100_000_000, using: &generator)
      let segment = TempoMap.Segment(tick: .zero, time: .zero, tempo: Tempo(clamping: milliBPM))
      #expect(
        segment.time(of: ExactTick(numerator, over: denominator)).nanoseconds
          == Oracle.place(
            UInt64(numerator), over: UInt64(denominator), milliBPM: UInt64(milliBPM)))
    }
  }

  @Test(arguments: tempos)
  func `an instant maps back to its tick`(milliBPM: Int64) {
    let map = TempoMap(
      tempo: Tempo(clamping: milliBPM), start: Tick(77), time: HostTime(nanoseconds: 123_456_789))
    var generator = SeededGenerator(seed: UInt64(milliBPM))
    for _ in 0..<2_000 {
      let tick = Tick(Int64.random(in: -1_000_000...10_000_000, using: &generator))
      let time = map.time(of: tick)
      guard map.tick(at: time) == tick,
        map.tick(at: time - HostTime.Span(nanoseconds: 1)) == Tick(tick.count - 1),
        map.tick(at: time + HostTime.Span(nanoseconds: 1)) == tick,
        map.segments[0].firstTick(notBefore: time) == tick,
        map.segments[0].firstTick(notBefore: time + HostTime.Span(nanoseconds: 1))
          == Tick(tick.count + 1)
      else {
        Issue.record("tick \(tick.count) is not found at \(time.nanoseconds)")
        return
      }
    }
  }

  @Test func `segments join exactly, and time never goes backwards`() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<15 {
      var map = TempoMap(
        tempo: Tempo(clamping: Int64.random(in: 10_000...400_000, using: &generator)))
      var place: Int64 = 0
      for _ in 0..<10 {
        place += Int64.random(in: 1...5_000, using: &generator)
        let tempo = Tempo(clamping: Int64.random(in: 10_000...400_000, using: &generator))
        if Bool.random(using: &generator) {
          map.append(tempo, at: Tick(place))
        } else {
          let length = Int64.random(in: 1...5_000, using: &generator)
          let last = Tempo(clamping: Int64.random(in: 10_000...400_000, using: &generator))
          map.appendRamp(from: tempo, to: last, at: Tick(place), until: Tick(place + length))
          place += length
        }
      }
      for (before, after) in zip(map.segments, map.segments.dropFirst()) {
        #expect(before.time(of: ExactTick(after.tick)) == after.time)
        #expect(map.time(of: after.tick) == after.time)
      }
      var last = map.time(of: Tick(-100))
      for tick in stride(from: Int64(-99), through: place + 1_000, by: 1) {
        let time = map.time(of: Tick(tick))
        guard time > last, map.tick(at: time) == Tick(tick) else {
          Issue.record("tick \(tick) at \(time.nanoseconds) after \(last.nanoseconds)")
          return
        }
        last = time
      }
    }
  }

  @Test func `a second change at the same tick replaces the first`() {
    var map = TempoMap(tempo: .standard)
    map.append(Tempo(clamping: 60_000), at: Tick(960))
    map.append(Tempo(clamping: 240_000), at: Tick(960))
    #expect(map.segments.count == 2)
    #expect(map.time(of: Tick(1_920)).nanoseconds == 500_000_000 + 250_000_000)
  }

  // MARK: Ramps

  @Test func `a ramp is linear in beats, within 1 ns of the formula`() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      let first = Int64.random(in: 10_000...400_000, using: &generator)
      let last =
        Bool.random(using: &generator)
        ? Int64.random(in: 10_000...400_000, using: &generator)
        : min(400_000, first + Int64.random(in: 0...3, using: &generator))
      let ticks = Int64.random(in: 1...100_000, using: &generator)
      let segment = TempoMap.Segment(
        tick: Tick(1_000), time: HostTime(nanoseconds: 7), tempo: Tempo(clamping: first),
        ramp: TempoMap.Ramp(target: Tempo(clamping: last), ticks: ticks))
      for _ in 0..<20 {
        let tick = Int64.random(in: 0...ticks, using: &generator)
        let time = segment.time(of: ExactTick(Tick(1_000 + tick))).nanoseconds - 7
        #expect(abs(Double(time) - ramped(tick, first, last, ticks: ticks)) <= 1)
      }
    }
  }

  // F74.
  @Test func `60 to 120 over four quarters takes 240-60 ln 2 seconds and ends exactly on 120`() {
    var map = TempoMap(tempo: Tempo(clamping: 60_000))
    map.appendRamp(from: Tempo(clamping: 60_000), to: .standard, at: .zero, until: Tick(3_840))
    #expect(map.time(of: Tick(3_840)).nanoseconds == 2_772_588_722)
    #expect(map.segment(at: Tick(3_839)).tempo(at: Tick(3_839)).milliBPM == 119_984)
    #expect(map.segment(at: Tick(3_840)).tempo(at: Tick(3_840)) == .standard)
    #expect(map.segments.count == 2)
    // 24 pulses of the following beat take half a second, to the nanosecond.
    #expect(map.time(of: Tick(4_800)) - map.time(of: Tick(3_840)) == .milliseconds(500))
    // Independently computed times for 120 to 140 and 60 to 120 in 16 quarters.
    map = TempoMap(tempo: .standard)
    map.appendRamp(
      from: .standard, to: Tempo(clamping: 140_000), at: .zero, until: Tick(16 * 960))
    #expect(map.time(of: Tick(16 * 960)).nanoseconds == 7_399_232_632)
    map = TempoMap(tempo: .standard)
    map.appendRamp(
      from: Tempo(clamping: 60_000), to: .standard, at: .zero, until: Tick(16 * 960))
    #expect(map.time(of: Tick(16 * 960)).nanoseconds == 11_090_354_889)
  }

  @Test func `the tempo of a ramp moves in a straight line over its ticks`() {
    let segment = TempoMap.Segment(
      tick: Tick(960), time: .zero, tempo: Tempo(clamping: 60_000),
      ramp: TempoMap.Ramp(target: .standard, ticks: 3_840))
    #expect(segment.tempo(at: Tick(0)).milliBPM == 60_000)
    #expect(segment.tempo(at: Tick(960)).milliBPM == 60_000)
    #expect(segment.tempo(at: Tick(960 + 1_920)).milliBPM == 90_000)
    #expect(segment.tempo(at: Tick(960 + 3_840)).milliBPM == 120_000)
    #expect(segment.tempo(at: Tick(1_000_000)).milliBPM == 120_000)
  }

  @Test(arguments: [(400_000, 10_000), (10_000, 400_000), (60_000, 120_000)] as [(Int64, Int64)])
  func `before a ramp its first tempo applies, after it the last`(first: Int64, last: Int64) {
    let segment = TempoMap.Segment(
      tick: Tick(960), time: .zero, tempo: Tempo(clamping: first),
      ramp: TempoMap.Ramp(target: Tempo(clamping: last), ticks: 480))
    let end = segment.time(of: ExactTick(Tick(1_440))).nanoseconds
    for ticks in [1, 40, 480, 960, 3_840, 100_000] as [Int64] {
      let before = segment.time(of: ExactTick(Tick(960 - ticks)))
      let after = segment.time(of: ExactTick(Tick(1_440 + ticks)))
      #expect(abs(before.nanoseconds + Oracle.tick(UInt64(ticks), milliBPM: UInt64(first))) <= 1)
      #expect(
        abs(after.nanoseconds - end - Oracle.tick(UInt64(ticks), milliBPM: UInt64(last))) <= 1)
      #expect(segment.firstTick(notBefore: before) == Tick(960 - ticks))
      #expect(segment.firstTick(notBefore: after) == Tick(1_440 + ticks))
    }
  }

  // MARK: Reports from the field

  @Test func `F72 a change inside a bar affects only what follows`() {
    var map = TempoMap(tempo: .standard)
    map.append(Tempo(clamping: 60_000), at: Tick(2 * 960))
    let beats = (0...4).map { map.time(of: Tick($0 * 960)).nanoseconds / 1_000_000 }
    #expect(beats == [0, 500, 1_000, 2_000, 3_000])
  }

  @Test func `F73 the position at an instant accounts for earlier changes`() {
    var map = TempoMap(tempo: Tempo(clamping: 100_000))
    map.append(.standard, at: Tick(3_840))
    #expect(map.time(of: Tick(3_840)) == HostTime(nanoseconds: 2_400_000_000))
    let tick = map.tick(at: HostTime(nanoseconds: 6_000_000_000))
    #expect(tick == Tick(10_752))
    let span = MeterSpan(start: .zero, bar: 1, pattern: .common)
    #expect(span.position(of: tick) == Position(bar: 3, beat: 4, tick: 192))
  }

  @Test func `F78 beats after the second marker are even`() {
    var map = TempoMap(tempo: Tempo(clamping: 55_000))
    map.append(Tempo(clamping: 95_000), at: Tick(12 * 960))
    let marker = map.time(of: Tick(12 * 960)).nanoseconds
    #expect(marker == 13_090_909_091)
    for beat in 0...100 as ClosedRange<Int64> {
      #expect(
        map.time(of: Tick((12 + beat) * 960)).nanoseconds
          == marker + Oracle.tick(UInt64(beat) * 960, milliBPM: 95_000))
    }
  }

  @Test func `F82 three decimals count`() throws {
    let map = TempoMap(tempo: try Tempo(text: "150.833"))
    // 96 quarters: 96 x 60 / 150.833 s.
    #expect(map.time(of: Tick(96 * 960)).nanoseconds == 38_187_929_697)
  }

  @Test func `F62 a dotted quarter of 95 makes a 6-8 bar of 1_2632 s`() throws {
    let map = TempoMap(tempo: try Tempo(text: "3/8=95"))
    let bar = try Meter(text: "6/8").ticksPerBar
    #expect(map.time(of: Tick(bar)).nanoseconds == 1_263_157_895)
    #expect(map.time(of: Tick(pulse: 1)).nanoseconds == 17_543_860)
    let faster = TempoMap(tempo: try Tempo(text: "3/8=120"))
    #expect(faster.time(of: Tick(bar)).nanoseconds == 1_000_000_000)
  }

  @Test func `F49 at 217 the pulse of twelve minutes falls on twelve minutes`() {
    let map = TempoMap(tempo: Tempo(clamping: 217_000))
    #expect(map.time(of: Tick(pulse: 62_496)).nanoseconds == 720_000_000_000)
  }

  @Test func `F46 at 60 beat 3601 falls on the hour`() {
    let map = TempoMap(tempo: Tempo(clamping: 60_000))
    #expect(map.time(of: Tick(3_600 * 960)).nanoseconds == 3_600_000_000_000)
  }
}
