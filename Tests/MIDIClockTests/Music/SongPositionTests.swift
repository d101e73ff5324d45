import Testing

@testable import MIDIClock

struct SongPositionTests {
  @Test func `all 16384 positions survive the round trip over the wire`() throws {
    for midiBeats in Int64(0)...16_383 {
      let position = try #require(SongPosition(midiBeats: midiBeats))
      let bytes = MIDIMessage.songPosition(position).bytes
      guard bytes == [0xF2, UInt8(midiBeats % 128), UInt8(midiBeats / 128)],
        SongPosition(lowByte: bytes[1], highByte: bytes[2]) == position,
        position.tick == Tick(midiBeats * 240), SongPosition(exactly: position.tick) == position
      else {
        Issue.record("\(midiBeats) is not kept")
        return
      }
    }
  }

  @Test(arguments: [-1, 16_384, 45_696, Int64.max] as [Int64])
  func `a position beyond fourteen bits has no pointer`(midiBeats: Int64) {
    #expect(SongPosition(midiBeats: midiBeats) == nil)
  }

  @Test(arguments: [1, 239, 241, -240, 16_384 * 240] as [Int64])
  func `a tick between sixteenths or out of range has no pointer`(tick: Int64) {
    #expect(SongPosition(exactly: Tick(tick)) == nil)
  }

  @Test func `the last sixteenth is that of bar 1024 in 4-4`() throws {
    #expect(SongPosition.maximum == 16_383)
    let last = try #require(SongPosition(midiBeats: 16_383))
    let span = MeterSpan(start: .zero, bar: 1, pattern: .common)
    #expect(span.position(of: last.tick) == Position(bar: 1_024, beat: 4, tick: 720))
  }
}
