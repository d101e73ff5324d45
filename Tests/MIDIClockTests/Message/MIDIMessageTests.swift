import Testing

@testable import MIDIClock

struct MIDIMessageTests {
  /// The meaning of the byte alone, by the standard's table.
  private func lone(_ status: UInt8) -> MIDIMessage? {
    switch status {
    case 0xF8: .clock
    case 0xFA: .start
    case 0xFB: .continue
    case 0xFC: .stop
    default: nil
    }
  }

  /// The meaning of the byte with two data bytes.
  private func withTwo(_ status: UInt8, _ first: UInt8, _ second: UInt8) -> MIDIMessage? {
    let channel = status & 0x0F
    return switch status >> 4 {
    case 0x8: .noteOff(channel: channel, key: first, velocity: second)
    case 0x9: .noteOn(channel: channel, key: first, velocity: second)
    case 0xB: .control(channel: channel, controller: first, value: second)
    case 0xF where channel == 2: .songPosition(SongPosition(lowByte: first, highByte: second))
    default: nil
    }
  }

  @Test func `each of the 256 first bytes has exactly one meaning or none`() {
    for status in UInt8.min...UInt8.max {
      #expect(MIDIMessage(bytes: [status]) == lone(status))
      #expect(MIDIMessage(bytes: [status, 0x25]) == nil)
      #expect(MIDIMessage(bytes: [status, 0x25, 0x64]) == withTwo(status, 0x25, 0x64))
      #expect(MIDIMessage(bytes: [status, 0x25, 0x64, 0x01]) == nil)
      #expect(MIDIMessage(bytes: [status, 0x25, 0x80]) == nil)
      #expect(MIDIMessage(bytes: [status, 0xF8, 0x64]) == nil)
    }
  }

  @Test func `every message is read back from its own bytes`() {
    for status in UInt8(0x80)...UInt8.max {
      for message in [lone(status), withTwo(status, 0x00, 0x7F), withTwo(status, 0x7F, 0x01)] {
        guard let message else { continue }
        #expect(MIDIMessage(bytes: message.bytes) == message)
        #expect(message.bytes.first == status)
      }
    }
  }

  @Test func `a note-on of velocity 0 is a note-off`() {
    #expect(MIDIMessage(bytes: [0x99, 33, 0]) == .noteOff(channel: 9, key: 33, velocity: 0))
  }

  @Test func `no bytes are not a message`() { #expect(MIDIMessage(bytes: []) == nil) }

  // F90, F106: channel 10 is nine on the wire; a clock is one byte.
  @Test func `the bytes are those on the wire`() throws {
    #expect(MIDIMessage.noteOn(channel: 9, key: 34, velocity: 127).bytes == [0x99, 34, 127])
    #expect(MIDIMessage.noteOff(channel: 9, key: 34, velocity: 64).bytes == [0x89, 34, 64])
    #expect(MIDIMessage.clock.bytes == [0xF8])
    // Song Position 357 is 65 02, low seven bits first.
    let place = try #require(SongPosition(midiBeats: 357))
    #expect(MIDIMessage.songPosition(place).bytes == [0xF2, 0x65, 0x02])
  }
}
