import Testing

@testable import MIDIClock

struct NoteValueTests {
  @Test(
    arguments: [("1/8", 1, 8), ("3/8", 3, 8), ("32/1", 32, 1), ("1/32", 1, 32)]
      as [(String, Int64, Int64)])
  func `a note value is a fraction of a whole note`(
    text: String, numerator: Int64, denominator: Int64
  ) throws {
    let value = try #require(NoteValue(text: text))
    #expect(value.numerator == numerator)
    #expect(value.denominator == denominator)
  }

  @Test(arguments: ["", "1", "1/", "/8", "0/8", "33/8", "1/3", "1/64", "1/8/8", "-1/8", "1/ 8"])
  func `malformed texts are refused`(text: String) { #expect(NoteValue(text: text) == nil) }
}
