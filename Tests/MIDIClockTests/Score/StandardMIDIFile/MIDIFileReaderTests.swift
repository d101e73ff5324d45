import Testing
import TestSupport

@testable import MIDIClock

struct MIDIFileReaderTests {
  private func long(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// A file with one track of these events, each preceded by its delta time.
  private func file(
    _ events: [[UInt8]], division: [UInt8] = [1, 0xE0], format: UInt8 = 0
  ) -> [UInt8] {
    let body: [UInt8] = Array(events.joined()) + [0, 0xFF, 0x2F, 0]
    let header: [UInt8] = Array("MThd".utf8) + long(6) + [0, format, 0, 1] + division
    return header + Array("MTrk".utf8) + long(body.count) + body
  }

  private func tempo(_ microseconds: Int, after delta: [UInt8] = [0]) -> [UInt8] {
    delta + [0xFF, 0x51, 3] + long(microseconds).dropFirst()
  }

  private func refusal(_ bytes: [UInt8]) -> String? {
    do throws(ScoreReading.Refusal) {
      _ = try ScoreReading(bytes)
      return nil
    } catch { return error.complaints.first?.description }
  }

  @Test func `F82 472441 us per quarter are 127`() throws {
    let reading = try ScoreReading(file([tempo(472_441), [0x8F, 0x00, 0x90, 60, 0]]))
    #expect(reading.score.passages.map(\.pace.tempo) == [Tempo(clamping: 127_000)])
    // 1920 ticks of 480: one bar of 4/4.
    #expect(reading.score.end == Tick(3_840))
    #expect(reading.namesTempo && !reading.namesMeter)
  }

  @Test func `meters and tempos, in running status and beside System Exclusive`() throws {
    let events: [[UInt8]] = [
      [0, 0xFF, 0x58, 4, 3, 2, 24, 8], tempo(500_000), [0, 0xF0, 3, 1, 2, 0xF7],
      [0, 0x90, 60, 100], [0x81, 0x70, 60, 0], [0, 0xC0, 5],
      // 240 ticks have passed; at 1440, after one bar of 3/4.
      [0x89, 0x30, 0xFF, 0x58, 4, 7, 3, 12, 8], tempo(400_000, after: [0x81, 0x70]),
      [0x8D, 0x10, 0xE0, 0, 64],
    ]
    let reading = try ScoreReading(file(events))
    let passages = reading.score.passages
    #expect(passages.map(\.start.count) == [0, 2_880, 3_360])
    #expect(passages.map(\.span.bar) == [1, 2, 2])
    #expect(passages.map(\.span.pattern.meter.description) == ["3/4", "7/8=2+2+3", "7/8=2+2+3"])
    #expect(passages.map(\.pace.tempo.milliBPM) == [120_000, 120_000, 150_000])
    #expect(reading.score.end == Tick(9_600))
  }

  @Test func `a meter off the bar line begins a bar`() throws {
    let reading = try ScoreReading(
      file([
        [0, 0xFF, 0x58, 4, 4, 2, 24, 8], [0x87, 0x40, 0xFF, 0x58, 4, 3, 2, 24, 8],
        [0x8B, 0x20, 0x90, 60, 0],
      ]))
    #expect(reading.score.passages.map(\.span.bar) == [1, 2])
    #expect(reading.score.passages.map(\.start.count) == [0, 1_920])
  }

  @Test func `several tempos within a pulse become one that takes the same time`() throws {
    // Ten of 480 ticks at 60, ten at 120, then 90; a pulse has twenty.
    let reading = try ScoreReading(
      file([
        tempo(1_000_000), tempo(500_000, after: [10]), tempo(666_667, after: [10]),
        [0x8F, 0, 0x90, 60, 0],
      ]))
    #expect(reading.score.passages.map(\.pace.tempo.milliBPM) == [80_000, 90_000])
    #expect(reading.score.passages.map(\.start.count) == [0, 40])
  }

  @Test func `a rendered file is read as the same bars at the same times`() throws {
    let text = "2 3/4 133.7\n3 7/8=2+2+3 90-97\n1 4/4 400"
    let score = try ScoreReading(Array(text.utf8)).score
    let clicks = ClickList(
      Planner(score: score, routes: [Route(contents: .click), .observer]), route: 0, observer: 1,
      notAfter: nil)
    let bytes = MIDIFileWriter.bytes(
      score: score, startBar: 1, countInBars: 0, clicks: clicks, channel: 9)
    let again = try ScoreReading(bytes).score
    #expect(again.end == score.end)
    let (map, other) = (score.tempoMap(), again.tempoMap())
    for bar in Int64(1)...7 {
      let tick = score.start(ofBar: bar)
      #expect(again.start(ofBar: bar) == tick)
      // The file's times are exact to 20 us; its tempos are less exact than a thousandth of a BPM.
      #expect(abs((map.time(of: tick) - other.time(of: tick)).nanoseconds) < 80_000)
    }
  }

  @Test func `unreadable files are refused with the reason`() {
    let whole = file([tempo(500_000)])
    for length in 4..<whole.count - 1 { #expect(refusal(Array(whole.prefix(length))) != nil) }
    #expect(refusal(whole) == nil)
    #expect(refusal(file([], format: 2))?.contains("format 2") == true)
    #expect(refusal(file([], division: [0xE7, 40]))?.contains("film frames") == true)
    #expect(refusal(file([], division: [0, 0])) != nil)
    #expect(refusal(file([tempo(0)]))?.contains("10 to 400") == true)
    #expect(refusal(file([[0, 0x40, 0x40]]))?.contains("fault at byte") == true)
  }

  @Test func `random bytes after the header never trap`() {
    var generator = SeededGenerator(seed: 11)
    let whole = file([tempo(500_000), [0, 0xFF, 0x58, 4, 3, 2, 24, 8], [0x8F, 0, 0x90, 60, 0]])
    for _ in 0..<5_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 4..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = try? ScoreReading(bytes)
    }
  }

  @Test func `mutated chunks, lengths and counts never trap`() {
    var generator = SeededGenerator(seed: 29)
    let song: [[UInt8]] = [
      tempo(500_000), [0, 0xFF, 0x58, 4, 3, 2, 24, 8], [0, 0x90, 60, 100], [0x8F, 0, 60, 0],
      tempo(400_000, after: [10]), tempo(450_000, after: [1]), [0, 0xF0, 3, 1, 2, 0xF7],
    ]
    for _ in 0..<10_000 {
      var bytes = file(
        (0..<3).flatMap { _ in song }, format: UInt8.random(in: 0...1, using: &generator))
      if Bool.random(using: &generator) { bytes += bytes[14...] }
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: 8..<bytes.count, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 2:
          bytes[place] = [0, 0x7F, 0x80, 0xF8, 0xFF, 0x2F].randomElement(using: &generator) ?? 0
        default: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        }
      }
      guard let score = try? ScoreReading(bytes).score else { continue }
      #expect(zip(score.passages, score.passages.dropFirst()).allSatisfy { $0.start < $1.start })
    }
  }
}
