import Testing

@testable import MIDIClock

struct TickTests {
  @Test func `a quarter has 960 ticks, 24 pulses and 4 MIDI beats`() {
    #expect(Resolution.ticksPerQuarter == 960)
    #expect(Resolution.pulsesPerQuarter == 24)
    #expect(Resolution.ticksPerPulse == 960 / 24)
    #expect(Resolution.ticksPerMIDIBeat == 960 / 4)
    #expect(Resolution.ticksPerWhole == 4 * 960)
  }

  @Test func `a pulse is forty ticks, also below the top`() {
    #expect(Tick(pulse: 0) == .zero)
    #expect(Tick(pulse: 25) == Tick(1_000))
    #expect(Tick(pulse: -24) == Tick(-960))
  }

  @Test func `ticks are ordered`() {
    #expect(Tick(-1) < .zero)
    #expect(Tick.earlier(Tick(3), Tick(2)) == Tick(2))
    #expect(Tick.later(Tick(3), Tick(2)) == Tick(3))
    #expect(Tick.earlier(Tick(2), Tick(2)) == Tick(2))
  }
}
