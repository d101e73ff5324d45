/// The name of an option: how it is spelled after `--`.
///
/// Only options that a rule mentions beside their row of the table have a constant here.
struct OptionName: Hashable, Sendable, ExpressibleByStringLiteral {
  let rawValue: String

  init(_ rawValue: String) { self.rawValue = rawValue }
  init(stringLiteral value: String) { rawValue = value }

  static let from: OptionName = "from"
  static let replay: OptionName = "replay"
  static let log: OptionName = "log"
  static let bpm: OptionName = "bpm"
  static let meter: OptionName = "meter"
  static let accents: OptionName = "accents"
  static let swing: OptionName = "swing"
  static let tapFrom: OptionName = "tap-from"
  static let controlFrom: OptionName = "control-from"
  static let control: OptionName = "control"
  static let learn: OptionName = "learn"
  static let to: OptionName = "to"
  static let startBar: OptionName = "start-bar"
  static let sound: OptionName = "sound"
  static let soundfont: OptionName = "soundfont"
  static let audioDriver: OptionName = "audio-driver"
  static let json: OptionName = "json"
  static let plain: OptionName = "plain"
  static let quiet: OptionName = "quiet"
  static let noUI: OptionName = "no-ui"
  static let dryRun: OptionName = "dry-run"
  static let profile: OptionName = "profile"
  static let list: OptionName = "list"
  static let help: OptionName = "help"
  static let version: OptionName = "version"
  static let man: OptionName = "man"
}
