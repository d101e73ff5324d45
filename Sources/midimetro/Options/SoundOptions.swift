internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// Whether clicks are voiced, and how.
struct SoundOptions: Hashable, Sendable {
  /// What is heard.
  enum Choice: Hashable, Sendable {
    /// The wood block, when there is no destination.
    case auto
    case off
    /// A built-in set.
    case set(ClickSet)
    /// The sound font of the option, the environment or the standard places.
    case font
  }

  var choice = Choice.auto
  /// The sound font named by the user.
  var soundfont: String?
  var settings = SoundSettings()

  private static let choices: [(name: String, value: Choice)] =
    [("auto", .auto), ("off", .off)] + ClickSet.allCases.map { ($0.rawValue, .set($0)) }
    + [("font", .font)]

  /// `false` only after `--sound off`.
  var isWanted: Bool { choice != .off }

  /// True when a sound or a driver was asked for: then its absence is an error, not a warning.
  var isRequired: Bool { isWanted && (choice != .auto || settings.driver != nil) }

  /// Takes one of the options of sound; the last word counts, as everywhere.
  mutating func take(_ option: GivenOption) throws(UsageError) {
    let (value, place) = (option.value, option.place)
    switch option.name {
    case .sound:
      choice = try Values.choice(value, place, Self.choices)
      if case .set(let set) = choice { settings.set = set }
    case .soundfont:
      soundfont = try Values.name(value, place, "file")
      choice = .font
    case .audioDriver:
      settings.driver = AudioDriver(text: try Values.name(value, place, "driver"))
    case .audioPeriod:
      settings.plan = AudioPlan(
        period: Int(try Values.whole(value, place, AudioPlan.periods)))
    case .audioOffset:
      settings.offset = .microseconds(
        try Values.decimal(value, place, -500_000...500_000, "milliseconds"))
    case .volume: settings.volume = try Values.whole(value, place, 0...200)
    default: break
    }
  }

  /// Refuses what names a sound and turns it off in one breath.
  static func refuseContradictions(_ arguments: Arguments) throws(UsageError) {
    guard arguments.value(.sound) == "off" else { return }
    for other in [OptionName.soundfont, .audioDriver] {
      try arguments.refuseTogether([.sound, other])
    }
  }

  /// The settings with the font that is meant, if one is.
  ///
  /// Without a word about it the environment's font is taken, else the built-in set.
  /// - Throws: `SoundError.unusableFont` or `.noFont`.
  func resolved(environment: String?) throws(SoundError) -> SoundSettings {
    var settings = self.settings
    switch choice {
    case .font:
      settings.font = try SoundFontSearch.font(option: soundfont, environment: environment)
    case .auto where environment != nil:
      settings.font = try SoundFontSearch.font(option: nil, environment: environment)
    case .auto, .off, .set: break
    }
    return settings
  }
}
