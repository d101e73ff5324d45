public import MIDIClock

/// A set of three click sounds, made by our own synthesis: strong, medium and weak.
///
/// Within a set the three differ in pitch, strong being the highest, and in level, so that the
/// downbeat is heard on small speakers too. Each begins at its very first sample: what places a
/// click in time places its onset.
public enum ClickSet: String, Hashable, Sendable, CaseIterable {
  /// A wood block: short, dry, without a pitch that could clash with the music.
  case wood
  /// A digital beep: three pitches of a plain tone.
  case beep
  /// Rim shots, with a cowbell on the downbeat.
  case rim

  /// Frames per second in `soundfonts/midimetro.sf2`.
  public static let fontRate = 44_100

  /// How long the longest click of any set sounds.
  public static let longest = HostTime.Span.milliseconds(120)

  /// One resonance of a struck thing.
  private struct Partial {
    /// Hertz.
    let frequency: Double
    /// Against the others of the click.
    let level: Double
    /// Seconds until it has fallen to 1/e.
    let fall: Double
  }

  /// What a click is made of.
  private struct Recipe {
    var partials: [Partial]
    /// The level of the noise of the stroke itself.
    var stroke = 0.0
    /// Seconds until the stroke's noise has fallen to 1/e.
    var strokeFall = 0.001
    /// Seconds at full level before the fall begins; a beep is held, a block is not.
    var hold = 0.0
    /// Seconds in all.
    var length: Double
    /// The loudest sample, of 1.
    var peak: Double
  }

  /// The click of an accent: frames of one channel, -1 to 1, the first of which is the onset.
  ///
  /// - Parameters:
  ///   - accent: Which of the three; a silent click has no frames.
  ///   - rate: Frames per second, 8000 to 384 000.
  /// - Returns: At most `longest`; it ends in silence.
  public func frames(_ accent: Accent, rate: Int) -> [Float] {
    guard let recipe = recipe(accent) else { return [] }
    let step = 1 / Double(rate)
    let count = Int(recipe.length * Double(rate))
    // The last two milliseconds lead down to silence, whatever still sounds.
    let fade = Int(0.002 * Double(rate))
    let held = Int(recipe.hold * Double(rate))
    var raw = [Double](repeating: 0, count: count)
    var noise = Noise()
    var stroke = recipe.stroke
    let strokeFall = Wave.decay(step / recipe.strokeFall)
    for index in 0..<count {
      raw[index] = stroke * noise.next()
      stroke *= strokeFall
    }
    for partial in recipe.partials where partial.frequency * 2 < Double(rate) {
      // A turning arrow, whose height is the tone: a quarter turn in, so at its loudest at once, as
      // what is struck is.
      let (turnX, turnY) = (
        Wave.sine(partial.frequency * step + 0.25), Wave.sine(partial.frequency * step)
      )
      let fall = Wave.decay(step / partial.fall)
      var (x, y) = (0.0, partial.level)
      for index in 0..<count {
        raw[index] += y
        (x, y) = (x * turnX - y * turnY, x * turnY + y * turnX)
        if index >= held {
          x *= fall
          y *= fall
        }
      }
    }
    for index in (count - fade)..<count {
      raw[index] *= Double(count - 1 - index) / Double(fade)
    }
    let loudest = raw.reduce(0) { max($0, $1.magnitude) }
    return raw.map { Float($0 / loudest * recipe.peak) }
  }

  private func recipe(_ accent: Accent) -> Recipe? {
    switch (self, accent) {
    case (_, .silent): nil
    case (.wood, .strong): Self.block(1_760, peak: 0.95)
    case (.wood, .medium): Self.block(1_319, peak: 0.85)
    case (.wood, .weak): Self.block(988, peak: 0.75)
    case (.beep, .strong): Self.beep(1_760, peak: 0.80)
    case (.beep, .medium): Self.beep(1_320, peak: 0.72)
    case (.beep, .weak): Self.beep(880, peak: 0.64)
    case (.rim, .strong):
      // A cowbell: two partials that do not fit each other (ratio about 1.48).
      Recipe(
        partials: [
          Partial(frequency: 1_480, level: 0.7, fall: 0.028),
          Partial(frequency: 2_190, level: 1, fall: 0.022),
          Partial(frequency: 4_380, level: 0.35, fall: 0.008),
        ], stroke: 0.4, strokeFall: 0.001, length: 0.12, peak: 0.9)
    case (.rim, .medium): Self.shot(1_400, peak: 0.85)
    case (.rim, .weak): Self.shot(950, peak: 0.75)
    }
  }

  /// A wood block: a fundamental and the overtones of a short bar, gone in some ten milliseconds.
  private static func block(_ frequency: Double, peak: Double) -> Recipe {
    Recipe(
      partials: [
        Partial(frequency: frequency, level: 1, fall: 0.011),
        Partial(frequency: frequency * 2.57, level: 0.4, fall: 0.005),
        Partial(frequency: frequency * 4.03, level: 0.15, fall: 0.002),
      ], stroke: 0.25, strokeFall: 0.000_6, length: 0.07, peak: peak)
  }

  private static func beep(_ frequency: Double, peak: Double) -> Recipe {
    Recipe(
      partials: [
        Partial(frequency: frequency, level: 1, fall: 0.006),
        Partial(frequency: frequency * 2, level: 0.15, fall: 0.003),
      ], hold: 0.022, length: 0.055, peak: peak)
  }

  /// A rim shot: mostly the stroke, with two short resonances of the shell.
  private static func shot(_ frequency: Double, peak: Double) -> Recipe {
    Recipe(
      partials: [
        Partial(frequency: frequency, level: 1, fall: 0.006),
        Partial(frequency: frequency * 0.31, level: 0.5, fall: 0.012),
      ], stroke: 0.8, strokeFall: 0.002, length: 0.06, peak: peak)
  }

  /// The same noise on every machine and every run: a linear congruential generator with Knuth's
  /// MMIX constants.
  private struct Noise {
    private var state: UInt64 = 1

    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state) >> 11) / 0x1p52
    }
  }
}

extension ClickSet {
  /// Which click answers to a key: the GM2 metronome's bell (34) and click (33) and the wood
  /// blocks (76, 77) have their own, any other key goes by how hard it is struck.
  ///
  /// The sound font has the same zones.
  public static func accent(key: UInt8, velocity: UInt8) -> Accent {
    if strongKeys.contains(key) { return .strong }
    if clickKeys.contains(key) { return velocity < mediumVelocity ? .weak : .medium }
    if velocity < mediumVelocity { return .weak }
    return velocity < strongVelocity ? .medium : .strong
  }

  /// Keys that are the downbeat however hard they are struck.
  public static let strongKeys: [UInt8] = [34, 76]
  /// Keys that never are.
  public static let clickKeys: [UInt8] = [33, 77]
  /// From this velocity on a click is medium.
  public static let mediumVelocity: UInt8 = 90
  /// From this velocity on other keys are strong.
  public static let strongVelocity: UInt8 = 112

  /// How loud a velocity is, against 127: the square, which is 40 dB per factor of ten.
  ///
  /// Source: SoundFont 2.04, 8.4.1, the default modulator "MIDI Note-On Velocity to Initial
  /// Attenuation": concave, 960 cB.
  public static func gain(velocity: UInt8) -> Float {
    let part = Float(velocity) / 127
    return part * part
  }
}
