import Testing

@testable import MIDIClock

struct LogLineTests {
  @Test(
    arguments: [
      (0, "0.000000000"), (-1_000_000, "-0.001000000"), (1_500_000, "0.001500000"),
      (2_000_000_000, "2.000000000"), (-12_345_678_901, "-12.345678901"), (1, "0.000000001"),
      (Int64.max, "9223372036.854775807"), (Int64.min, "-9223372036.854775808"),
    ] as [(Int64, String)])
  func `time is seconds with nine decimals`(nanoseconds: Int64, text: String) {
    #expect(LogLine.seconds(HostTime(nanoseconds: nanoseconds)) == text)
  }

  @Test func `a line is time, port if there are several, and upper-case hexadecimal bytes`() {
    #expect(
      LogLine(time: HostTime(nanoseconds: 1_500_000), port: "1", bytes: [0xF8]).text
        == "0.001500000 @1 F8")
    #expect(
      LogLine(time: .zero, bytes: [0x99, 0x0A, 0x7F]).text == "0.000000000 99 0A 7F")
  }
}
