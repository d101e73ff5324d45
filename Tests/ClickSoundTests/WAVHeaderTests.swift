import ClickSound
import Testing

struct WAVHeaderTests {
  @Test func `the head of a WAV file`() throws {
    let bytes = try #require(WAVHeader.bytes(frames: 1_000, rate: 48_000, channels: 2))
    #expect(bytes.count == WAVHeader.length)
    #expect(
      bytes == Array("RIFF".utf8) + [0xC4, 0x0F, 0, 0] + Array("WAVEfmt ".utf8) + [
        16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xBB, 0, 0, 0, 0xEE, 2, 0, 4, 0, 16, 0,
      ] + Array("data".utf8) + [0xA0, 0x0F, 0, 0])
    #expect(WAVHeader.bytes(frames: 1 << 30, rate: 48_000, channels: 2) == nil)
  }
}
