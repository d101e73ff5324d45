import Testing

@testable import MIDIClock

struct SourceChoiceTests {
  @Test func `the first port that sends a clock is chosen, with its earlier messages`() {
    var choice = SourceChoice(source: nil)
    #expect(choice.judge(.start, from: 7, at: instant(0)) == .ignore)
    #expect(choice.judge(.stop, from: 3, at: instant(0.5)) == .ignore)
    #expect(
      choice.judge(.noteOn(channel: 0, key: 1, velocity: 1), from: 7, at: instant(0.6)) == .ignore)
    #expect(choice.judge(.clock, from: 7, at: instant(1)) == .taken)
    let early = choice.nextEarly()
    #expect(early?.message == .start)
    #expect(early?.stamp == instant(0))
    #expect(choice.nextEarly() == nil)
    #expect(choice.judge(.clock, from: 7, at: instant(1.1)) == .follow)
  }

  @Test func `every other clock is reported once`() {
    var choice = SourceChoice(source: 1)
    #expect(choice.judge(.start, from: 2, at: instant(0)) == .ignore)
    #expect(choice.judge(.clock, from: 2, at: instant(0)) == .other)
    #expect(choice.judge(.clock, from: 2, at: instant(0.1)) == .ignore)
    #expect(choice.judge(.clock, from: 3, at: instant(0.1)) == .other)
    #expect(
      choice.judge(.songPosition(SongPosition(lowByte: 0, highByte: 0)), from: 1, at: instant(0.2))
        == .follow)
    choice.follow(2)
    #expect(choice.judge(.clock, from: 2, at: instant(0.3)) == .follow)
    #expect(choice.judge(.clock, from: 1, at: instant(0.3)) == .other)
  }

  @Test func `only the newest of many early messages are kept`() {
    var choice = SourceChoice(source: nil)
    for count in 0..<40 { _ = choice.judge(.stop, from: 1, at: instant(Double(count))) }
    _ = choice.judge(.start, from: 1, at: instant(40))
    #expect(choice.judge(.clock, from: 1, at: instant(41)) == .taken)
    var early: [MIDIMessage] = []
    while let next = choice.nextEarly() { early.append(next.message) }
    #expect(early.count == 16)
    #expect(early.last == .start)
  }
}
