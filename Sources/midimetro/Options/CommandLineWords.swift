internal import MetronomeCore

/// A command line with its command told from the rest.
struct CommandLineWords {
  /// `nil` when none is named, which means `play`.
  let verb: Verb?
  let arguments: Arguments

  init(_ words: [String]) throws(UsageError) {
    verb = words.first.flatMap { Verb(rawValue: $0) }
    if let first = words.first, verb == nil, Self.looksLikeCommand(first) {
      throw Self.noCommand(first)
    }
    arguments = try Arguments.parse(
      verb == nil ? words : Array(words.dropFirst()), for: verb ?? .play)
    guard plays || verb != .play && verb?.takesTempo == true,
      let word = arguments.operands.first(where: Self.looksLikeCommand)
    else { return }
    guard Verb(rawValue: word) != nil else { throw Self.noCommand(word) }
    throw UsageError(
      "the command comes first, once: midimetro \(word), then its options; see midimetro help")
  }

  /// Whether it is for `play`, and not for one of the options that do something else.
  var plays: Bool { (verb ?? .play) == .play && !asksOnly }

  /// Whether it begins with the options of the config file.
  var readsConfig: Bool { (verb ?? .play).readsConfig && !asksOnly }

  private var asksOnly: Bool { [.help, .version, .list].contains { arguments.has($0) } }

  func refuseOperands() throws(UsageError) {
    guard let extra = arguments.operands.first, let verb else { return }
    throw UsageError(
      "unexpected argument '\(extra)'; see midimetro help \(verb.rawValue)")
  }

  /// Words without a digit are meant as commands, not as tempos; but those that other programs
  /// print for numbers.
  private static func looksLikeCommand(_ word: String) -> Bool {
    let numbers = ["nan", "inf", "infinity"]
    return word.count > 1 && word.first?.isLetter == true && !numbers.contains(word.lowercased())
      && !word.contains { $0.isNumber || $0 == "=" || $0 == "/" }
  }

  static func noCommand(_ word: String) -> UsageError {
    let names = Verb.allCases.map(\.rawValue)
    return UsageError(
      "no command '\(word)'\(Spelling.hint(word, among: names)); the commands are"
        + " \(names.joined(separator: ", "))")
  }
}
