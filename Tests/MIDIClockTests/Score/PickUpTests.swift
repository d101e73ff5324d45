import Testing

@testable import MIDIClock

struct PickUpTests {
  private func score(_ text: String) throws -> Score { try ScoreReading(Array(text.utf8)).score }

  private func clicks(_ score: Score, countIn: Int64) -> ClickList {
    ClickList(
      Planner(
        score: score, routes: [Route(contents: .click), .observer], countInBars: countIn),
      route: 0, observer: 1)
  }

  /// The clicks before the second beat of bar 2: strong is 127, medium 100, weak 80.
  private func heard(_ text: String, countIn: Int64) throws -> [(time: Int64, velocity: UInt8)] {
    clicks(try score(text), countIn: countIn).clicks
      .map { ($0.time.nanoseconds / 1_000_000, $0.velocity) }
  }

  @Test func `N15 a pick-up is weak, and counted in 1 2 3 with the music on 4`() throws {
    let clicks = try heard("1 1/4 120\n4 4/4", countIn: 1)
    #expect(clicks.prefix(5).map(\.time) == [-1_500, -1_000, -500, 0, 500])
    #expect(clicks.prefix(5).map(\.velocity) == [127, 80, 80, 80, 127])
    let two = try heard("1 1/4 120\n4 4/4", countIn: 2)
    #expect(two.prefix(8).map(\.velocity) == [127, 80, 80, 80, 127, 80, 80, 80])
    #expect(two.first?.time == -3_500)
  }

  @Test func `N15 an eighth before 6/8`() throws {
    let clicks = try heard("1 1/8 1/8=240\n2 6/8", countIn: 1)
    #expect(clicks.prefix(7).map(\.time) == [-1_250, -1_000, -750, -500, -250, 0, 250])
    #expect(clicks.prefix(7).map(\.velocity) == [127, 80, 80, 100, 80, 80, 127])
    // Without a count-in it is as weak.
    #expect(
      try heard("1 3/8 1/8=240\n2 6/8", countIn: 0).prefix(4).map(\.velocity) == [100, 80, 80, 127])
  }

  @Test func `accents that are written stay, and other first bars are counted in as they are`()
    throws
  {
    #expect(try heard("1 1/4 120 X\n4 4/4", countIn: 0).first?.velocity == 127)
    #expect(try heard("A: 1 1/4 120\n4 4/4", countIn: 1).prefix(2).map(\.velocity) == [127, 127])
    let long = try heard("1 5/4 120\n4 4/4", countIn: 1)
    #expect(long.prefix(6).map(\.velocity) == [127, 80, 80, 80, 80, 127])
    #expect(try heard("2 1/4 120\n4 4/4", countIn: 1).prefix(2).map(\.velocity) == [127, 127])
  }

  @Test func `a rendered pick-up keeps its count-in in whole bars`() throws {
    let score = try score("1 1/4 120\n2 4/4")
    let bytes = MIDIFileWriter.bytes(
      score: score, startBar: 1, countInBars: 1, clicks: clicks(score, countIn: 1), channel: 9)
    let again = try ScoreReading(bytes).score
    #expect(again.passages.map(\.span.pattern.meter) == [.common])
    #expect(again.end == Tick(3 * 3_840))
  }

  @Test func `the plan counts a pick-up in, and each pulse is on time`() throws {
    var plan = Planner(
      score: try score("1 1/4 120\n4 4/4"), routes: [Route(), .observer], countInBars: 1)
    let events = plan.take(untilMilliseconds: 10_000)
    #expect(events.heard().faults.isEmpty)
    #expect(
      events.beats.map(\.beat.position.description).prefix(6)
        == ["1|1|0", "1|2|0", "1|3|0", "1|1|0", "2|1|0", "2|2|0"])
  }
}
