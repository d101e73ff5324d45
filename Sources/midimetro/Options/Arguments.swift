internal import CLinux
internal import Glibc
internal import Synchronization

/// A command line that cannot be used: what, and what to do.
struct UsageError: Error, Hashable {
  let message: String

  init(_ message: String) { self.message = message }
}

/// One option as given, with where it was given.
struct GivenOption: Hashable, Sendable {
  let name: OptionName
  let value: String
  /// Where it stands, for messages: `--bpm`, or a line of the config file.
  let place: String
}

/// A command line taken apart, in its order; values are still text.
struct Arguments: Hashable, Sendable {
  var options: [GivenOption] = []
  var operands: [String] = []

  /// glibc's getopt keeps its place in globals: one parse at a time.
  private static let turn = Mutex(())

  /// Takes `words` (without the program's name and the command) apart by the table.
  static func parse(_ words: [String], for verb: Verb) throws(UsageError) -> Arguments {
    let result: Result<Arguments, UsageError> = turn.withLock { _ in
      do throws(UsageError) { return .success(try run(words, verb)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private static func run(_ words: [String], _ verb: Verb) throws(UsageError) -> Arguments {
    let specs = OptionSpec.all.filter { $0.verbs.contains(verb) }
    // The leading "-" hands operands over in their order, the ":" tells a missing value apart.
    let shorts =
      "-:"
      + specs.compactMap { spec in
        spec.short.map { String($0) + (spec.argument == nil ? "" : ":") }
      }.joined()
    let words = words.map { word in strdup(word) }
    defer { for unsafe word in unsafe words { unsafe free(word) } }
    let program = strdup("midimetro")
    defer { unsafe free(program) }
    var argv: [UnsafeMutablePointer<CChar>?] = unsafe [program] + words + [nil]
    var longs: [option] = []
    let names = specs.map { strdup($0.name.rawValue) }
    defer { for unsafe name in unsafe names { unsafe free(name) } }
    for (index, spec) in specs.enumerated() {
      unsafe longs.append(
        option(
          name: names[index], has_arg: spec.argument == nil ? no_argument : required_argument,
          flag: nil, val: firstLong + Int32(index)))
    }
    unsafe longs.append(option())

    var parsed = Arguments()
    midimetro_getopt_reset()
    while true {
      let place = max(1, Int(midimetro_getopt_place()))
      let code = unsafe midimetro_getopt_next(
        Int32(argv.count - 1), &argv, shorts, longs, nil)
      if code == -1 { break }
      let word =
        unsafe place < argv.count - 1 ? argv[place].map { unsafe String(cString: $0) } ?? "" : ""
      let value = unsafe midimetro_getopt_argument().map { unsafe String(cString: $0) } ?? ""
      switch code {
      case 1: parsed.operands.append(value)
      case Int32(UInt8(ascii: "?")), Int32(UInt8(ascii: ":")):
        throw complaint(code, word, specs, verb)
      default:
        guard let spec = specs.first(where: { matches($0, code, specs) }) else { continue }
        parsed.options.append(
          GivenOption(name: spec.name, value: value, place: spec.spelled))
      }
    }
    // What stands after "--" is operands too.
    var rest = Int(midimetro_getopt_place())
    while rest < argv.count - 1 {
      unsafe parsed.operands.append(argv[rest].map { unsafe String(cString: $0) } ?? "")
      rest += 1
    }
    return parsed
  }

  /// Above every character, so that a long option's code is no short one's.
  private static let firstLong: Int32 = 1_000

  private static func matches(_ spec: OptionSpec, _ code: Int32, _ specs: [OptionSpec]) -> Bool {
    if code >= firstLong { return specs[Int(code - firstLong)].name == spec.name }
    return spec.short?.asciiValue.map(Int32.init) == code
  }

  /// The message for what getopt refused.
  private static func complaint(
    _ code: Int32, _ word: String, _ specs: [OptionSpec], _ verb: Verb
  ) -> UsageError {
    let offender = midimetro_getopt_offender()
    let spec = specs.first { matches($0, offender, specs) }
    if code == Int32(UInt8(ascii: ":")), let spec {
      return UsageError("\(spelling(spec, offender)) needs a value, \(spec.argument ?? "")")
    }
    if let spec, offender >= firstLong { return UsageError("\(spec.spelled) takes no value") }
    if word.hasPrefix("--") {
      let name = String(word.dropFirst(2).prefix { $0 != "=" })
      let close = specs.map(\.name.rawValue).filter { $0.hasPrefix(name) }
      if close.count > 1 {
        return UsageError(
          "'--\(name)' is ambiguous: "
            + close.map { "--\($0)" }.joined(separator: ", ") + "; write it out")
      }
      if let other = OptionName(rawValue: name) {
        return UsageError(
          "--\(other.rawValue) means nothing to midimetro \(verb.rawValue);"
            + " see midimetro help \(verb.rawValue)")
      }
      return UsageError(
        "unknown option '--\(name)'"
          + Spelling.hint(name, among: specs.map(\.name.rawValue), prefix: "--")
          + "; see midimetro help \(verb.rawValue)")
    }
    if verb == .play, word.dropFirst().first.map({ $0.isNumber || $0 == "." }) == true {
      return UsageError("tempo '\(word)' is out of range: \(PlayOptions.tempoRange)")
    }
    let letter = UnicodeScalar(UInt8(truncatingIfNeeded: offender))
    return UsageError("unknown option '-\(letter)'; see midimetro help \(verb.rawValue)")
  }

  private static func spelling(_ spec: OptionSpec, _ code: Int32) -> String {
    code >= firstLong ? spec.spelled : spec.short.map { "-\($0)" } ?? spec.spelled
  }
}
