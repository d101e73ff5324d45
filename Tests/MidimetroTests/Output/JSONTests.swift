import MIDIClock
import Testing

@testable import midimetro

struct JSONTests {
  @Test(arguments: [
    ("", "\"\""), ("plain", "\"plain\""), ("a \"b\"", "\"a \\\"b\\\"\""), ("a\\b", "\"a\\\\b\""),
    ("a\nb\tc", "\"a\\nb\\tc\""), ("\u{0}\u{1F}\r", "\"\\u0000\\u001f\\u000d\""),
    ("\u{7F}é日本😀", "\"\u{7F}é日本😀\""), ("\u{FFFD}", "\"\u{FFFD}\""),
    // One grapheme in Swift, two characters in JSON.
    ("a\r\nb", "\"a\\u000d\\nb\""), ("\"\u{301}", "\"\\\"\u{301}\""),
  ])
  func `strings are escaped and parsed back`(text: String, quoted: String) throws {
    #expect(JSON.quoted(text).unicodeScalars.elementsEqual(quoted.unicodeScalars))
    guard case .string(let back) = try StrictJSON.parse(quoted) else {
      throw Unexpected(text: quoted)
    }
    #expect(back.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(
    arguments: [
      (0, 9, "0.0"), (1, 9, "0.000000001"), (-1, 9, "-0.000000001"), (1_500_000, 9, "0.0015"),
      (1_000_000_000, 9, "1.0"), (-1_250_000_000, 9, "-1.25"), (133_700, 3, "133.7"),
      (120_000, 3, "120.0"), (97_125, 3, "97.125"), (5, 1, "0.5"),
      (Int64.min, 9, "-9223372036.854775808"),
      (Int64.max, 3, "9223372036854775.807"),
    ] as [(Int64, Int, String)])
  func `decimals have a point and no needless zeros`(value: Int64, places: Int, text: String) {
    #expect(JSON.decimal(value, places: places) == text)
  }

  @Test func `objects keep the order given`() throws {
    let text = JSON.object([
      ("b", 1), ("a", .list(["x", .null, true])), ("c", .object([("d", .boolean(false))])),
      ("e", .seconds(.milliseconds(-11))), ("f", .list([])), ("g", .object([])),
    ])
    #expect(
      text == #"{"b":1,"a":["x",null,true],"c":{"d":false},"e":-0.011,"f":[],"g":{}}"#)
    #expect(try StrictJSON.parse(text)["a"] == .array([.string("x"), .null, .bool(true)]))
  }

  @Test(arguments: [
    "", "{", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":1,\"a\":2}", "[1,]", "01", "1.", "\"\n\"", "nul",
    "{'a':1}", "+1",
  ])
  func `the parser used by these tests is strict`(text: String) {
    #expect(throws: StrictJSON.Malformed.self) { try StrictJSON.parse(text) }
  }
}
