/// The address of a port in the sequencer: the numbers of its client and port.
///
/// The number of a software client changes every time the program starts; its name does not.
public struct PortAddress: Hashable, Comparable, Sendable {
  /// The number of the client, 0 to 255; 0 is the kernel itself.
  public let client: UInt8
  /// The number of the port within its client, 0 to 255.
  public let port: UInt8

  /// The port numbered `port` of the client numbered `client`.
  public init(client: UInt8, port: UInt8) {
    self.client = client
    self.port = port
  }

  /// Reads `128:0`; `nil` unless both numbers are plain digits within range.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let client = PortAddress.number(parts[0].utf8),
      let port = PortAddress.number(parts[1].utf8)
    else { return nil }
    self.init(client: client, port: port)
  }

  /// True if `left` has the lower client number, or the lower port number in the same client.
  public static func < (left: PortAddress, right: PortAddress) -> Bool {
    (left.client, left.port) < (right.client, right.port)
  }

  /// The number that consists of `digits` only; `nil` above 255.
  static func number(_ digits: some Collection<UInt8>) -> UInt8? {
    guard isDigits(digits) else { return nil }
    var number = 0
    for digit in digits {
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
      if number > 255 { return nil }
    }
    return UInt8(number)
  }

  static func isDigits(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension PortAddress: CustomStringConvertible {
  /// The address in the notation of alsa-utils, `128:0`.
  public var description: String { "\(client):\(port)" }
}
