import Testing

@testable import MIDIClock

struct MeterTests {
  @Test(
    arguments: [
      ("4/4", 4, 4, [4]), ("4:4", 4, 4, [4]), ("3/4", 3, 4, [3]), ("1/4", 1, 4, [1]),
      ("32/32", 32, 32, [32]), ("1/1", 1, 1, [1]), ("6/4", 6, 4, [6]), ("9/16", 9, 16, [9]),
      // Usual groups of eighths.
      ("1/8", 1, 8, [1]), ("2/8", 2, 8, [2]), ("3/8", 3, 8, [3]), ("4/8", 4, 8, [4]),
      ("5/8", 5, 8, [3, 2]), ("6/8", 6, 8, [3, 3]), ("7/8", 7, 8, [2, 2, 3]),
      ("8/8", 8, 8, [3, 3, 2]), ("9/8", 9, 8, [3, 3, 3]), ("10/8", 10, 8, [10]),
      ("11/8", 11, 8, [11]), ("12/8", 12, 8, [3, 3, 3, 3]), ("15/8", 15, 8, [3, 3, 3, 3, 3]),
      // Explicit groups.
      ("7/8=2+2+3", 7, 8, [2, 2, 3]), ("7/8=3+2+2", 7, 8, [3, 2, 2]), ("2+2+3/8", 7, 8, [2, 2, 3]),
      ("3+2+2/8", 7, 8, [3, 2, 2]), ("6/8=6", 6, 8, [6]), ("5/4=2+3", 5, 4, [2, 3]),
      ("4/4=1+1+1+1", 4, 4, [1, 1, 1, 1]), ("31+1/16", 32, 16, [31, 1]),
    ] as [(String, Int64, Int64, [Int64])])
  func `a text gives beats, unit and groups`(
    text: String, beats: Int64, unit: Int64, groups: [Int64]
  ) throws {
    let meter = try Meter(text: text)
    #expect(meter.beats == beats)
    #expect(meter.unit == unit)
    #expect(meter.grouping == groups)
    #expect(try Meter(text: meter.description) == meter || groups == [6])
  }

  @Test(arguments: [
    "", "4", "4/", "/4", "4/4/4", "4.4", "four/4", "4/4=", "4/4=x", "4/4=2+", "+4/4", "2++2/4",
    "2+2/4=2+2", "4/4=2+2=4", " 4/4", "4/4 ", "-4/4", "0+4/4", "4/4=0+4", "4/x",
  ])
  func `a malformed text is refused`(text: String) throws {
    let error = try #require(throws: Meter.TextError.self) { try Meter(text: text) }
    #expect(error == .malformed(text))
    #expect(error.description == "'\(text)' is not a meter: write 4/4, 7/8=2+2+3 or 2+2+3/8")
  }

  @Test(arguments: ["0/4", "33/4", "1000/8", "16+17/8"])
  func `a bar has 1 to 32 beats`(text: String) throws {
    let error = try #require(throws: Meter.TextError.self) { try Meter(text: text) }
    #expect(error == .beats(text))
    #expect(error.description == "'\(text)': a bar has 1 to 32 beats")
  }

  @Test(arguments: ["4/3", "4/0", "4/64", "7/12", "4/5=2+2"])
  func `a beat is a whole to a 32nd note`(text: String) throws {
    let error = try #require(throws: Meter.TextError.self) { try Meter(text: text) }
    #expect(error == .unit(text))
  }

  @Test func `groups add up to the beats`() throws {
    let error = try #require(throws: Meter.TextError.self) { try Meter(text: "7/8=2+2+2") }
    #expect(error == .groups("7/8=2+2+2", sum: 6, beats: 7))
    #expect(error.description == "'7/8=2+2+2': the groups add up to 6, the bar has 7 beats")
  }

  // F62, F64, F66, F69: the length of a bar in pulses of 40 ticks.
  @Test(
    arguments: [
      ("4/4", 96), ("3/4", 72), ("6/4", 144), ("9/4", 216), ("6/8", 72), ("12/8", 144), ("7/8", 84),
      ("5/8", 60), ("8/8", 96), ("1/32", 3), ("1/1", 96), ("32/1", 3_072),
    ] as [(String, Int64)])
  func `a bar has its length in pulses`(text: String, pulses: Int64) throws {
    #expect(try Meter(text: text).ticksPerBar == pulses * 40)
  }

  @Test func `the touch screen's six meters are there in its order`() {
    #expect(
      Meter.choice.map(\.description)
        == ["1/4", "2/4", "3/4", "4/4", "3/8", "6/8=3+3"])
    #expect(Meter.common.description == "4/4")
  }

  @Test(arguments: [("4/4", "4/4"), ("7/8", "7/8=2+2+3"), ("6/8=6", "6/8"), ("2+3/4", "5/4=2+3")])
  func `a meter is printed with its groups if there are several`(text: String, out: String)
    throws
  {
    #expect(try Meter(text: text).description == out)
  }
}
