import Testing
import TestSupport

@testable import MIDIClock

struct AccentPatternTests {
  // F65, F66: strong on 1, medium on each later group start, weak elsewhere.
  @Test(arguments: [
    ("4/4", "Xxxx"), ("1/4", "X"), ("3/4", "Xxx"), ("6/8", "Xxxmxx"), ("7/8", "Xxmxmxx"),
    ("5/8", "Xxxmx"), ("8/8", "Xxxmxxmx"), ("12/8", "Xxxmxxmxxmxx"), ("6/8=6", "Xxxxxx"),
    ("2+2+2+2+2+2+2+2+2+2+2+2+2+2+2+2/16", "Xxmxmxmxmxmxmxmxmxmxmxmxmxmxmxmx"),
  ])
  func `a meter has its own accents`(meter: String, letters: String) throws {
    #expect(AccentPattern(of: try Meter(text: meter)).text == letters)
  }

  @Test func `a pattern is parsed letter by letter, up to 128`() throws {
    var generator = SeededGenerator(seed: 1)
    for count in 1...128 {
      let letters = String((0..<count).map { _ in ".xmX".randomElement(using: &generator) ?? "x" })
      let pattern = try #require(AccentPattern(text: letters))
      #expect(pattern.text == letters)
      #expect(pattern.count == Int64(count))
    }
  }

  @Test(arguments: ["", "XxO", "X x", "M", "X\n", String(repeating: "x", count: 129)])
  func `no letters, too many or others are refused`(letters: String) {
    #expect(AccentPattern(text: letters) == nil)
  }
}
