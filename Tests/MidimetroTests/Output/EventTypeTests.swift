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

  @Test func `a non-finite number is null`() {
    #expect(JSON.rounded(.nan, places: 2) == "null")
    #expect(JSON.rounded(.infinity, places: 2) == "null")
    #expect(JSON.rounded(-1.005, places: 1) == "-1.0")
  }
}
