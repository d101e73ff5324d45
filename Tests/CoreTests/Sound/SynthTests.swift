import ClickSound
import MIDIClock
import Testing

@testable import click_font
@testable import MetronomeCore

/// The font from the packages that the tests install; its absence is reported, and fails in CI.
private let font = try? SoundFontSearch.font(option: nil, environment: nil)

/// FluidSynth's instances race in process-wide initialization, so one at a time.
@Suite(.serialized, .enabled(if: font != nil, "needs a General MIDI sound font"))
struct SynthTests {
  private func synth(_ path: String? = nil) throws -> Synth {
    try Synth.open(try .open(), font: try path ?? #require(font), rate: 48_000)
  }

  private func note(_ key: UInt8, _ velocity: UInt8) -> ClickVoice.Note {
    ClickVoice.Note(key: key, velocity: velocity)
  }

  @Test func `a click is loud from its first frame and ends`() throws {
    let sound = try synth().render(note(34, 127), channel: 9, gate: .milliseconds(40))
    #expect(sound.peak > 0.02)
    #expect(max(sound.left[0].magnitude, sound.right[0].magnitude) > sound.peak / 1_001)
    #expect(sound.count <= 48_000 && sound.count > 480)
  }

  @Test func `higher velocities are louder`() throws {
    let synth = try synth()
    let levels = try [80, 127].map {
      try synth.render(note(33, $0), channel: 9, gate: .milliseconds(40)).peak
    }
    #expect(levels[1] > levels[0] * 1.3)
  }

  @Test func `a click leaves no trace in the next one`() throws {
    let synth = try synth()
    let first = try synth.render(note(34, 127), channel: 9, gate: .milliseconds(40))
    _ = try synth.render(note(33, 127), channel: 9, gate: .milliseconds(40))
    let again = try synth.render(note(34, 127), channel: 9, gate: .milliseconds(40))
    // A voice's oscillators start at any phase, so the frames differ, but not the level and the
    // length.
    #expect(abs(first.count - again.count) < 64)
    #expect((first.peak / again.peak - 1).magnitude < 0.05)
  }

  @Test func `our own font is recognized as one`() throws {
    #expect(SoundFontSearch.looksLikeFont(try #require(font)))
  }

  @Test func `a file that is not a sound font is refused by name (F108)`() throws {
    #expect(throws: SoundError.unusableFont("/proc/self/status")) {
      _ = try synth("/proc/self/status")
    }
  }

  @Test func `a key without a sound is refused by name (F110)`() throws {
    let path = try #require(font)
    #expect(throws: SoundError.silentKey(path, key: 1)) {
      try synth().render(note(1, 127), channel: 9, gate: .milliseconds(40))
    }
  }

  @Test func `our font, loaded by FluidSynth, sounds like the synthesis`() throws {
    let file = try TemporaryFile(SoundFontFile.bytes(), ending: ".sf2")
    let synth = try synth(file.path)
    for (key, velocity): (UInt8, UInt8) in [(34, 127), (33, 127), (33, 80)] {
      let sound = try synth.render(note(key, velocity), channel: 9, gate: .milliseconds(10))
      let accent = ClickSet.accent(key: key, velocity: velocity)
      let wanted = ClickSet.wood.frames(accent, rate: 48_000)
      let gain = ClickSet.gain(velocity: velocity)
      // After FluidSynth's attack of one block of 64 frames the two sounds are the same: same
      // length, same level in stretches of two milliseconds. A center pan halves the level in each
      // channel.
      let level = sound.stretch(192..<960) / (wanted.stretch(192..<960) * gain)
      #expect((0.45...0.55).contains(level), "key \(key): \(level)")
      for start in stride(from: 192, to: 960, by: 96) {
        let one = sound.stretch(start..<(start + 96))
        let other = wanted.stretch(start..<(start + 96)) * gain * level
        #expect((one / other - 1).magnitude < 0.2, "key \(key), frame \(start)")
      }
    }
  }

  @Test func `all three sets are separate kits`() throws {
    let file = try TemporaryFile(SoundFontFile.bytes(), ending: ".sf2")
    // A melodic channel has no preset: the kits are in bank 128 only.
    #expect(throws: SoundError.noDrums(file.path)) {
      try synth(file.path).render(note(34, 127), channel: 0, gate: .milliseconds(40))
    }
    for key in [0, 32, 33, 34, 35, 75, 76, 77, 78, 127] as [UInt8] {
      let sound = try synth(file.path).render(note(key, 100), channel: 9, gate: .milliseconds(40))
      #expect(sound.peak > 0.05, "key \(key)")
    }
  }
}

extension StereoFrames {
  fileprivate func stretch(_ range: Range<Int>) -> Float { left.stretch(range) }
}

extension [Float] {
  /// The level of a stretch: root mean square.
  fileprivate func stretch(_ range: Range<Int>) -> Float {
    (self[range].reduce(0) { $0 + $1 * $1 } / Float(range.count)).squareRoot()
  }
}
