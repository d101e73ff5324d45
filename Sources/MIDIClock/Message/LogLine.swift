/// One line of a message log: time, port and message.
///
/// The form is `SECONDS [@PORT] HEX...`, such as `0.001500000 @1 F8` or `2.0 99 22 7F`; `#` begins
/// a comment. Written by `--dry-run` and recorders, read by `--replay`.
public struct LogLine: Hashable, Sendable {
  /// The time, relative to the start of the log.
  public var time: HostTime
  /// The port's name after the `@`; `nil` if the log has only one port.
  public var port: String?
  /// The bytes of the message as transmitted.
  public var bytes: [UInt8]

  /// Creates a line.
  public init(time: HostTime, port: String? = nil, bytes: [UInt8]) {
    self.time = time
    self.port = port
    self.bytes = bytes
  }

  /// The text of the line: seconds with nine decimals, upper-case hexadecimal bytes.
  public var text: String {
    let port = port.map { ["@" + $0] } ?? []
    return ([Self.seconds(time)] + port + [hexadecimal]).joined(separator: " ")
  }

  /// The text of the bytes alone.
  var hexadecimal: String { bytes.map { Self.hexadecimal($0) }.joined(separator: " ") }

  /// `time` in seconds with nine decimals, such as `-0.001000000`.
  public static func seconds(_ time: HostTime) -> String {
    let magnitude = time.nanoseconds.magnitude
    let fraction = Digits.padded(Int64(magnitude % 1_000_000_000), width: 9)
    return "\(time.nanoseconds < 0 ? "-" : "")\(magnitude / 1_000_000_000).\(fraction)"
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count == 1 ? "0" + digits : digits
  }
}
