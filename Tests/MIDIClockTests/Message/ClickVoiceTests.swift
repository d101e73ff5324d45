import Testing

@testable import MIDIClock

struct ClickVoiceTests {
  // F90 and the General MIDI 2 metronome: keys 34 and 33 on channel 10.
  @Test func `the standard voice is bell and click of the metronome, 40 ms long`() {
    let voice = ClickVoice.standard
    #expect(voice.channel == 9)
    #expect(voice.note(.strong) == ClickVoice.Note(key: 34, velocity: 127))
    #expect(voice.note(.medium) == ClickVoice.Note(key: 33, velocity: 100))
    #expect(voice.note(.weak) == ClickVoice.Note(key: 33, velocity: 80))
    #expect(voice.gate == .milliseconds(40))
  }

  @Test func `accents with the same key share a slot`() {
    let standard = ClickVoice.standard
    #expect(standard.slot(ofKey: 34) == 0)
    #expect(standard.slot(ofKey: 33) == 1)
    let note = ClickVoice.Note(key: 60, velocity: 1)
    let one = ClickVoice(channel: 0, strong: note, medium: note, weak: note, gate: .zero)
    #expect(one.slot(ofKey: 60) == 0)
    let three = ClickVoice(
      channel: 0, strong: note, medium: ClickVoice.Note(key: 61, velocity: 1),
      weak: ClickVoice.Note(key: 62, velocity: 1), gate: .zero)
    #expect([60, 61, 62].map { three.slot(ofKey: $0) } == [0, 1, 2])
  }
}
