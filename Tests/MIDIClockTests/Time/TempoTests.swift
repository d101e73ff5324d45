import Testing

@testable import MIDIClock

struct TempoTests {
  @Test(
    arguments: [
      ("120", 120_000), ("120.5", 120_500), ("120.50", 120_500), ("133.7", 133_700),
      ("97.125", 97_125), ("150.833", 150_833), ("10", 10_000), ("400", 400_000),
      ("400.000", 400_000), ("q=120", 120_000), ("q=60.25", 60_250), ("0070", 70_000),
      // F62: a dotted quarter is 3/8; F63, F64: other units.
      ("1/8=100", 50_000), ("3/8=80", 120_000), ("3/8=120", 180_000), ("3/8=95", 142_500),
      ("1/4=60", 60_000), ("1/2=60", 120_000), ("1/1=30", 120_000), ("1/16=480", 120_000),
      ("1/32=960", 120_000), ("3/4=40", 120_000), ("1/32=0080", 10_000), ("3/32=320", 120_000),
    ] as [(String, Int64)])
  func `a text gives a tempo in quarters per minute, to a thousandth`(
    text: String, milliBPM: Int64
  ) throws {
    #expect(try Tempo(text: text).milliBPM == milliBPM)
  }

  // F81, F83.
  @Test(arguments: [
    "152,4", "nan", "NaN", "inf", "-inf", "-5", "-0", "+120", "12x", "x12", "", " ", " 120",
    "120 ", "1e2", "1e9", "0x78", "120.", ".5", ".", "1.2.3", "q=", "q=-5", "q= 120", "=120",
    "q=q=120", "1/4=", "１２０", "120\n", "1_0_0", "120bpm",
  ])
  func `a malformed text is refused with the valid forms and the range`(
    text: String
  ) throws {
    let error = try #require(throws: Tempo.TextError.self) { try Tempo(text: text) }
    let unit = text.first == "=" ? Tempo.TextError.unknownUnit(text) : .malformed(text)
    #expect(error == unit)
    #expect(error.description.hasPrefix("'\(text)' "))
    #expect(
      error.description.contains("10 to 400 quarter notes per minute"))
    #expect(error.description.contains("write 120, 120.5, q=120, 1/8=100 or 3/8=80"))
  }

  @Test(arguments: [
    "0", "0.0", "1", "9.999", "400.001", "401", "1000", "999999999", "1000000000",
    "123456789012345678901234567890", "1/8=19.999", "1/8=801", "3/8=300", "1/1=101", "q=9",
  ])
  func `a number out of range is refused with the range`(text: String) throws {
    let error = try #require(throws: Tempo.TextError.self) { try Tempo(text: text) }
    #expect(error == .outOfRange(text))
    #expect(
      error.description
        == "'\(text)' is out of range: 10 to 400 quarter notes per minute")
  }

  @Test(arguments: [
    "1/7=100", "1/3=100", "0/4=100", "33/4=100", "x=100", "1/64=100", "1=100",
    "1/8/2=100", "Q=120", "1/-8=100", "+1/8=100",
  ])
  func `a unit that meters do not have is refused`(text: String) throws {
    let error = try #require(throws: Tempo.TextError.self) { try Tempo(text: text) }
    #expect(error == .unknownUnit(text))
    #expect(error.description.contains("10 to 400 quarter notes per minute"))
  }

  @Test func `a tempo finer than a thousandth is refused, with the nearest if there is one`() {
    #expect(throws: Tempo.TextError.tooFine("120.0005", nearest: nil)) {
      try Tempo(text: "120.0005")
    }
    // 100.001 eighths are 50.0005 quarters.
    #expect(throws: Tempo.TextError.tooFine("1/32=100.007", nearest: Tempo(milliBPM: 12_501))) {
      try Tempo(text: "1/32=100.007")
    }
    #expect(throws: Tempo.TextError.tooFine("1/32=100.001", nearest: Tempo(milliBPM: 12_500))) {
      try Tempo(text: "1/32=100.001")
    }
    #expect(throws: Tempo.TextError.tooFine("1/8=800.001", nearest: Tempo(milliBPM: 400_000))) {
      try Tempo(text: "1/8=800.001")
    }
    #expect(throws: Tempo.TextError.tooFine("1/8=100.001", nearest: Tempo(milliBPM: 50_001))) {
      try Tempo(text: "1/8=100.001")
    }
    #expect(
      Tempo.TextError.tooFine("1/8=100.001", nearest: Tempo(milliBPM: 50_001)).description
        == "'1/8=100.001' is finer than 0.001 quarter notes per minute; the nearest is q=50.001")
    #expect(
      Tempo.TextError.tooFine("120.0005", nearest: nil).description
        == "'120.0005' is finer than 0.001 quarter notes per minute; use three decimals at most")
  }

  @Test func `the range is 10 to 400, inclusive`() {
    #expect(Tempo(milliBPM: 9_999) == nil)
    #expect(Tempo(milliBPM: 10_000)?.milliBPM == 10_000)
    #expect(Tempo(milliBPM: 400_000)?.milliBPM == 400_000)
    #expect(Tempo(milliBPM: 400_001) == nil)
    #expect(Tempo(clamping: 0).milliBPM == 10_000)
    #expect(Tempo(clamping: Int64.max).milliBPM == 400_000)
    #expect(Tempo(clamping: 127_300).milliBPM == 127_300)
    #expect(Tempo.standard.milliBPM == 120_000)
  }

  @Test(
    arguments: [
      (120_000, "120"), (120_500, "120.5"), (133_700, "133.7"), (97_125, "97.125"),
      (10_001, "10.001"),
    ] as [(Int64, String)])
  func `a tempo is printed with a point and without needless decimals`(
    milliBPM: Int64, text: String
  ) {
    #expect(Tempo(clamping: milliBPM).description == text)
  }

  @Test func `every tempo is parsed back as printed`() throws {
    var milliBPM: Int64 = 10_000
    while milliBPM <= 400_000 {
      #expect(try Tempo(text: Tempo(clamping: milliBPM).description).milliBPM == milliBPM)
      milliBPM += 389
    }
  }

  @Test(
    arguments: [
      (60_000, 41_666_666), (100_000, 25_000_000), (120_000, 20_833_333), (142_500, 17_543_859),
      (180_000, 13_888_888), (104_000, 24_038_461), (10_000, 250_000_000), (400_000, 6_250_000),
    ] as [(Int64, Int64)])
  func `a pulse lasts 2500 ms over the tempo, rounded down`(milliBPM: Int64, nanoseconds: Int64) {
    #expect(Tempo(clamping: milliBPM).pulsePeriod.nanoseconds == nanoseconds)
  }

  @Test func `a slower tempo compares as less`() {
    #expect(Tempo(clamping: 99_999) < Tempo(clamping: 100_000))
    #expect(!(Tempo(clamping: 100_000) < Tempo(clamping: 100_000)))
  }
}
