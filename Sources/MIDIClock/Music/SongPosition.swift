/// A Song Position Pointer: a song position in MIDI beats of six pulses (a sixteenth).
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, "Song Position Pointer": 14 bits, low 7 first, so
/// 0 to 16 383 (the last sixteenth of bar 1024 in 4/4).
public struct SongPosition: Hashable, Sendable {
  /// The highest position a pointer can express.
  public static let maximum: UInt16 = 16_383

  /// Sixteenths from the top of the song, 0 to 16 383.
  public let midiBeats: UInt16

  /// The position `midiBeats` sixteenths into the song; `nil` outside 0 to 16 383.
  @_noLocks
  public init?(midiBeats: Int64) {
    guard midiBeats >= 0, midiBeats <= 16_383 else { return nil }
    self.midiBeats = UInt16(truncatingIfNeeded: midiBeats)
  }

  /// The position in the two data bytes of an `F2`, low 7 bits first.
  public init(lowByte: UInt8, highByte: UInt8) {
    midiBeats = UInt16(lowByte & 0x7F) | UInt16(highByte & 0x7F) << 7
  }

  /// The position as a tick.
  public var tick: Tick {
    @_noLocks get { Tick(Int64(midiBeats) &* Resolution.ticksPerMIDIBeat) }
  }

  /// The position as a pulse, from 0 at the top.
  public var pulse: Int64 {
    @_noLocks get { tick.count / Resolution.ticksPerPulse }
  }

  /// The pointer to exactly `tick`; `nil` if it is between two sixteenths or out of range.
  @_noLocks
  public init?(exactly tick: Tick) {
    guard tick.count % Resolution.ticksPerMIDIBeat == 0 else { return nil }
    self.init(midiBeats: tick.count / Resolution.ticksPerMIDIBeat)
  }
}
