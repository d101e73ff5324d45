import MIDIClock
import Testing

@testable import ClickSound

struct ClickSetTests {
  private let accents: [Accent] = [.strong, .medium, .weak]

  @Test func `sine and decay match the exact functions`() {
    // Table values: the sines of 30, 45 and 60 degrees, and powers of e.
    let sines: [(Double, Double)] = [
      (0, 0), (1.0 / 12, 0.5), (0.125, 0.707_106_781_186_547_5), (1.0 / 6, 0.866_025_403_784_438_6),
      (0.25, 1), (0.5, 0), (0.75, -1), (7.0 / 12, -0.5), (1_000.25, 1), (-0.25, -1),
    ]
    for (turns, value) in sines { #expect((Wave.sine(turns) - value).magnitude < 1e-9) }
    let decays: [(Double, Double)] = [
      (0, 1), (0.1, 0.904_837_418_035_959_6), (1, 0.367_879_441_171_442_33),
      (10, 4.539_992_976_248_485e-5),
    ]
    for (x, value) in decays { #expect((Wave.decay(x) / value - 1).magnitude < 1e-12) }
  }

  @Test(arguments: ClickSet.allCases, [22_050, 44_100, 48_000, 96_000])
  func `a click starts at its first frame, ends in silence and never clips`(
    set: ClickSet, rate: Int
  ) {
    for accent in accents {
      let frames = set.frames(accent, rate: rate)
      let peak = frames.reduce(0) { max($0, $1.magnitude) }
      #expect(frames[0].magnitude > peak * 0.2)
      #expect(frames.last == 0)
      #expect(peak <= 0.95 && peak > 0.6)
      #expect(Int64(frames.count) * 1_000 <= 120 * Int64(rate))
    }
    #expect(set.frames(.silent, rate: rate).isEmpty)
  }

  /// The strongest of many probe frequencies, in Hz.
  private func pitch(_ frames: [Float], rate: Int) -> Double {
    var best = (power: 0.0, frequency: 0.0)
    for frequency in stride(from: 200.0, through: 4_000, by: 20) {
      var (real, imaginary) = (0.0, 0.0)
      for (index, frame) in frames.prefix(960).enumerated() {
        let turns = frequency * Double(index) / Double(rate)
        real += Double(frame) * Wave.sine(turns + 0.25)
        imaginary += Double(frame) * Wave.sine(turns)
      }
      let power = real * real + imaginary * imaginary
      if power > best.power { best = (power, frequency) }
    }
    return best.frequency
  }

  @Test func `strong, medium and weak differ in pitch and level`() {
    for set in ClickSet.allCases {
      let clicks = accents.map { set.frames($0, rate: 48_000) }
      let pitches = clicks.map { pitch($0, rate: 48_000) }
      // At least a whole tone between any two, so that accents cannot be confused.
      for (one, other) in [(0, 1), (1, 2), (0, 2)] {
        let ratio = pitches[one] / pitches[other]
        #expect(max(ratio, 1 / ratio) > 1.12, "\(set): \(pitches)")
      }
      let peaks = clicks.map { $0.reduce(0) { max($0, $1.magnitude) } }
      #expect(peaks[0] > peaks[1] && peaks[1] > peaks[2], "\(set): \(peaks)")
    }
  }

  @Test func `the default notes are strong, medium and weak; other keys depend on velocity`() {
    let voice = ClickVoice.standard
    #expect(
      [voice.strong, voice.medium, voice.weak].map {
        ClickSet.accent(key: $0.key, velocity: $0.velocity)
      } == [.strong, .medium, .weak])
    #expect(
      [127, 100, 80].map { ClickSet.accent(key: 56, velocity: $0) } == [.strong, .medium, .weak])
  }

  @Test func `the gain is the square of the velocity`() {
    #expect(ClickSet.gain(velocity: 127) == 1)
    #expect((ClickSet.gain(velocity: 64) - 0.253_953).magnitude < 1e-5)
  }
}
