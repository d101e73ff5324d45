import Testing

@testable import MIDIClock

struct LogLineParsingTests {
  private func parse(_ text: String) -> Result<LogLine?, LogLine.TextError> {
    do throws(LogLine.TextError) { return .success(try LogLine.parse(Array(text.utf8)[...])) } catch
    { return .failure(error) }
  }

  @Test(
    arguments: [
      ("0.001500000 @1 F8", 1_500_000, "1", [0xF8]),
      ("2.0 99 22 7F", 2_000_000_000, nil, [0x99, 0x22, 0x7F]),
      ("-0.001 fa", -1_000_000, nil, [0xFA]), ("3 F8\r", 3_000_000_000, nil, [0xF8]),
      ("\t1.5\t@24:0  F2 00 10  # a place", 1_500_000_000, "24:0", [0xF2, 0, 0x10]),
      ("0.1 @Box#2 F8#x", 100_000_000, "Box#2", [0xF8]),
      ("+1 F0 01 02 F7", 1_000_000_000, nil, [0xF0, 1, 2, 0xF7]),
      ("\u{FEFF}1 FE", 1_000_000_000, nil, [0xFE]),
      ("0.0416666666666666644 F8", 41_666_667, nil, [0xF8]),
      ("999999999.999999999 C0 05", 999_999_999_999_999_999, nil, [0xC0, 5]),
    ] as [(String, Int64, String?, [UInt8])])
  func `a message is read`(text: String, time: Int64, port: String?, bytes: [UInt8]) {
    #expect(
      parse(text) == .success(LogLine(time: HostTime(nanoseconds: time), port: port, bytes: bytes)))
  }

  @Test(arguments: ["", "  ", "\r", "# x", "  # 1 F8", "\u{FEFF}", "\u{FEFF}# x"])
  func `blank lines and comments are skipped`(text: String) {
    #expect(parse(text) == .success(nil))
  }

  @Test(
    arguments: [
      ("x F8", .time("x")), ("1. F8", .time("1.")), (".5 F8", .time(".5")),
      ("1,5 F8", .time("1,5")),
      ("1e3 F8", .time("1e3")), ("1234567890 F8", .time("1234567890")), ("- F8", .time("-")),
      ("1 @ F8", .port), ("1", .noMessage), ("1 @a", .noMessage), ("1 # F8", .noMessage),
      ("1 F", .byte("F")), ("1 F8 @1", .byte("@1")), ("1 0xF8", .byte("0xF8")),
      ("1 F8F8", .byte("F8F8")), ("1 @\u{1B}[31m F8", .portName), ("1 @a\u{9B}1m F8", .portName),
      ("1 F8 F8", .notOneMessage([0xF8, 0xF8])), ("1 22 7F", .notOneMessage([0x22, 0x7F])),
      ("1 99 22", .notOneMessage([0x99, 0x22])), ("1 99 80 00", .notOneMessage([0x99, 0x80, 0])),
      ("1 F0 01", .notOneMessage([0xF0, 1])),
    ] as [(String, LogLine.TextError)])
  func `malformed lines are refused`(text: String, error: LogLine.TextError) {
    #expect(parse(text) == .failure(error))
    #expect(!"\(error)".contains("\n"))
  }

  @Test func `written lines are parsed back`() {
    let line = LogLine(time: HostTime(nanoseconds: -12_345), port: "128:0", bytes: [0xB0, 0x7B, 0])
    #expect(parse(line.text) == .success(line))
  }
}
