import Testing

@testable import MIDIClock

struct ClockMeasurementTests {
  @Test func `an even clock is measured against the nearest round tempo`() throws {
    let measurement = ClockMeasurement()
    for stamp in pulses(480, bpm: 120.003) { measurement.receive(instant(stamp)) }
    let (grid, tempo) = try #require(measurement.statistics)
    #expect(tempo == .standard)
    #expect(abs(grid.partsPerMillion - 25) < 0.1)
    #expect(grid.gridDeviation < 1)
    #expect(measurement.gaps == 0)
    #expect(measurement.doubles == 0)
  }

  @Test func `gaps and doubles are counted and kept out of the deviation`() throws {
    let measurement = ClockMeasurement()
    var stamps = pulses(400, bpm: 100)
    stamps.remove(at: 50)
    stamps.insert(stamps[99] + 0.001, at: 100)
    for stamp in stamps { measurement.receive(instant(stamp)) }
    #expect(measurement.gaps == 1)
    #expect(measurement.doubles == 1)
    let (grid, _) = try #require(measurement.statistics)
    #expect(grid.count >= 290)
    #expect(grid.gridDeviation < 1)
  }

  @Test func `a new tempo begins a new stretch`() throws {
    let measurement = ClockMeasurement()
    let first = pulses(240, bpm: 120)
    for stamp in first + pulses(480, bpm: 126, from: 240 * period(120)) {
      measurement.receive(instant(stamp))
    }
    let (grid, tempo) = try #require(measurement.statistics)
    #expect(tempo == Tempo(clamping: 126_000))
    #expect(grid.gridDeviation < 2_000)
  }

  @Test func `the pulses that reveal a new tempo are not measured with the old one`() throws {
    let measurement = ClockMeasurement()
    let first = pulses(480, bpm: 120)
    for stamp in first + pulses(240, bpm: 126, from: 480 * period(120)) {
      measurement.receive(instant(stamp))
    }
    let (grid, tempo) = try #require(measurement.statistics)
    #expect(tempo == .standard)
    #expect(grid.count >= 478)
    #expect(grid.gridDeviation < 2_000)
    #expect(abs(grid.partsPerMillion) < 2)
  }

  @Test(arguments: [0.333, 10])
  func `a stray pulse before the clock is not part of it`(pause: Double) throws {
    let measurement = ClockMeasurement()
    for stamp in [0] + pulses(200, bpm: 133, from: pause) { measurement.receive(instant(stamp)) }
    let (grid, tempo) = try #require(measurement.statistics)
    #expect(tempo == Tempo(clamping: 133_000))
    #expect(grid.count >= 196)
    #expect(grid.gridDeviation < 1)
    #expect(measurement.gaps == 0)
    #expect(measurement.doubles == 0)
    #expect(abs(Double(measurement.longestGap.nanoseconds) - pause * 1e9) < 2)
  }

  @Test(arguments: [0, -0.01])
  func `equal or backward stamps have no tempo`(interval: Double) {
    let measurement = ClockMeasurement()
    for pulse in 0..<1_000 { measurement.receive(instant(100 + Double(pulse) * interval)) }
    #expect(measurement.pulses == 1_000)
    #expect(measurement.statistics == nil)
  }

  @Test(arguments: [(133.7, 133_700), (119.996, 120_000), (97.25, 97_250), (120.1234, 120_123)])
  func `round tempi come first`(bpm: Double, milliBPM: Int64) {
    let tempo = ClockMeasurement.roundTempo(near: bpm)
    #expect(abs(tempo.milliBPM - milliBPM) <= 10)
  }

  @Test func `a histogram is centred on zero and counts everything`() {
    let histogram = DeviationHistogram([0, 100, -100, 4_900, 1e9, -1e9], within: 5_000)
    #expect(histogram.width == 1_000)
    #expect(histogram.counts.reduce(0, +) == 6)
    #expect(histogram.middle(8) == 0)
    #expect(histogram.counts[8] == 3)
  }
}
