/// Reads score files: one section per line, and tempo changes inside sections.
///
///     Verse: 8 4/4 120          eight bars, named
///     4 7/8=2+2+3 q=90-120      another meter, getting faster all the way
///     at 11:3.5 100             from the middle of beat 3 of bar 11 on
///     at 12:3+1/3 96            from a third into beat 3
///     * XxXx                    until stopped, with these accents
///
/// A section is `[NAME:] BARS [METER] [TEMPO[-TEMPO]] [ACCENTS]`. If left out, meter and tempo stay
/// the same, and so do the accents while the meter does. A ramp is linear in beats, over the
/// section or up to the next `at` line in it. `#` begins a comment. Bars and beats of `at` are
/// counted from 1.
///
/// Text that a word processor or a web page has set is read as what it shows: other blanks and
/// dashes, an arrow for a ramp, note signs for units.
enum ScoreText {
  /// Reads a file, and reports all of its errors at once.
  static func read(
    _ bytes: [UInt8], _ defaults: ScoreReading.Defaults
  ) throws(ScoreReading.Refusal) -> ScoreReading {
    var reader = Reader(defaults)
    var rest = bytes[...].withoutByteOrderMark
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A }
      rest = rest[line.endIndex...].dropFirst()
      reader.line += 1
      guard let text = String(validating: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      else {
        reader.complain("it is not text in UTF-8")
        continue
      }
      reader.take(text)
    }
    return try reader.finish()
  }

  /// A tempo, and the target if it is a ramp.
  private struct TempoCourse {
    var tempo: Tempo
    var target: Tempo?
  }

  private struct WrittenSection {
    var line: Int
    /// `nil` for a section that plays until stopped.
    var bars: Int64?
    var span: MeterSpan
    /// The line and the place of the last tempo change inside it.
    var turn: (line: Int, tick: Tick)?

    /// `nil` for a section that plays until stopped.
    var end: Tick? { bars.map { span.start(ofBar: span.bar + $0) } }
  }

  private struct Reader {
    let defaults: ScoreReading.Defaults
    var line = 0
    var complaints: [ScoreReading.Complaint] = []
    /// The section above.
    var section: WrittenSection?
    var passages: [Score.Passage] = []
    var parts: [String] = []
    var part: PlayedPart?
    /// The line of a ramp that has no end so far, and its target.
    var openRamp: (line: Int, target: Pace)?
    var meter: Meter
    var accents: AccentPattern?
    /// The tempo at the end of what has been read.
    var tempo: Tempo
    var namesTempo = false
    var namesMeter = false
    /// Whether the first section has accents written.
    var hasOwnAccents = false
    /// Whether a section was refused, after which bar numbers are unknown.
    var isBroken = false

    init(_ defaults: ScoreReading.Defaults) {
      self.defaults = defaults
      meter = defaults.meter
      tempo = defaults.tempo
    }

    mutating func complain(_ message: String) {
      complaints.append(ScoreReading.Complaint(line: line, message: message))
    }

    mutating func take(_ text: String) {
      let text = text.prefix { $0 != "#" }
      let words = Typography.words(text)
      guard let first = words.first else { return }
      if first == "at", words.count < 2 || words[1].first?.isNumber == true {
        takeTurn(Array(words.dropFirst()))
        return
      }
      var name: String?
      var rest = words
      if let colon = text.firstIndex(where: Typography.isColon) {
        let named = text[..<colon].split(whereSeparator: Typography.isBlank)
          .joined(separator: " ")
        guard !named.isEmpty else {
          isBroken = true
          return complain("there is no name before the colon")
        }
        guard
          named.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
          isBroken = true
          return complain("there are control characters in its name")
        }
        name = named
        rest = Typography.words(text[text.index(after: colon)...])
      }
      if !takeSection(name, rest) { isBroken = true }
    }

    /// Returns false if the section is refused.
    private mutating func takeSection(_ name: String?, _ words: [Substring]) -> Bool {
      guard let first = words.first else {
        complain("how many bars? write \(name ?? "NAME"): 8, or * for until stopped")
        return false
      }
      if let last = section, last.bars == nil {
        complain("line \(last.line) goes on until stopped, so this is never played")
        return false
      }
      var isGood = true
      let bars = first == "*" ? nil : Digits.parse(first)
      if first != "*", bars == nil || bars == 0 {
        complain(
          "'\(first)' is not a number of bars from 1 to \(ScoreReading.maximumBars), nor * for until"
            + " stopped")
        isGood = false
      }
      var course: TempoCourse?
      var newMeter: Meter?
      var newAccents: AccentPattern?
      for word in words.dropFirst() {
        switch read(word) {
        case .meter(let read): isGood = set(&newMeter, read, "meter", word) && isGood
        case .course(let read): isGood = set(&course, read, "tempo", word) && isGood
        case .accents(let read): isGood = set(&newAccents, read, "accents", word) && isGood
        case nil: isGood = false
        }
      }
      if section == nil {
        namesTempo = course != nil
        namesMeter = newMeter != nil
        hasOwnAccents = newAccents != nil
      }
      if let newMeter {
        if newMeter != meter { accents = nil }
        meter = newMeter
      }
      if let newAccents { accents = newAccents }
      let length = course ?? TempoCourse(tempo: tempo)
      if bars == nil, first == "*", length.target != nil {
        complain("a ramp needs a number of bars, not *")
        isGood = false
      }
      tempo = length.target ?? length.tempo
      let pattern: ClickPattern
      do throws(ClickPattern.Mismatch) { pattern = try defaults.pattern(meter, accents) } catch {
        complain("\(meter): \(error)")
        accents = nil
        return false
      }
      guard isGood else { return false }
      let start = section?.end ?? .zero
      let bar = section.map { $0.span.bar + ($0.bars ?? 0) } ?? 1
      guard bar - 1 + (bars ?? 0) <= ScoreReading.maximumBars else {
        complain("more than \(ScoreReading.maximumBars) bars in all")
        return false
      }
      let written = WrittenSection(
        line: line, bars: bars, span: MeterSpan(start: start, bar: bar, pattern: pattern))
      section = written
      if let name {
        part = PlayedPart(index: parts.count, start: start)
        parts.append(name)
      }
      append(length, at: start, in: written)
      return true
    }

    /// Appends a passage that lasts to the end of the section, so far.
    private mutating func append(_ course: TempoCourse, at start: Tick, in section: WrittenSection)
    {
      var passage = Score.Passage(
        span: section.span, start: start, pace: Pace(course.tempo), part: part)
      openRamp = nil
      if let target = course.target {
        if let end = section.end {
          passage.ramp = TempoMap.Ramp(target: Pace(target), ticks: end.count - start.count)
        } else {
          openRamp = (line, Pace(target))
        }
      }
      passages.append(passage)
    }

    private mutating func set<Value>(
      _ place: inout Value?, _ value: Value, _ what: String, _ word: Substring
    ) -> Bool {
      guard place == nil else {
        complain("'\(word)' is a second \(what)")
        return false
      }
      place = value
      return true
    }

    private enum Part {
      case meter(Meter)
      case course(TempoCourse)
      case accents(AccentPattern)
    }

    /// Reads a word by its form: fractions are meters, numbers and `UNIT=` tempos, letters accents.
    private mutating func read(_ word: Substring) -> Part? {
      if let accents = AccentPattern(text: word) { return .accents(accents) }
      let isTempo = word.contains("=") && !word.contains("+") && !Self.isOneGroup(word)
      if word.contains("/"), !isTempo {
        do throws(Meter.TextError) { return .meter(try Meter(text: word)) } catch {
          complain("\(error)")
          return nil
        }
      }
      guard isTempo || word.first?.isNumber == true || word.first == "-" else {
        complain(
          "'\(word)' is neither a meter (7/8), nor a tempo (120, 90-120), nor accents (XxmX.)")
        return nil
      }
      return course(word).map { .course($0) }
    }

    /// True for `12/8=12`, a meter in one group: as a tempo it would be as many bars a minute as a
    /// bar has beats.
    private static func isOneGroup(_ word: Substring) -> Bool {
      let halves = word.split(separator: "=", omittingEmptySubsequences: false)
      guard halves.count == 2, let slash = halves[0].firstIndex(of: "/"),
        let beats = Digits.parse(halves[0][..<slash])
      else { return false }
      return Digits.parse(halves[1]) == beats
    }

    /// Reads `120`, `1/8=100`, `90-120` or `1/8=90-120`, where the unit applies to both tempos.
    private mutating func course(_ word: Substring) -> TempoCourse? {
      do throws(Tempo.TextError) {
        guard let dash = word.dropFirst().firstIndex(of: "-") else {
          return TempoCourse(tempo: try Tempo(text: word))
        }
        let (first, second) = (word[..<dash], word[word.index(after: dash)...])
        let unit = first.firstIndex(of: "=").map { first[...$0] } ?? ""
        let target = try Tempo(text: second.contains("=") ? String(second) : String(unit + second))
        let tempo = try Tempo(text: first)
        // A ramp from a tempo to itself is a constant tempo.
        return TempoCourse(tempo: tempo, target: tempo == target ? nil : target)
      } catch {
        complain("\(error)")
        return nil
      }
    }

    /// Reads an `at` line.
    private mutating func takeTurn(_ words: [Substring]) {
      guard words.count == 2 else {
        return complain("write: at BAR:BEAT TEMPO, for example: at 2:3.5 150 or at 9:1 120-140")
      }
      guard let course = course(words[1]) else { return }
      let parts = words[0].split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let bar = Digits.parse(parts[0]), bar > 0,
        let beat = BeatPlace(parts[1])
      else {
        return complain(
          "'\(words[0])' is not a place: write BAR:BEAT, both from 1, the beat with up to three"
            + " decimals or a fraction, such as 2:3.5 or 2:3+1/3")
      }
      // After a refused section an error in the position would only be a consequence.
      guard !isBroken else { return }
      guard let section else {
        return complain("there is no section above it")
      }
      let span = section.span
      guard bar >= span.bar, section.bars.map({ bar < span.bar + $0 }) ?? true else {
        let last = section.bars.map { " to \(span.bar + $0 - 1)" } ?? " on"
        return complain(
          "bar \(bar) is not in the section of line \(section.line), which has the bars"
            + " \(span.bar)\(last)")
      }
      let meter = span.pattern.meter
      guard beat.whole <= meter.beats else {
        return complain(
          "a bar of \(meter) has \(meter.beats) beat\(meter.beats == 1 ? "" : "s"), so there is no"
            + " beat \(parts[1])")
      }
      let tick = Tick(span.start(ofBar: bar).count + beat.ticks(ofBeat: meter.ticksPerBeat))
      let last = section.turn
      if let last, tick <= last.tick {
        return complain(
          tick == last.tick
            ? "line \(last.line) is for the same place"
            : "it comes before the place of line \(last.line): write them in order")
      }
      guard last != nil || tick > span.start else {
        return complain("the section of line \(section.line) says the tempo of that place")
      }
      tempo = course.target ?? course.tempo
      // A ramp above it ends here, at its full target.
      let before = passages.count - 1
      let length = tick.count - passages[before].start.count
      if let openRamp {
        passages[before].ramp = TempoMap.Ramp(target: openRamp.target, ticks: length)
      }
      passages[before].ramp?.ticks = length
      self.section?.turn = (line, tick)
      append(course, at: tick, in: section)
    }

    mutating func finish() throws(ScoreReading.Refusal) -> ScoreReading {
      if passages.isEmpty, complaints.isEmpty {
        throw ScoreReading.Refusal("there is no section in it")
      }
      if let openRamp {
        complaints.append(
          ScoreReading.Complaint(
            line: openRamp.line,
            message: "a ramp needs an end: the section goes on until stopped"))
      }
      guard complaints.isEmpty,
        let score = Score(passages: passages, end: section?.end, parts: parts)?
          .mergedWithinPulses()
      else {
        throw ScoreReading.Refusal(complaints.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
      }
      return ScoreReading(
        score: hasOwnAccents ? score : score.withPickUpAccents(defaults), namesTempo: namesTempo,
        namesMeter: namesMeter)
    }
  }
}
