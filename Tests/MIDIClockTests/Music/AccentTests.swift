import Testing

@testable import MIDIClock

struct AccentTests {
  @Test func `each accent has one letter and one word`() {
    #expect(Accent.allCases.map(\.letter) == [".", "x", "m", "X"])
    #expect(Accent.allCases.map(\.name) == ["silent", "weak", "medium", "strong"])
    #expect(Accent.allCases.map(\.isSilent) == [true, false, false, false])
  }
}
