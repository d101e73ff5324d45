import Testing

@testable import MIDIClock

/// Parses a Standard MIDI File by its specification, independently of the code that wrote it.
private struct FileReader {
  struct Event {
    var tick: Int
    var bytes: [UInt8]
  }

  var format = 0
  var division = 0
  var tracks: [[Event]] = []

  init(_ bytes: [UInt8]) {
    func number(_ at: Int, _ count: Int) -> Int {
      bytes[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) }
    }
    format = number(8, 2)
    division = number(12, 2)
    var at = 14
    while at < bytes.count {
      let end = at + 8 + number(at + 4, 4)
      at += 8
      var tick = 0
      var events: [Event] = []
      while at < end {
        var delta = 0
        repeat {
          delta = delta << 7 | Int(bytes[at] & 0x7F)
          at += 1
        } while bytes[at - 1] & 0x80 != 0
        tick += delta
        let length = bytes[at] == 0xFF ? 3 + Int(bytes[at + 2]) : 3
        events.append(Event(tick: tick, bytes: Array(bytes[at..<(at + length)])))
        at += length
      }
      tracks.append(events)
    }
  }

  /// Tempos by tick, in microseconds per quarter.
  var tempos: [(tick: Int, tempo: Int)] {
    tracks[0].filter { $0.bytes[1] == 0x51 }.map {
      ($0.tick, $0.bytes[3...].reduce(0) { $0 << 8 | Int($1) })
    }
  }

  /// Note-ons with their times in nanoseconds from the beginning of the file.
  var notes: [(time: Double, key: UInt8, velocity: UInt8)] {
    let tempos = self.tempos
    return tracks[1].filter { $0.bytes[0] & 0xF0 == 0x90 }.map { event in
      var time = 0.0
      for (index, tempo) in tempos.enumerated() where tempo.tick < event.tick {
        let end = index + 1 < tempos.count ? min(event.tick, tempos[index + 1].tick) : event.tick
        time += Double(end - tempo.tick) * Double(tempo.tempo) * 1_000 / Double(division)
      }
      return (time, event.bytes[1], event.bytes[2])
    }
  }
}

struct MIDIFileWriterTests {
  private func list(_ score: Score, startBar: Int64 = 1, countIn: Int64 = 0) -> ClickList {
    ClickList(
      Planner(
        score: score, routes: [Route(contents: .click), .observer], startBar: startBar,
        countInBars: countIn),
      route: 0, observer: 1)
  }

  private func file(_ score: Score, startBar: Int64 = 1, countIn: Int64 = 0) -> (
    reader: FileReader, clicks: ClickList
  ) {
    let clicks = list(score, startBar: startBar, countIn: countIn)
    return (
      FileReader(
        MIDIFileWriter.bytes(
          score: score, startBar: startBar, countInBars: countIn, clicks: clicks, channel: 9)),
      clicks
    )
  }

  private func tempo(_ milliBPM: Int64) throws -> Tempo { try #require(Tempo(milliBPM: milliBPM)) }

  @Test func `a bar of 2/4 at 120, byte by byte`() throws {
    let pattern = ClickPattern(plain: try Meter(text: "2/4"))
    let score = Score(pattern: pattern, tempo: try tempo(120_000), bars: 1)
    let bytes = MIDIFileWriter.bytes(
      score: score, startBar: 1, countInBars: 0, clicks: list(score), channel: 9)
    let head: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 1, 0, 2, 3, 0xC0]
    let conductor: [UInt8] =
      [0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 0x21, 0, 0xFF, 3, 9] + Array("midimetro".utf8) + [
        0, 0xFF, 0x58, 4, 2, 2, 24, 8, 0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20, 0x8F, 0, 0xFF, 0x2F, 0,
      ]
    let clicks: [UInt8] =
      [0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 0x1F, 0, 0xFF, 3, 5] + Array("click".utf8) + [
        0, 0x99, 34, 127, 77, 0x89, 34, 64, 0x86, 0x73, 0x99, 33, 80, 77, 0x89, 33, 64, 0x86, 0x73,
        0xFF, 0x2F, 0,
      ]
    #expect(bytes == head + conductor + clicks)
  }

  @Test(arguments: [10_000, 33_333, 97_531, 120_000, 133_700, 399_999] as [Int64])
  func `after an hour every click is within 25 us of its exact time`(milliBPM: Int64) throws {
    let bars = milliBPM * 60 / 4_000
    let score = Score(pattern: .common, tempo: try tempo(milliBPM), bars: bars)
    let (reader, clicks) = file(score)
    let notes = reader.notes.map(\.time)
    #expect(notes.count == clicks.clicks.count && notes.count == Int(bars * 4))
    for (note, click) in zip(notes, clicks.clicks) {
      #expect((note - Double(click.time.nanoseconds)).magnitude < 25_000)
    }
    // The tempo shown by other programs is right, and corrections are few.
    let exact = 60e9 / Double(milliBPM)
    #expect(reader.tempos.allSatisfy { (Double($0.tempo) - exact).magnitude < 1 })
    #expect(reader.tempos.count < notes.count / 20)
  }

  @Test func `meters, ramps and a count-in match the plan`() throws {
    var score = Score(
      pattern: ClickPattern(plain: try Meter(text: "6/8")), tempo: try tempo(90_000),
      ramp: TempoMap.Ramp(target: try tempo(140_000), ticks: 8 * 2_880))
    score.append(
      bar: 9, pattern: ClickPattern(plain: try Meter(text: "7/8=2+2+3")), tempo: try tempo(61_250))
    score.end = score.start(ofBar: 13)
    let (reader, clicks) = file(score, countIn: 2)
    let signatures = reader.tracks[0].filter { $0.bytes[1] == 0x58 }
    #expect(signatures.map(\.tick) == [0, 10 * 2_880])
    #expect(signatures.map { Array($0.bytes[3...]) } == [[6, 3, 36, 8], [7, 3, 12, 8]])
    let begin = Double(clicks.begin.nanoseconds)
    #expect(clicks.begin.nanoseconds == -4_000_000_000)
    #expect(reader.notes.count == 12 + 48 + 28)
    for (note, click) in zip(reader.notes, clicks.clicks) {
      #expect((note.time - (Double(click.time.nanoseconds) - begin)).magnitude < 40_000)
      #expect(note.key == click.key && note.velocity == click.velocity)
    }
    #expect(reader.tracks.allSatisfy { $0.last?.tick == 10 * 2_880 + 4 * 3_360 })
  }

  @Test func `times between ticks are rounded to the nearest`() throws {
    let pattern = try ClickPattern(meter: .common, subdivision: 7)
    let (reader, clicks) = file(Score(pattern: pattern, tempo: try tempo(120_000), bars: 4))
    #expect(reader.notes.count == 112)
    for (note, click) in zip(reader.notes, clicks.clicks) {
      // Half a tick at 120 BPM is 0.26 ms.
      #expect((note.time - Double(click.time.nanoseconds)).magnitude < 262_000)
    }
  }

  @Test func `from bar 5 the file begins with bar 5`() throws {
    let score = Score(pattern: .common, tempo: try tempo(100_000), bars: 6)
    let (reader, clicks) = file(score, startBar: 5)
    #expect(clicks.clicks.count == 8 && reader.notes.first?.time == 0)
    #expect(reader.tracks[1].last?.tick == 8 * 960)
  }

  /// The time of a tick of the file, in nanoseconds.
  private func time(_ tick: Int, _ tempos: [(tick: Int, tempo: Int)]) -> Double {
    var time = 0.0
    for (index, tempo) in tempos.enumerated() where tempo.tick < tick {
      let end = index + 1 < tempos.count ? min(tick, tempos[index + 1].tick) : tick
      time += Double(end - tempo.tick) * Double(tempo.tempo) * 1_000 / Double(960)
    }
    return time
  }

  @Test(
    arguments: [
      "1 4/4 60-120", "1 4/4 400-10", "4 7/8 10-400", "64 4/4 90-97.531",
      "2 60-300\nat 1:3.3 80-61",
    ])
  func `every pulse of a ramp is within 0.1 ms, with few events`(text: String) throws {
    let score = try ScoreReading(Array(text.utf8)).score
    let (reader, _) = file(score)
    let map = score.tempoMap()
    let pulses = try #require(score.end).count / 40
    for pulse in 0...pulses {
      let exact = Double(map.time(of: Tick(pulse: pulse)).nanoseconds)
      #expect((time(Int(pulse) * 40, reader.tempos) - exact).magnitude < 100_000)
    }
    // One for each pulse would do it too.
    #expect(reader.tempos.count <= Int(pulses) + 2)
    if pulses > 1_000 { #expect(reader.tempos.count < Int(pulses) / 4) }
  }

  @Test func `20 000 tempos are written in linear time`() throws {
    func time(_ count: Int) throws -> Duration {
      let text = (0..<count).map { "1 1/4 \(100 + $0 % 50)" }.joined(separator: "\n")
      let score = try ScoreReading(Array(text.utf8)).score
      let clicks = list(score)
      let clock = ContinuousClock()
      return clock.measure {
        _ = MIDIFileWriter.bytes(
          score: score, startBar: 1, countInBars: 0, clicks: clicks, channel: 9)
      }
    }
    _ = try time(200)
    let few = try time(2_000)
    // Ten times as much work, with a margin for a busy machine; quadratic work would take 100 times.
    #expect(try time(20_000) < few * 40)
  }

  @Test func `variable-length numbers of any length`() {
    let cases: [(Int64, [UInt8])] = [
      (0, [0]), (0x7F, [0x7F]), (0x80, [0x81, 0]), (0x2000, [0xC0, 0]), (0x3FFF, [0xFF, 0x7F]),
      (0x4000, [0x81, 0x80, 0]), (0xFFF_FFFF, [0xFF, 0xFF, 0xFF, 0x7F]),
    ]
    for (value, bytes) in cases { #expect(StandardMIDIFile.variable(value) == bytes) }
  }
}
