/// Number formats of Standard MIDI Files: fixed width, big-endian, and variable-length quantities.
///
/// Source: Standard MIDI Files 1.0 (MMA, 1996).
enum StandardMIDIFile {
  /// A reading position in a sequence of bytes.
  struct Cursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// Takes the next `count` bytes; `nil` if fewer are left.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    /// Takes a big-endian number of `count` bytes.
    mutating func number(_ count: Int) -> Int? {
      take(count).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Takes a variable-length quantity of up to four bytes, seven bits each.
    mutating func variable() -> Int? {
      var value = 0
      for _ in 0..<4 {
        guard let next = byte() else { return nil }
        value = value << 7 | Int(next & 0x7F)
        if next & 0x80 == 0 { return value }
      }
      return nil
    }
  }

  /// A variable-length quantity: seven bits per byte, big-endian; all but the last have the top bit
  /// set.
  static func variable(_ value: Int64) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  /// The lowest `count` bytes of `value`, big-endian.
  static func number(_ value: Int, bytes count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
}
