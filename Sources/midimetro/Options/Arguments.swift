internal import MIDIClock

/// A command line taken apart, in its order; values are still text.
struct Arguments: Hashable, Sendable {
  var options: [GivenOption] = []
  var operands: [String] = []

  /// Takes `words` (without the program's name and the command) apart by the table.
  static func parse(_ words: [String], for verb: Verb) throws(UsageError) -> Arguments {
    let specs = OptionSpec.all.filter { $0.verbs.contains(verb) }
    // The leading "-" hands operands over in their order, the ":" tells a missing value apart.
    let shorts =
      "-:"
      + specs.compactMap { spec in
        spec.short(for: verb).map { String($0) + (spec.argument == nil ? "" : ":") }
      }.joined()
    let longs = specs.enumerated().map { index, spec in
      GetOpt.Long(
        name: spec.name.rawValue, takesValue: spec.argument != nil,
        code: firstLong + Int32(index))
    }
    var arguments = Arguments()
    for token in GetOpt.tokens(words, shorts: shorts, longs: longs) {
      switch token {
      case .operand(let word): arguments.operands.append(word)
      case .option(let code, let value):
        guard let spec = find(code, specs, verb) else { continue }
        try refuseSingleDash(code, value, spec)
        arguments.options.append(
          GivenOption(name: spec.name, value: value, place: spec.spelled))
      case .missingValue(let code):
        guard let spec = find(code, specs, verb) else { continue }
        throw UsageError("\(spec.spelled) needs a value: \(spec.spelled) \(spec.argument ?? "")")
      case .refused(let code, let word): throw complaint(code, word, specs, verb)
      }
    }
    return arguments
  }

  func has(_ name: OptionName) -> Bool { last(name) != nil }

  /// The last value given for `name`.
  func value(_ name: OptionName) -> String? { last(name)?.value }

  private func last(_ name: OptionName) -> GivenOption? {
    assert(OptionSpec.spec(name) != nil, "no option is called \(name.rawValue)")
    return options.last { $0.name == name }
  }

  /// The tempo that stands by itself, if any.
  func tempoOperand() throws(UsageError) -> String? {
    guard operands.count <= 1 else {
      throw UsageError(
        "one tempo only: '\(operands[0])' or '\(operands[1])'?"
          + " Options come with two dashes; see midimetro help")
    }
    if let operand = operands.first, let other = value(.bpm) {
      throw UsageError("the tempo is given twice, as '\(operand)' and --bpm '\(other)'; give one")
    }
    return operands.first
  }

  /// Those of the config file's options that the command line leaves in force.
  ///
  /// A destination on the command line replaces all of the file's and their routes, a source its
  /// sources, a pad its pads; a log that is replayed has none of them.
  func unreplaced(_ config: [GivenOption]) -> [GivenOption] {
    let firstDestination = config.firstIndex { $0.name == .to } ?? config.endIndex
    return config.enumerated().filter { index, option in
      if OptionSpec.spec(option.name)?.repeats == true { return !has(option.name) }
      if option.name == .from { return !has(.from) && !has(.replay) }
      guard has(.to) || has(.replay) else { return true }
      // Route options before the first destination are for all there are.
      return index < firstDestination || !option.isRouted
    }.map(\.element)
  }

  /// Refuses two of `names` together; the last of an option that is repeated counts instead.
  func refuseTogether(_ names: [OptionName]) throws(UsageError) {
    let given = names.compactMap(last)
      .map { $0.name == .sound ? "\($0.place) \($0.value)" : $0.place }
    guard given.count > 1 else { return }
    throw UsageError(
      "\(given[0]) and \(given[1]) contradict each other; give one of them")
  }

  /// Above every character, so that a long option's code is no short one's.
  private static let firstLong: Int32 = 1_000

  private static func find(_ code: Int32, _ specs: [OptionSpec], _ verb: Verb) -> OptionSpec? {
    if code >= firstLong { return specs[Int(code - firstLong)] }
    return specs.first { $0.short(for: verb)?.asciiValue.map(Int32.init) == code }
  }

  /// Refuses `-bpm`, which is `-b pm` to getopt and never meant so.
  ///
  /// A destination could be called `lain`, though.
  private static func refuseSingleDash(_ code: Int32, _ value: String, _ spec: OptionSpec)
    throws(UsageError)
  {
    guard code < firstLong, let short = spec.short, spec.name != .to,
      spec.name.rawValue == "\(short)\(value)"
    else { return }
    throw UsageError("unknown option '-\(spec.name.rawValue)' (did you mean \(spec.spelled)?)")
  }

  /// The message for what getopt refused.
  private static func complaint(
    _ code: Int32, _ word: String, _ specs: [OptionSpec], _ verb: Verb
  ) -> UsageError {
    let help = "see midimetro help \(verb.rawValue)"
    if code >= firstLong, let spec = find(code, specs, verb) {
      return UsageError("\(spec.spelled) takes no value")
    }
    if word.hasPrefix("--") {
      let name = String(word.dropFirst(2).prefix { $0 != "=" })
      let close = specs.map(\.name.rawValue).filter { $0.hasPrefix(name) }
      if close.count > 1 {
        let list = close.map { "--\($0)" }.joined(separator: ", ")
        return UsageError("'--\(name)' is ambiguous: \(list); write it out")
      }
      if let other = OptionSpec.spec(OptionName(name)) {
        if verb == .follow, other.group == .taps {
          return UsageError(
            "midimetro follow does not take \(other.spelled), since the clock that is followed"
              + " sets the tempo; taps steer midimetro play")
        }
        return UsageError(
          "midimetro \(verb.rawValue) does not take \(other.spelled); \(help)")
      }
      let hint = Spelling.hint(name, among: specs.map(\.name.rawValue), prefix: "--")
      return UsageError("unknown option '--\(name)'\(hint); \(help)")
    }
    if verb.takesTempo, let first = word.dropFirst().first,
      first.isNumber || first == "."
    {
      return UsageError("tempo '\(word)' is out of range: \(Tempo.rangeText)")
    }
    // getopt knows bytes; people see letters.
    let letter = word.dropFirst().first { $0.utf8.first == UInt8(truncatingIfNeeded: code) } ?? "?"
    if word.count > 2, let meant = specs.first(where: { $0.name.rawValue == word.dropFirst() }) {
      return UsageError("unknown option '\(word)' (did you mean \(meant.spelled)?); \(help)")
    }
    if let other = OptionSpec.all.first(where: { $0.short == letter }) {
      return UsageError(
        "midimetro \(verb.rawValue) does not take -\(letter) (\(other.spelled)); \(help)")
    }
    return UsageError("unknown option '-\(letter)'; \(help)")
  }
}
