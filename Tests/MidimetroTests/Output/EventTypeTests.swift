import Testing

@testable import midimetro

struct EventTypeTests {
  private static let position: [(String, JSON.Value)] = [
    ("time", .rounded(1.5, places: 3)), ("sixteenths", 16), ("bar", 2), ("beat", 1),
  ]

  @Test func `a line that matches the table is written`() {
    #expect(EventType.position.fault(in: Self.position) == nil)
    #expect(EventType.position.fault(in: Self.position + [("port", "24:0")]) == nil)
    #expect(
      JSON.line(.position, Self.position)
        == #"{"type":"position","time":1.5,"sixteenths":16,"bar":2,"beat":1}"#)
  }

  @Test func `a missing, unknown or mistyped member is an error`() {
    #expect(
      EventType.position.fault(in: Array(Self.position.dropLast())) == "position lacks beat")
    #expect(
      EventType.position.fault(in: Self.position + [("bpm", 120)])
        == "position has no member bpm")
    #expect(
      EventType.position.fault(in: Self.position.dropLast() + [("beat", "1")])
        == #"position: beat is "1", not integer"#)
    #expect(
      EventType.position.fault(in: Self.position.dropLast() + [("beat", .null)])
        == "position: beat is null, not integer")
  }

  @Test func `no key is repeated in a type, and every type is in the reference`() {
    for type in EventType.all {
      #expect(Set(type.fields.map(\.key)).count == type.fields.count, "\(type.name)")
      #expect(JSONReference.text.contains("## `\(type.name)`\n"))
      #expect(!type.verbs.isEmpty)
    }
  }

  @Test func `the members of an object are checked too`() {
    let summary: [(String, JSON.Value)] = [
      ("pulses", 1), ("beats", 1), ("bpm", .rounded(120, places: 1)), ("missing", 0), ("extra", 0),
    ]
    func fault(_ lateness: [(String, JSON.Value)]) -> String? {
      EventType.summary.fault(in: summary + [("lateness_us", .object(lateness))])
    }
    let number = JSON.Value.rounded(1.5, places: 1)
    #expect(fault([("median", number), ("p99", number), ("max", number)]) == nil)
    #expect(fault([("median", number), ("p99", number)]) == "summary.lateness_us lacks max")
    #expect(fault([("least", number)]) == "summary.lateness_us has no member least")
    #expect(
      fault([("median", .null), ("p99", number), ("max", number)])
        == "summary.lateness_us: median is null, not number")
    #expect(JSONReference.text.contains("| `lateness_us.p99` | number, us |"))
    #expect(JSONReference.text.contains("| `histogram.counts` | list of integers |"))
  }

  @Test func `a number that is not finite is null where it may be, else left out`() {
    #expect(JSON.rounded(.nan, places: 2) == "null")
    #expect(JSON.rounded(.infinity, places: 2) == "null")
    #expect(JSON.rounded(-1.005, places: 1) == "-1.0")
    let line = JSON.line(
      .tempo,
      [
        ("time", .rounded(1, places: 1)), ("bpm", .rounded(120, places: 1)),
        ("raw_bpm", .rounded(.nan, places: 1)), ("uncertainty", .rounded(.nan, places: 1)),
      ])
    #expect(line == #"{"type":"tempo","time":1.0,"bpm":120.0,"raw_bpm":null}"#)
  }

  @Test(arguments: [
    (1e12, 3, "1000000000000.0"), (1e300, 1, "922337203685477478.4"),
    (-1e300, 3, "-9223372036854774.784"), (9.3e18, 1, "922337203685477478.4"),
  ])
  func `a number that is too large is the largest there is`(
    value: Double, places: Int, text: String
  ) {
    #expect(JSON.rounded(value, places: places) == text)
  }
}
