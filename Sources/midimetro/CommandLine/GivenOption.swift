internal import MIDIClock

/// One option as given, with where it was given.
struct GivenOption: Hashable, Sendable {
  let name: OptionName
  let value: String
  /// Where it stands, for messages: `--bpm`, or a line of the config file.
  let place: String

  /// A destination, and what is said of the one before.
  static let routed: Set<OptionName> = [.to, .send, .offset, .divide, .multiply, .mute]
}
