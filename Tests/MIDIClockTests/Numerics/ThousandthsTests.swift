import Testing

@testable import MIDIClock

struct ThousandthsTests {
  @Test(
    arguments: [
      ("0", 0), ("120", 120_000), ("120.5", 120_500), ("120.05", 120_050), ("120.005", 120_005),
      ("120.0050000", 120_005), ("0.001", 1), ("999999999.999", 999_999_999_999),
    ] as [(String, Int64)])
  func `three decimals are kept exactly`(text: String, value: Int64) {
    #expect(Thousandths.parse(text) == value)
  }

  @Test(arguments: [
    "", ".", "120.", ".5", "120.0005", "1,5", "1.2.3", "1e3", "-1", "+1", " 1", "1000000000",
    "nan", "inf",
  ])
  func `other texts are refused`(text: String) {
    #expect(Thousandths.parse(text) == nil)
  }

  @Test(
    arguments: [
      ("-10", -10_000), ("+2.5", 2_500), ("-0.125", -125), ("3", 3_000),
    ] as [(String, Int64)])
  func `one sign is parsed where signs are allowed`(text: String, value: Int64) {
    #expect(Thousandths.parseSigned(text) == value)
  }

  @Test(arguments: ["--1", "+-1", "-", "+"])
  func `more or less than a sign and a number is refused`(text: String) {
    #expect(Thousandths.parseSigned(text) == nil)
  }

  @Test(
    arguments: [
      (0, "0"), (1, "0.001"), (120_000, "120"), (120_500, "120.5"), (97_125, "97.125"),
      (-2_125, "-2.125"), (-1, "-0.001"), (100, "0.1"), (1_000_000, "1000"),
    ] as [(Int64, String)])
  func `a number is printed without needless decimals`(value: Int64, text: String) {
    #expect(Thousandths.text(value) == text)
  }
}
