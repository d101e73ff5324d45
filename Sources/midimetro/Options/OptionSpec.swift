/// One row of the table that parsing, help, man page and completions are made from.
///
/// A new option is a row here, a field of `OptionValues` or of a settings type for its value, and the
/// code that uses it.
struct OptionSpec: Sendable {
  enum Group: String, CaseIterable, Sendable {
    case source = "Source"
    case music = "Music"
    case taps = "Tapping"
    case destinations = "Destinations"
    case notes = "Click notes"
    case run = "Starting and stopping"
    case sound = "Sound"
    case output = "Output and the rest"
  }

  /// What a shell can offer as a value.
  enum Offer: Hashable, Sendable {
    case nothing, files, ports, sources, profiles
    case words([String])
    /// Words that are joined by commas.
    case list([String])
  }

  let name: OptionName
  /// The name after `-`.
  let short: Character?
  /// The commands that know the letter.
  let shortVerbs: Set<Verb>
  /// What stands for the value in help; `nil` for an option without one.
  let argument: String?
  let help: String
  private(set) var group = Group.output
  let verbs: Set<Verb>
  let offer: Offer
  /// Whether those of the command line replace all of the config file's.
  let repeats: Bool
  /// True for what only the making of documents uses.
  let isHidden: Bool
  /// False for what is meant for one run.
  private let mayBeKept: Bool
  let store: OptionStore
  /// The value as a line of a profile has it; `nil` for what the screen does not keep.
  let kept: (@Sendable (OptionValues) -> String?)?

  /// A row; `RANGE` in `help` stands for the bounds of `store`.
  init(
    _ name: OptionName, letter: Character? = nil, takes argument: String? = nil,
    verbs: Set<Verb> = [.play], shortVerbs: Set<Verb>? = nil, offer: Offer = .nothing,
    repeats: Bool = false, isForConfig: Bool = true, isHidden: Bool = false, help: String,
    _ store: OptionStore = .nothing, kept: (@Sendable (OptionValues) -> String?)? = nil
  ) {
    self.name = name
    short = letter
    self.shortVerbs = shortVerbs ?? verbs
    self.argument = argument
    self.verbs = verbs
    self.offer = offer
    self.repeats = repeats
    mayBeKept = isForConfig
    self.isHidden = isHidden
    self.help = help.replacing("RANGE", with: store.range)
    self.store = store
    self.kept = kept
  }

  /// The table, in the order of help.
  static let all: [OptionSpec] = [
    (Group.source, source), (.music, music), (.taps, taps), (.destinations, destinations),
    (.notes, notes), (.run, run), (.sound, sound), (.output, output),
  ].flatMap { group, rows in
    rows.map { row in
      var row = row
      row.group = group
      return row
    }
  }

  private static let rows = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The row of `name`.
  static func spec(_ name: OptionName) -> OptionSpec? { rows[name] }

  /// Whether the config file may hold it.
  var isForConfig: Bool { mayBeKept && verbs.contains(where: \.readsConfig) }

  /// The letter as `verb` knows it.
  func short(for verb: Verb) -> Character? { shortVerbs.contains(verb) ? short : nil }

  /// The option as messages name it.
  var spelled: String { "--\(name.rawValue)" }
}
