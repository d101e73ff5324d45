import Testing

@testable import MIDIClock

/// MIDI files that break the format in ways other programs read without complaint.
struct MIDIFileToleranceTests {
  private func bytes(_ hex: String) -> [UInt8] {
    var rest = hex.filter { !$0.isWhitespace }[...]
    var bytes: [UInt8] = []
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// A chunk of these bytes in hexadecimal, with a length of `claimed` or its own.
  private func track(_ hex: String, kind: String = "MTrk", claimed: Int? = nil) -> [UInt8] {
    let body = bytes(hex)
    return Array(kind.utf8) + StandardMIDIFile.number(claimed ?? body.count, bytes: 4) + body
  }

  private func file(format: Int = 0, count: Int, division: Int = 480, _ chunks: [UInt8]...)
    -> [UInt8]
  {
    Array("MThd".utf8) + StandardMIDIFile.number(6, bytes: 4)
      + [format, count, division].flatMap { StandardMIDIFile.number($0, bytes: 2) }
      + chunks.joined()
  }

  /// A tempo of 100, four quarters, then silence to the end of the second bar.
  private let conductor = "00ff58040402180800ff51030927c000ff2f00"
  private let notes = "00903c649e00803c0000ff2f00"

  private func check(
    _ bytes: [UInt8], bars: Int64, seconds: Double, warnings: Int = 0,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let reading = try ScoreReading(bytes)
    let end = try #require(reading.score.end, sourceLocation: place)
    let last = reading.score.span(at: Tick(end.count - 1))
    #expect(last.position(of: Tick(end.count - 1)).bar == bars, sourceLocation: place)
    let time = Double(reading.score.tempoMap().time(of: end).nanoseconds) / 1e9
    #expect((time - seconds).magnitude < 1e-6, sourceLocation: place)
    #expect(reading.warnings.count == warnings, "\(reading.warnings)", sourceLocation: place)
  }

  private func refusal(_ bytes: [UInt8]) -> String {
    do throws(ScoreReading.Refusal) {
      _ = try ScoreReading(bytes)
      return ""
    } catch { return error.complaints.map(\.description).joined(separator: "\n") }
  }

  @Test func `N01 running status goes on after meta events and System Exclusive`() throws {
    try check(
      bytes(
        """
        4d546864000000060000000101e04d54726b0000002900ff510307a12000ff5804040218080090
        3c648360ff01026869003c008b203e5aad003e0000ff2f00
        """), bars: 4, seconds: 8)
    try check(
      file(count: 1, track("00903c64 00f00201f7 8f003c00 00ff2f00")), bars: 1, seconds: 2)
    #expect(refusal(file(count: 1, track("003c64 00ff2f00"))).contains("MIDI editor"))
  }

  @Test func `N02 every track is read, whatever the header counts`() throws {
    try check(
      file(format: 1, count: 1, track(conductor), track(notes)), bars: 2, seconds: 4.8,
      warnings: 1)
    try check(
      file(format: 0, count: 1, track(conductor), track(notes)), bars: 2, seconds: 4.8,
      warnings: 1)
    try check(
      file(format: 1, count: 9, track(conductor), track(notes)), bars: 2, seconds: 4.8,
      warnings: 1)
    #expect(refusal(file(count: 1)).contains("no whole track"))
  }

  @Test func `N03 vendor chunks, wrong lengths and stray real-time bytes`() throws {
    let vendor = track("61626364", kind: "XFIH")
    try check(
      file(format: 1, count: 3, track(conductor), vendor, track(notes)), bars: 2, seconds: 4.8,
      warnings: 1)
    try check(
      file(format: 1, count: 2, track(conductor), vendor, track(notes)), bars: 2, seconds: 4.8)
    for length in [14, 200, 0x7FFF_FFFF] {
      try check(
        file(format: 1, count: 2, track(conductor), track(notes, claimed: length)), bars: 2,
        seconds: 4.8, warnings: 1)
    }
    // A length that is too short.
    for length in [4, 9] {
      try check(
        file(format: 1, count: 2, track(conductor), track(notes, claimed: length)), bars: 2,
        seconds: 4.8, warnings: 1)
    }
    for stray in ["00f8 00903c64", "00903cf864", "00f8903c64", "00fe 00903c64"] {
      try check(
        file(
          format: 1, count: 2, track(conductor), track("\(stray) 9e00803c00 00ff2f00")), bars: 2,
        seconds: 4.8, warnings: 1)
    }
    // Bytes behind the last chunk.
    try check(
      file(count: 1, track(conductor), [1, 2, 3, 0, 255, 7, 7, 7, 7]), bars: 1, seconds: 2.4)
  }

  @Test func `N04 the file inside a RIFF file is read, other wrappers are named`() throws {
    let inner = file(
      count: 1, track("00ff51030927c000ff58040402180800903c649e00803c0000ff2f00"))
    let size = [UInt8(inner.count), 0, 0, 0]
    let data: [UInt8] = Array("data".utf8) + size + inner
    let info: [UInt8] = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
    let riff: [UInt8] = Array("RIFF".utf8) + [0, 1, 0, 0] + Array("RMID".utf8)
    try check(riff + data, bars: 2, seconds: 4.8)
    try check(riff + info + data, bars: 2, seconds: 4.8)
    #expect(refusal(riff + info).contains("missing"))
    #expect(refusal(Array("RIFF".utf8) + size + Array("WAVEfmt ".utf8)).contains("WAV"))
    #expect(refusal([0x1F, 0x8B, 8, 0, 0]).contains("gzip"))
    #expect(refusal(Array("PK\u{3}\u{4}".utf8)).contains("ZIP"))
    #expect(refusal(Array("<?xml version=\"1.0\"?>".utf8)).contains("XML"))
    let wrapped = [UInt8](repeating: 0, count: 128) + inner
    #expect(refusal(wrapped).contains("begins at byte 129"))
  }

  @Test func `N05 a tail without notes, shorter than a 32nd, opens no bar`() throws {
    let head = "00ff510307a12000ff58040402180800903c64"
    // 1536 ticks of 96 are four bars.
    for tail in ["01", "05", "0b"] {
      try check(
        file(count: 1, division: 96, track("\(head) 8c00803c00 \(tail)ff2f00")), bars: 4,
        seconds: 8)
    }
    try check(
      file(count: 1, division: 96, track("\(head) 8c00803c00 0cff2f00")), bars: 5, seconds: 10)
    // A note begins there.
    try check(
      file(count: 1, division: 96, track("\(head) 8c00903c64 01803c00 00ff2f00")), bars: 5,
      seconds: 10)
    // A time signature at the very end opens none either.
    try check(
      file(count: 1, division: 96, track("\(head) 8c00803c00 00ff5804030218080 1ff2f00")),
      bars: 4, seconds: 8)
  }

  @Test func `N14 a fermata written as a very slow tempo is played as written`() throws {
    let slow = file(count: 1, track("00ff51037270e0 00903c64 8f00803c00 00ff2f00"))
    let reading = try ScoreReading(slow)
    #expect(reading.score.passages[0].pace == Pace(microseconds: 7_500_000))
    #expect(reading.warnings.first?.contains("is 8, outside 10 to 400") == true)
    try check(slow, bars: 1, seconds: 30, warnings: 1)
    // 500 BPM.
    try check(
      file(count: 1, track("00ff510301d4c0 00903c64 8f00803c00 00ff2f00")), bars: 1,
      seconds: 0.48, warnings: 1)
    // 6000 BPM.
    #expect(
      refusal(file(count: 1, track("00ff5103002710 8f00903c64 00ff2f00"))).contains("10 to 400"))
  }

  @Test func `time signatures that no bar of ours has are split or joined`() throws {
    let cases: [(signature: String, meter: String)] = [
      ("23 03", "7/8=2+2+3"), ("03 06", "3/32"), ("06 06", "3/32"), ("63 02", "11/4"),
    ]
    for (signature, meter) in cases {
      let whole = file(count: 1, track("00ff5804 \(signature) 1808 00903c64 10803c00 00ff2f00"))
      let reading = try ScoreReading(whole)
      #expect(reading.score.passages[0].span.pattern.meter.description == meter)
      #expect(reading.warnings.count == 1)
    }
    let none = try ScoreReading(file(count: 1, track("00ff580400021808 8f00903c64 00ff2f00")))
    #expect(none.score.passages[0].span.pattern.meter == .common)
    #expect(none.warnings.count == 1)
  }

  @Test func `of two tracks that differ at one place the first decides`() throws {
    let second = "00ff580403021808 00ff51030927c0 9e00ff2f00"
    let reading = try ScoreReading(
      file(format: 1, count: 2, track("00ff580404021808 00ff510307a120 00ff2f00"), track(second)))
    #expect(reading.score.passages.map(\.span.pattern.meter) == [.common])
    #expect(reading.score.passages[0].pace == Pace(.standard))
    #expect(reading.warnings.count == 2)
    // The same twice is no contradiction.
    let agreed = try ScoreReading(
      file(
        format: 1, count: 2, track("00ff580404021808 00ff2f00"),
        track("00ff580404021808 9e00ff2f00")))
    #expect(agreed.warnings.isEmpty)
  }

  @Test func `film frames and a division of 0 are told apart`() {
    #expect(refusal(file(count: 1, division: 0, track(notes))).contains("0 ticks"))
    #expect(refusal(file(count: 1, division: 0xE728, track(notes))).contains("film frames"))
  }

  @Test func `100 000 tempos drift by nothing`() throws {
    var body: [UInt8] = []
    var nanoseconds: Int64 = 0
    for index in 0..<100_000 {
      let tempo = 400_000 + index % 977
      body += [0x14, 0xFF, 0x51, 3] + StandardMIDIFile.number(tempo, bytes: 3)
      nanoseconds += Int64(index == 0 ? 500_000 : 400_000 + (index - 1) % 977) * 1_000 / 24
    }
    body += [0, 0xFF, 0x2F, 0]
    let chunk = Array("MTrk".utf8) + StandardMIDIFile.number(body.count, bytes: 4) + body
    let clock = ContinuousClock()
    let begin = clock.now
    let score = try ScoreReading(file(count: 1, chunk)).score
    let time = score.tempoMap().time(of: Tick(100_000 * 40))
    // Rounding of 100 000 segments, each to the nearest nanosecond.
    #expect((time.nanoseconds - nanoseconds).magnitude < 120_000)
    // An unoptimized build has ten times the second that a release build may take.
    #expect(clock.now - begin < .seconds(10))
  }
}
