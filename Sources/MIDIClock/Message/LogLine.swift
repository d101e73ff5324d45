/// One line of a message log: when, on which port, what.
///
/// The form is `SECONDS [@PORT] HEX...`, such as `0.001500000 @1 F8` or `2.0 99 22 7F`; `#` begins
/// a comment. Written by `--dry-run` and recorders, read by `--replay`.
public struct LogLine: Hashable, Sendable {
  /// When, from the log's own zero.
  public var time: HostTime
  /// The port's name after the `@`; `nil` when the log has one port.
  public var port: String?
  /// The message's bytes on the wire.
  public var bytes: [UInt8]

  /// A line of its parts.
  public init(time: HostTime, port: String? = nil, bytes: [UInt8]) {
    self.time = time
    self.port = port
    self.bytes = bytes
  }

  /// The line as it is written: seconds with nine decimals, upper-case hexadecimal bytes.
  public var text: String {
    let port = port.map { ["@" + $0] } ?? []
    return ([Self.seconds(time)] + port + [hexadecimal]).joined(separator: " ")
  }

  /// The bytes alone, as they are written.
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
