import Testing

@testable import MIDIClock

struct PlannedPartsTests {
  private func score() throws -> Score {
    let text = "1 4/4 120\nA: 1\n1 3/4\nB: 1 4/4 100-140\nat 4:2.5 90\n"
    return try ScoreReading(Array(text.utf8)).score
  }

  @Test func `beats carry their part, and the first one marks its beginning`() throws {
    var plan = Planner(score: try score(), routes: [.observer], countInBars: 1)
    let beats = plan.take().beats.map(\.beat)
    let parts = beats.map { $0.part?.index ?? -1 }
    #expect(parts == Array(repeating: -1, count: 8) + [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    #expect(beats.allSatisfy { $0.part?.pass ?? 1 == 1 })
    let begun = beats.filter { $0.begunPart != nil }
    #expect(begun.map(\.position.description) == ["2|1|0", "4|1|0"])
  }

  @Test func `moving to a position includes its part`() throws {
    var plan = Planner(score: try score(), routes: [.observer])
    _ = plan.take(untilMilliseconds: 600)
    func instant(_ milliseconds: Int64) -> HostTime {
      HostTime(nanoseconds: milliseconds * 1_000_000)
    }
    #expect(plan.apply(.transport(.stop), at: instant(700)) == .applied)
    let start = try score().start(ofBar: 3)
    #expect(plan.apply(.transport(.locate(start)), at: instant(800)) == .applied)
    #expect(plan.apply(.transport(.continue), at: instant(900)) == .applied)
    let beat = try #require(plan.take(untilMilliseconds: 2_000).beats.first?.beat)
    #expect(beat.position.bar == 3)
    #expect(beat.part == PlayedPart(index: 0, start: Tick(3_840)))
    #expect(beat.begunPart == nil)
  }
}
