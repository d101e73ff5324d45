/// How Standard MIDI Files write numbers: the highest byte first, or in as few bytes of seven bits as they need.
///
/// Source: Standard MIDI Files 1.0 (MMA, 1996).
enum StandardMIDIFile {
  /// Bytes being read.
  struct Cursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// The next `count` bytes, if there are as many.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    /// A number of `count` bytes, the highest first.
    mutating func number(_ count: Int) -> Int? {
      take(count).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// A number of up to four bytes with seven bits each.
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

  /// Seven bits a byte, the highest first; all but the last have their top bit set.
  static func variable(_ value: Int64) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  /// The lowest `count` bytes of `value`, the highest first.
  static func number(_ value: Int, bytes count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
}
