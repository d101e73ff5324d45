internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// A profile of the config file being written: the options that make `play` do what it does now.
enum Profile {
  /// The one that is kept by itself.
  static let last = "last"

  /// The sound's settings and its route.
  struct Sound {
    let route: Int
    let volume: Int64
    /// `nil` for a sound font.
    let set: ClickSet?
  }

  /// What is set at the screen of `play`, started with `options`.
  ///
  /// - Parameters:
  ///   - state: The session's state.
  ///   - options: What `play` was asked.
  ///   - sound: The sound's settings; `nil` without sound.
  ///   - present: For each destination of the options whether it still is one.
  ///   - added: The addresses of those that were connected at the screen.
  /// - Returns: Lines of a profile.
  static func lines(
    of state: SessionState, _ options: PlayOptions, sound: Sound?, present: [Bool],
    added: [String]
  ) -> [String] {
    let settings = options.settings
    let general = state.moved(settings.general, number: settings.destinations.count)
    var lines = sound.map { soundLines(state, options.sound, $0) } ?? []
    if !options.sound.isWanted { lines.append("sound = off") }
    lines += Self.lines(general.voice) + Self.lines(ofEvery: general)
    for (number, destination) in settings.destinations.enumerated() where present[number] {
      lines += Self.lines(
        to: destination.address, state.moved(destination.route, number: number), every: general)
    }
    for address in added { lines += Self.lines(to: address, general, every: general) }
    var run = OptionValues()
    run.policy = state.policy
    lines = Self.lines(OptionSpec.run, of: run, unless: nil) + lines
    // A song that came through a pipe cannot be read again.
    guard let score = options.scorePath, score != "-", !score.hasPrefix("/dev/") else {
      return Self.lines(tempo: state.tempo, pattern: state.pattern) + lines
    }
    // The file says the rest, and it stays where it is.
    return ["score = \(Environment.absolute(score))"] + divisions(options.opening.span.pattern)
      + lines
  }

  private static func soundLines(
    _ state: SessionState, _ options: SoundOptions, _ sound: Sound
  ) -> [String] {
    // What is muted is silent the next time too; there is no other word for it.
    let volume = state.isMuted(sound.route) ? 0 : sound.volume
    let font = options.choice == .font ? options.soundfont : nil
    return (font.map { ["soundfont = \($0)"] } ?? [])
      + lines(
        volume: volume, soundSet: sound.set?.rawValue, offset: state.offset(sound.route))
  }

  /// The lines, `name = value` each, of those of `rows` that a profile keeps and whose values are not
  /// those of `usual`.
  private static func lines(
    _ rows: [OptionSpec], of values: OptionValues, unless usual: OptionValues? = OptionValues()
  ) -> [String] {
    rows.compactMap { row in
      guard let text = row.kept?(values), usual.flatMap({ row.kept?($0) }) != text else {
        return nil
      }
      return "\(row.name.rawValue) = \(text)"
    }
  }

  /// The lines of a tempo and a pattern; route options before the first destination are for all.
  static func lines(tempo: Tempo, pattern: ClickPattern) -> [String] {
    var values = OptionValues()
    values.tempo = tempo
    values.meter = pattern.meter
    // More clicks than a pattern can have letters come from one letter a beat.
    let step = pattern.clicksPerBar > AccentPattern.capacity ? pattern.subdivision : 1
    values.accents = AccentPattern(
      stride(from: 0, to: pattern.clicksPerBar, by: Int(step)).map(pattern.accent))
    let opening = OptionSpec.music.filter { [.bpm, .meter, .accents].contains($0.name) }
    return lines(opening, of: values, unless: nil) + divisions(pattern)
  }

  private static func divisions(_ pattern: ClickPattern) -> [String] {
    var values = OptionValues()
    values.subdivision = pattern.subdivision
    values.swing = pattern.swing
    return lines(OptionSpec.music, of: values)
  }

  /// The lines of what sounds here; none for what does not.
  static func lines(volume: Int64?, soundSet: String?, offset: HostTime.Span = .zero) -> [String] {
    var lines: [String] = []
    if let soundSet { lines.append("sound = \(soundSet)") }
    if let volume { lines.append("volume = \(volume)") }
    if offset != .zero { lines.append("audio-offset = \(Values.milliseconds(offset))") }
    return lines
  }

  /// The lines of the click notes, where they are not the usual ones.
  static func lines(_ voice: ClickVoice) -> [String] {
    var values = OptionValues()
    values.voice = voice
    return lines(OptionSpec.notes, of: values)
  }

  /// Whether `address`, written as a line's value, is read back as it was.
  ///
  /// One with blanks or quotation marks at its ends is not, nor one with control characters.
  static func isKept(_ address: String) -> Bool {
    let file = ConfigFile(Array("to = \(address)\n".utf8), path: "")
    let read = try? file.options(profile: nil)
    return read?.count == 1 && read?.first?.value == address
  }

  /// The lines of a destination; `every` is what holds for all of them already.
  static func lines(to address: String, _ route: Route, every: Route = Route()) -> [String] {
    // Whoever reads the file refuses all of it for a line that is none.
    isKept(address) ? ["to = \(address)"] + lines(ofEvery: route, unless: every) : []
  }

  /// The lines of a route, for all when no destination comes before them, where it differs from
  /// `usual`.
  static func lines(ofEvery route: Route, unless usual: Route = Route()) -> [String] {
    var (values, general) = (OptionValues(), OptionValues())
    values.playing.general = route
    general.playing.general = usual
    return lines(OptionSpec.destinations, of: values, unless: general)
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

extension SessionState {
  /// `route`, number `number`, with its present offset and mute.
  fileprivate func moved(_ route: Route, number: Int) -> Route {
    var moved = route
    moved.offset = offset(number)
    moved.isMuted = isMuted(number)
    return moved
  }
}
