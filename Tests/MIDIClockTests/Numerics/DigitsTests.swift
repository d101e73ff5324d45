import Testing

@testable import MIDIClock

struct DigitsTests {
  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("007", 7), ("999999999999999", 999_999_999_999_999),
    ] as [(String, Int64)])
  func `plain digits are a number`(text: String, value: Int64) {
    #expect(Digits.parse(text) == value)
  }

  @Test(arguments: ["", " ", "1 ", "+1", "-1", "1.0", "1_000", "0x1", "١٢", "1234567890123456"])
  func `anything but one to fifteen ASCII digits is refused`(text: String) {
    #expect(Digits.parse(text) == nil)
  }

  @Test func `padding never cuts`() {
    #expect(Digits.padded(7, width: 3) == "007")
    #expect(Digits.padded(0, width: 1) == "0")
    #expect(Digits.padded(1_234, width: 3) == "1234")
  }
}
