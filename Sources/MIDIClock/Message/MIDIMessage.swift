/// A message of the kinds that midimetro sends and understands.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, "System Real Time Messages", "System Common
/// Messages" and "Channel Voice Messages".
public enum MIDIMessage: Hashable, Sendable {
  /// Timing Clock, `F8`: one pulse, 24 per quarter note.
  case clock
  /// Start, `FA`: play from the top, at the next pulse.
  case start
  /// Continue, `FB`: play from the current position, at the next pulse.
  case `continue`
  /// Stop, `FC`: stop immediately.
  case stop
  /// Song Position Pointer, `F2`: the position of the next Continue.
  case songPosition(SongPosition)
  /// Note-on, `9n`: `channel` 0 to 15, `key` 0 to 127, `velocity` 1 to 127 (0 means note-off).
  case noteOn(channel: UInt8, key: UInt8, velocity: UInt8)
  /// Note-off, `8n`: `channel` 0 to 15, `key` 0 to 127; `velocity` is the release velocity.
  case noteOff(channel: UInt8, key: UInt8, velocity: UInt8)
  /// Control change, `Bn`: `channel` 0 to 15, `controller` and `value` 0 to 127.
  case control(channel: UInt8, controller: UInt8, value: UInt8)
}

extension MIDIMessage {
  /// The channels as people count them; on the wire they are one less.
  public static var channels: ClosedRange<Int64> { 1...16 }
  /// Keys, controllers and their values.
  public static var numbers: ClosedRange<Int64> { 0...127 }
  /// The velocities of a note-on; 0 is a note-off.
  public static var velocities: ClosedRange<Int64> { 1...127 }

  /// The bytes of the message as transmitted, without running status.
  public var bytes: [UInt8] {
    switch self {
    case .clock: [0xF8]
    case .start: [0xFA]
    case .continue: [0xFB]
    case .stop: [0xFC]
    case .songPosition(let position):
      [0xF2, UInt8(position.midiBeats & 0x7F), UInt8(position.midiBeats >> 7)]
    case .noteOn(let channel, let key, let velocity): [0x90 | channel, key, velocity]
    case .noteOff(let channel, let key, let velocity): [0x80 | channel, key, velocity]
    case .control(let channel, let controller, let value): [0xB0 | channel, controller, value]
    }
  }

  /// Parses one complete message.
  ///
  /// Returns `nil` unless the bytes are exactly one message of a kind listed here. A note-on with
  /// velocity 0 is read as a note-off.
  public init?(bytes: [UInt8]) {
    guard let status = bytes.first, bytes.dropFirst().allSatisfy({ $0 < 0x80 }) else { return nil }
    switch (status, bytes.count) {
    case (0xF8, 1): self = .clock
    case (0xFA, 1): self = .start
    case (0xFB, 1): self = .continue
    case (0xFC, 1): self = .stop
    case (0xF2, 3):
      self = .songPosition(SongPosition(lowByte: bytes[1], highByte: bytes[2]))
    case (0x80...0x8F, 3):
      self = .noteOff(channel: status & 0x0F, key: bytes[1], velocity: bytes[2])
    case (0x90...0x9F, 3) where bytes[2] == 0:
      self = .noteOff(channel: status & 0x0F, key: bytes[1], velocity: 0)
    case (0x90...0x9F, 3):
      self = .noteOn(channel: status & 0x0F, key: bytes[1], velocity: bytes[2])
    case (0xB0...0xBF, 3):
      self = .control(channel: status & 0x0F, controller: bytes[1], value: bytes[2])
    default: return nil
    }
  }
}
