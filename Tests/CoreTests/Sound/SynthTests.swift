import MIDIClock
import Testing

@testable import MetronomeCore

/// The font that the tests' packages install; its absence is said, and fails in CI.
private let font = try? SoundFontSearch.font(option: nil, environment: nil)

/// FluidSynth's instances race in process-wide set-up, so one at a time.
@Suite(.serialized, .enabled(if: font != nil, "needs a General MIDI sound font"))
struct SynthTests {
  private func synth() throws -> Synth {
    try Synth.open(try .open(), font: try #require(font), gain: 1)
  }

  private func loudest(_ samples: [Float]) -> Float { samples.map(\.magnitude).max() ?? 0 }

  @Test func `silent before the click, loud after it, within two blocks of 64 frames`() throws {
    let synth = try synth()
    #expect(loudest(synth.render(frames: 4_410).left) < 1e-4)
    synth.play(.noteOn(channel: 9, key: 34, velocity: 127))
    let (left, right) = synth.render(frames: 4_410)
    #expect(loudest(left) > 0.02 && loudest(right) > 0.02)
    let onset = try #require(left.firstIndex { $0.magnitude > 0.002 })
    #expect(onset < 512)
  }

  @Test func `velocity makes the accent louder`() throws {
    let levels = try [80, 127].map { velocity in
      let synth = try synth()
      synth.play(.noteOn(channel: 9, key: 33, velocity: UInt8(velocity)))
      return loudest(synth.render(frames: 8_820).left)
    }
    #expect(levels[1] > levels[0] * 1.3)
  }

  @Test func `messages that are not notes are silent`() throws {
    let synth = try synth()
    for message: MIDIMessage in [.clock, .start, .stop, .continue] { synth.play(message) }
    #expect(loudest(synth.render(frames: 4_410).left) < 1e-4)
  }

  @Test func `the font itself looks like one`() throws {
    #expect(SoundFontSearch.looksLikeFont(try #require(font)))
  }

  @Test func `a file that is no sound font is refused by name`() throws {
    #expect(throws: SoundError.unusableFont("/proc/self/status")) {
      _ = try Synth.open(try .open(), font: "/proc/self/status", gain: 1)
    }
  }

  @Test func `an audio driver that does not exist is refused by name (F109)`() throws {
    let synth = try synth()
    #expect(throws: SoundError.noDriver("nosuch")) { try synth.startDriver("nosuch") }
  }

  @Test func `JACK is asked only where its server runs`() {
    #expect(Synth.driversToTry(jackIsRunning: false) == ["pipewire", "pulseaudio", "alsa"])
    #expect(Synth.driversToTry(jackIsRunning: true) == ["pipewire", "pulseaudio", "jack", "alsa"])
  }
}
