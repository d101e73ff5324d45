/// One command: what help says of it, and how its command line is read.
///
/// A new command is a case of `Verb`, a descriptor in the table, and the code that runs it.
struct CommandDescriptor: Sendable {
  /// A command line and what it is good for.
  struct Example: Sendable {
    let command: String
    let meaning: String

    init(_ command: String, _ meaning: String) {
      self.command = command
      self.meaning = meaning
    }
  }

  typealias Reader = @Sendable (CommandRequest) throws(UsageError) -> Command

  let verb: Verb
  /// One line for the list of commands.
  let summary: String
  let usage: String
  /// What the options do not say; one paragraph each.
  let notes: [String]
  /// What to try; the overview shows those of `help`.
  let examples: [Example]
  let read: Reader

  init(
    _ verb: Verb, summary: String, usage: String, notes: [String] = [], examples: [Example],
    read: @escaping Reader
  ) {
    self.verb = verb
    self.summary = summary
    self.usage = usage
    self.notes = notes
    self.examples = examples
    self.read = read
  }

  /// The options that help shows, in the table's order.
  var options: [OptionSpec] {
    OptionSpec.all.filter { $0.verbs.contains(verb) && !$0.isHidden }
  }

  /// The row of `verb`.
  static func of(_ verb: Verb) -> CommandDescriptor {
    guard let row = all.first(where: { $0.verb == verb }) else {
      preconditionFailure("no descriptor of \(verb)")
    }
    return row
  }
}
