internal import MIDIClock

/// A profile of the config file being written: the options that make `play` do what it does now.
enum Profile {
  /// The lines, `name = value` each; route options before the first destination are for all.
  static func lines(tempo: Tempo, pattern: ClickPattern, policy: ClockPolicy, _ rest: [String])
    -> [String]
  {
    var lines = ["bpm = \(tempo)", "meter = \(pattern.meter)"]
    let letters = String(
      (0..<pattern.clicksPerBar).map { pattern.accent(ofClick: $0).letter })
    lines.append("accents = \(letters)")
    if pattern.subdivision > 1 { lines.append("subdivide = \(pattern.subdivision)") }
    if pattern.swing != 50_000 { lines.append("swing = \(Thousandths.text(pattern.swing))") }
    lines.append("clock = \(policy)")
    return lines + rest
  }

  /// The lines of what sounds here; none for what does not.
  static func lines(volume: Int64?, soundSet: String?) -> [String] {
    var lines: [String] = []
    if let soundSet { lines.append("sound = \(soundSet)") }
    if let volume { lines.append("volume = \(volume)") }
    return lines
  }

  /// The lines of a destination.
  static func lines(to address: String, _ route: Route) -> [String] {
    ["to = \(address)"] + lines(ofEvery: route)
  }

  /// The lines of a route, for all when no destination comes before them.
  static func lines(ofEvery route: Route) -> [String] {
    var lines: [String] = []
    if route.contents != .all { lines.append("send = \(route.contents.spelled)") }
    if route.offset != .zero {
      let micro = route.offset.nanoseconds / 1_000
      lines.append("offset = \(micro < 0 ? "-" : "")\(Thousandths.text(abs(micro)))")
    }
    if route.divide > 1 { lines.append("divide = \(route.divide)") }
    if route.multiply > 1 { lines.append("multiply = \(route.multiply)") }
    return lines
  }

  /// The config file's `text` with the section `name` made to hold `lines`.
  ///
  /// In its old place if it had one, else at the end. Everything else stays as it is, letter by
  /// letter.
  static func put(_ lines: [String], as name: String, in text: String) -> String {
    // By bytes: a carriage return and the line feed after it are one Character.
    var kept = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if kept.last?.isEmpty == true { kept.removeLast() }
    let section = ["[\(name)]"] + lines
    guard let first = kept.firstIndex(where: { self.name(ofSection: $0) == name }) else {
      let gap = kept.isEmpty || kept.last?.isEmpty == true ? [] : [""]
      return (kept + gap + section).joined(separator: "\n") + "\n"
    }
    var end = kept[(first + 1)...].firstIndex { self.name(ofSection: $0) != nil } ?? kept.endIndex
    // Comments and blanks before the next section are that one's.
    while end > first + 1, end < kept.endIndex, isRemark(kept[end - 1]) { end -= 1 }
    kept.replaceSubrange(first..<end, with: section)
    // A section may be spread over the file: what is left of it would be stronger.
    while let again = kept.indices.dropFirst(first + section.count).first(where: {
      self.name(ofSection: kept[$0]) == name
    }) {
      let next =
        kept[(again + 1)...].firstIndex { self.name(ofSection: $0) != nil } ?? kept.endIndex
      kept.removeSubrange(again..<next)
    }
    return kept.joined(separator: "\n") + "\n"
  }

  private static func isRemark(_ line: String) -> Bool {
    let text = line.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    return text.isEmpty || text.hasPrefix("#")
  }

  private static func name(ofSection line: String) -> String? {
    var text = line.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, " \t\r".contains(last) { text.removeLast() }
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    var name = text.dropFirst().dropLast().drop { $0 == " " || $0 == "\t" }
    while let last = name.last, last == " " || last == "\t" { name.removeLast() }
    return String(name)
  }
}

extension Route.Contents {
  /// As `--send` names it.
  var spelled: String {
    if self == .all { return "all" }
    return Self.named.filter { $0.contents != .all && contains($0.contents) }.map(\.name)
      .joined(separator: ",")
  }
}
