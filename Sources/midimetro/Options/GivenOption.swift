/// One option as given, with where it was given.
struct GivenOption: Hashable, Sendable {
  let name: OptionName
  let value: String
  /// Where it stands, for messages: `--bpm`, or a line of the config file.
  let place: String

  /// Whether it names a destination or belongs to the one before.
  var isRouted: Bool { OptionSpec.spec(name)?.group == .destinations }
}
