internal import MIDIClock

/// The config file taken apart: long options, one `name = value` a line, in `[profile]` sections.
///
/// Flags stand alone or as `name = yes`; `name = no` takes an earlier one back. `#` begins a
/// comment where it begins a line, because ports have names such as `Box#2`. The file is read
/// from top to bottom as if it were a command line: the lines before any section first, then
/// those of the profile.
struct ConfigFile {
  private struct Entry {
    /// `nil` before the first section.
    let profile: String?
    let option: GivenOption
    /// True for `name = no`.
    let isRevoked: Bool
  }

  private var entries: [Entry] = []
  private var problems: [String] = []
  /// The sections' names, in their order.
  private(set) var profiles: [String] = []
  private let path: String

  /// Reads `bytes`; what is wrong with them is told by `options(profile:)`.
  ///
  /// `path` is for messages.
  init(_ bytes: [UInt8], path: String) {
    self.path = path
    let lines = bytes[...].withoutByteOrderMark
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var profile: String?
    for (index, bytes) in lines.enumerated() {
      let isCarriageReturn = bytes.last == UInt8(ascii: "\r")
      do throws(UsageError) {
        let line = try Self.text(isCarriageReturn ? bytes.dropLast() : bytes)
        try take(line, &profile, place: "\(path):\(index + 1)")
      } catch { problems.append("\(path):\(index + 1): \(error.message)") }
    }
  }

  /// The lines before any section without their destinations, and those of `profile` in `other`.
  ///
  /// For a profile that is a whole session: where that went nowhere, neither does this.
  func options(before other: ConfigFile, profile: String) throws(UsageError) -> [GivenOption] {
    let general = try options(profile: nil)
    let own = try other.options(profile: profile)
    let first = general.firstIndex { $0.name == .to } ?? general.endIndex
    return general[..<first]
      + general[first...].filter { !$0.isRouted } + own
  }

  /// The options in force with `profile`, or without one.
  ///
  /// - Throws: `UsageError` with a line for each bad line of the file, in whatever section, or
  ///   when there is no such profile.
  func options(profile: String?) throws(UsageError) -> [GivenOption] {
    guard problems.isEmpty else { throw UsageError(lines: problems) }
    if let profile, !profiles.contains(profile) {
      let there =
        profiles.isEmpty
        ? "it has none; begin one with a line [\(profile)]"
        : "it has \(profiles.joined(separator: ", "))"
      throw UsageError(
        "--profile: no profile '\(profile)' in \(path)"
          + "\(Spelling.hint(profile, among: profiles)); \(there)")
    }
    let own = entries.filter { $0.profile != nil && $0.profile == profile }
    var options: [GivenOption] = []
    for entry in general(replacedBy: own) + own {
      if entry.isRevoked, !entry.option.isRouted {
        options.removeAll { $0.name == entry.option.name }
      } else {
        options.append(entry.option)
      }
    }
    return options
  }

  /// The lines before any section, without their destinations where `own` has some: a profile's
  /// replace them, as those of the command line replace both.
  private func general(replacedBy own: [Entry]) -> [Entry] {
    let general = entries.filter { $0.profile == nil }
    guard own.contains(where: { $0.option.name == .to }),
      let first = general.firstIndex(where: { $0.option.name == .to })
    else { return general }
    // Route options before the first destination are for all there are.
    return general[..<first]
      + general[first...].filter { !$0.option.isRouted }
  }

  // MARK: Lines

  private static func text(_ bytes: ArraySlice<UInt8>) throws(UsageError) -> String {
    guard let line = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("this is not UTF-8 text; write the file as UTF-8")
    }
    let isPlain = line.unicodeScalars.allSatisfy {
      $0 == "\t" || Words.isPrintable($0)
    }
    guard isPlain else { throw UsageError("a control character; remove it") }
    return trim(line[...])
  }

  private mutating func take(_ line: String, _ profile: inout String?, place: String)
    throws(UsageError)
  {
    if line.isEmpty || line.hasPrefix("#") { return }
    if line.hasPrefix("[") {
      let name = Self.trim(line.dropFirst().dropLast())
      guard line.hasSuffix("]"), !name.isEmpty, !name.contains(where: { $0 == "[" || $0 == "]" })
      else { throw UsageError("'\(line)' begins no profile; write [name], alone on its line") }
      if !profiles.contains(name) { profiles.append(name) }
      profile = name
      return
    }
    let equals = line.firstIndex(of: "=")
    let name = Self.trim(line[..<(equals ?? line.endIndex)])
    let value = equals.map { Self.trim(line[line.index(after: $0)...]) }
    let spec = try Self.spec(name)
    let isRevoked = try Self.check(spec, value)
    let option = GivenOption(
      name: spec.name, value: spec.argument == nil ? isRevoked ? "no" : "" : value ?? "",
      place: "\(place): \(name)")
    if !isRevoked, let complaint = OptionValues.complaint(about: option) {
      // It begins with the place already.
      problems.append(complaint)
      return
    }
    entries.append(Entry(profile: profile, option: option, isRevoked: isRevoked))
  }

  /// The option that a line names.
  private static func spec(_ name: String) throws(UsageError) -> OptionSpec {
    if name.hasPrefix("-") {
      let bare = String(name.drop { $0 == "-" })
      throw UsageError("'\(name)': write the option's long name without dashes" + hint(bare))
    }
    guard let spec = OptionSpec.spec(OptionName(name)), !spec.isHidden else {
      guard name.contains(where: { $0 == " " || $0 == "\t" }) else {
        throw UsageError(
          "unknown option '\(name)'\(hint(name)); midimetro help play lists what there is")
      }
      throw UsageError("'\(name)' is not an option; write name = value")
    }
    guard spec.isForConfig else {
      throw UsageError("\(name) belongs on the command line, not in a config file; remove it")
    }
    return spec
  }

  private static func hint(_ name: String) -> String {
    Spelling.hint(name, among: OptionSpec.all.filter(\.isForConfig).map(\.name.rawValue))
  }

  /// Whether the value has the option's form; true when it takes a flag back.
  private static func check(_ spec: OptionSpec, _ value: String?) throws(UsageError) -> Bool {
    let name = spec.name.rawValue
    guard let argument = spec.argument else {
      switch value {
      case nil, "yes": return false
      case "no": return true
      case let value?:
        throw UsageError("\(name): '\(value)' is neither yes nor no; write one of these")
      }
    }
    guard let value, !value.isEmpty else {
      throw UsageError("\(name) needs a value; write \(name) = \(argument)")
    }
    if value.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote
    {
      throw UsageError("\(name): \(value) stands in quotation marks; leave them out")
    }
    return false
  }

  private static func trim(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }
}
