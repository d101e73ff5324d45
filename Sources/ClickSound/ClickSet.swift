public import MIDIClock

/// A set of three synthesised click sounds: strong, medium and weak.
///
/// They differ in pitch, strong being the highest, and in level, so that the downbeat stands out on
/// small speakers too. The onset of each is its first sample, so the time of a click is the time of
/// its onset.
public enum ClickSet: String, Hashable, Sendable, CaseIterable {
  /// A wood block: short, dry, with no definite pitch that could clash with the music.
  case wood
  /// A digital beep at three pitches.
  case beep
  /// Rim shots, with a cowbell on the downbeat.
  case rim

  /// The next set; after the last one, the first.
  public var next: ClickSet {
    let place = Self.allCases.firstIndex(of: self) ?? 0
    return Self.allCases[(place + 1) % Self.allCases.count]
  }

  /// The sample rate of `soundfonts/midimetro.sf2`, in frames per second.
  public static let fontRate = 44_100

  /// The length of the longest click of any set.
  public static let longest = HostTime.Span.milliseconds(120)

  /// One resonance of the struck object.
  private struct Partial {
    /// In hertz.
    let frequency: Double
    /// Relative to the other partials of the click.
    let level: Double
    /// The decay time to 1/e, in seconds.
    let fall: Double
  }

  /// The parameters of a click.
  private struct Recipe {
    var partials: [Partial]
    /// The level of the stroke noise.
    var stroke = 0.0
    /// The decay time of the stroke noise to 1/e, in seconds.
    var strokeFall = 0.001
    /// The time at full level before the decay starts, in seconds: a beep is held, a block is not.
    var hold = 0.0
    /// The total length in seconds.
    var length: Double
    /// The peak amplitude, relative to full scale.
    var peak: Double
  }

  /// The samples of an accent's click, mono, -1 to 1.
  ///
  /// The first sample is the onset.
  ///
  /// - Parameters:
  ///   - accent: The accent; a silent click has no frames.
  ///   - rate: Frames per second, 8000 to 384 000.
  /// - Returns: At most `longest`, ending in silence.
  public func frames(_ accent: Accent, rate: Int) -> [Float] {
    guard let recipe = recipe(accent) else { return [] }
    let step = 1 / Double(rate)
    let count = Int(recipe.length * Double(rate))
    // Fade out over the last two milliseconds.
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
      // A rotating vector whose height is the sample. It starts a quarter turn in, at the peak,
      // because a struck object is loudest at the stroke.
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
      // A cowbell: two inharmonic partials (ratio about 1.48).
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

  /// A wood block: a fundamental and the overtones of a short bar, decaying in about ten
  /// milliseconds.
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

  /// A rim shot: mostly stroke noise, with two short resonances of the shell.
  private static func shot(_ frequency: Double, peak: Double) -> Recipe {
    Recipe(
      partials: [
        Partial(frequency: frequency, level: 1, fall: 0.006),
        Partial(frequency: frequency * 0.31, level: 0.5, fall: 0.012),
      ], stroke: 0.8, strokeFall: 0.002, length: 0.06, peak: peak)
  }

  /// Noise that is identical on every machine and in every run: a linear congruential generator
  /// with Knuth's MMIX constants.
  private struct Noise {
    private var state: UInt64 = 1

    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state) >> 11) / 0x1p52
    }
  }
}

extension ClickSet {
  /// The click for a key.
  ///
  /// The GM2 metronome's bell (34) and click (33) and the wood blocks (76, 77) have clicks of their
  /// own; for any other key, the velocity decides.
  ///
  /// The sound font has the same zones.
  public static func accent(key: UInt8, velocity: UInt8) -> Accent {
    if strongKeys.contains(key) { return .strong }
    if clickKeys.contains(key) { return velocity < mediumVelocity ? .weak : .medium }
    if velocity < mediumVelocity { return .weak }
    return velocity < strongVelocity ? .medium : .strong
  }

  /// Keys that always play the strong click.
  public static let strongKeys: [UInt8] = [34, 76]
  /// Keys that never play the strong click.
  public static let clickKeys: [UInt8] = [33, 77]
  /// The lowest velocity of a medium click.
  public static let mediumVelocity: UInt8 = 90
  /// The lowest velocity of a strong click, on keys without a click of their own.
  public static let strongVelocity: UInt8 = 112

  /// The gain of a velocity relative to 127: its square, which is 40 dB per factor of ten.
  ///
  /// Source: SoundFont 2.04, 8.4.1, the default modulator "MIDI Note-On Velocity to Initial
  /// Attenuation": concave, 960 cB.
  public static func gain(velocity: UInt8) -> Float {
    let part = Float(velocity) / 127
    return part * part
  }
}
