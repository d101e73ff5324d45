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

  static let choices: [(name: String, value: Choice)] =
    [("auto", .auto), ("off", .off)] + ClickSet.allCases.map { ($0.rawValue, .set($0)) }
    + [("font", .font)]

  /// `false` only after `--sound off`.
  var isWanted: Bool { choice != .off }

  /// True when a sound or a driver was asked for: then its absence is an error, not a warning.
  var isRequired: Bool { isWanted && (choice != .auto || settings.driver != nil) }

  /// Chooses what is heard; the last choice counts.
  mutating func choose(_ choice: Choice) {
    self.choice = choice
    if case .set(let set) = choice { settings.set = set }
  }

  /// Chooses the sound font at `path`.
  mutating func choose(font path: String) {
    soundfont = path
    choice = .font
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
