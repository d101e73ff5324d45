import Testing

@testable import MIDIClock

struct PositionTests {
  @Test func `a position is printed as bar, beat, tick`() {
    #expect(Position(bar: 3, beat: 2, tick: 15).description == "3|2|15")
    #expect(Position(bar: -1, beat: 1).description == "-1|1|0")
  }
}
