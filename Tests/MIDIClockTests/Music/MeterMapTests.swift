import Testing
import TestSupport

@testable import MIDIClock

struct MeterMapTests {
  private func map(_ text: String) throws -> MeterMap {
    try #require(MeterMap(try ScoreReading(Array(text.utf8)).score))
  }

  @Test func `an unchanged meter is one stretch, whatever the tempo`() throws {
    #expect(try map("4 90\n4 100\nat 6:2 90\n4 XmXm\n4 3/4").count == 3)
    #expect(try map("4 90-100\n4").count == 1)
  }

  @Test func `a position is found from any previous one`() throws {
    var meters = try map("1 3/4\n2 5/8\n* 2/4")
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<1_000 {
      let tick = Tick(Int64.random(in: -5_000...20_000, using: &generator))
      let wanted = tick.count < 2_880 ? 0 : tick.count < 2_880 + 4_800 ? 1 : 2
      #expect(meters.index(at: tick) == wanted)
    }
  }

  @Test func `more meters than the capacity are refused`() throws {
    let lines = (0..<65).map { $0 % 2 == 0 ? "1 3/4" : "1 4/4" }
    let score = try ScoreReading(Array(lines.joined(separator: "\n").utf8)).score
    #expect(MeterMap(score) == nil)
    let fewer = try ScoreReading(Array(lines.dropLast().joined(separator: "\n").utf8)).score
    #expect(MeterMap(fewer)?.count == 64)
  }

  @Test func `a follower counts each meter's own beats`() throws {
    var session = Session(meters: try map("1 3/4\n2 5/8\n* 2/4"))
    session.receive(.start, at: -0.01)
    session.receive(pulses: pulses(72 + 120 + 49, bpm: 120))
    #expect(
      session.places == [
        "1|1|0@0", "1|2|0@24", "1|3|0@48", "2|1|0@72", "2|2|0@84", "2|3|0@96", "2|4|0@108",
        "2|5|0@120", "3|1|0@132", "3|2|0@144", "3|3|0@156", "3|4|0@168", "3|5|0@180", "4|1|0@192",
        "4|2|0@216", "5|1|0@240",
      ])
    #expect(session.beats.map(\.accent.letter).prefix(7) == ["X", "x", "x", "X", "x", "x", "m"])
    session.receive(.stop, at: 6)
    session.receive(.songPosition(SongPosition(lowByte: 14, highByte: 0)), at: 6.1)
    #expect(session.follower.position == Position(bar: 2, beat: 2))
  }
}
