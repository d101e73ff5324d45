/// Reads score files: one section per line, and tempo changes inside sections.
///
///     Verse: 8 4/4 120          eight bars, named
///     4 7/8=2+2+3 q=90-120      another meter, getting faster all the way
///     at 11:3.5 100             from the middle of beat 3 of bar 11 on
///     * XxXx                    until stopped, with these accents
///
/// A section is `[NAME:] BARS [METER] [TEMPO[-TEMPO]] [ACCENTS]`. If left out, meter and tempo stay
/// the same, and so do the accents while the meter does. A ramp is linear in beats, over the
/// section or up to the next `at` line in it. `#` begins a comment. Bars and beats of `at` are
/// counted from 1.
enum ScoreText {
  /// Reads a file, and reports all of its errors at once.
  static func read(
    _ bytes: [UInt8], _ defaults: ScoreReading.Defaults
  ) throws(ScoreReading.Refusal) -> ScoreReading {
    var reader = Reader(defaults)
    let lines = bytes[...].withoutByteOrderMark
      .split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      reader.line = index + 1
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

  /// A tempo change inside a section.
  private struct Turn {
    var line: Int
    var tick: Tick
    var course: TempoCourse
  }

  private struct WrittenSection {
    var line: Int
    var name: String?
    /// `nil` for a section that plays until stopped.
    var bars: Int64?
    var span: MeterSpan
    var course: TempoCourse
    var turns: [Turn] = []

    /// `nil` for a section that plays until stopped.
    var end: Tick? { bars.map { span.start(ofBar: span.bar + $0) } }
  }

  private struct Reader {
    let defaults: ScoreReading.Defaults
    var line = 0
    var complaints: [ScoreReading.Complaint] = []
    var sections: [WrittenSection] = []
    var meter: Meter
    var accents: AccentPattern?
    /// The tempo at the end of what has been read.
    var tempo: Tempo
    var namesTempo = false
    var namesMeter = false
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
      let words = text.split { $0 == " " || $0 == "\t" }
      guard let first = words.first else { return }
      if first == "at", words.count < 2 || words[1].first?.isNumber == true {
        takeTurn(Array(words.dropFirst()))
        return
      }
      var name: String?
      var rest = words
      if let colon = text.firstIndex(of: ":") {
        let named = text[..<colon].split { $0 == " " || $0 == "\t" }.joined(separator: " ")
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
        rest = text[text.index(after: colon)...].split { $0 == " " || $0 == "\t" }
      }
      if !takeSection(name, rest) { isBroken = true }
    }

    /// Returns false if the section is refused.
    private mutating func takeSection(_ name: String?, _ words: [Substring]) -> Bool {
      guard let first = words.first else {
        complain("how many bars? write \(name ?? "NAME"): 8, or * for until stopped")
        return false
      }
      if let last = sections.last, last.bars == nil {
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
      if sections.isEmpty {
        namesTempo = course != nil
        namesMeter = newMeter != nil
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
      let start = sections.last?.end ?? .zero
      let bar = sections.last.map { $0.span.bar + ($0.bars ?? 0) } ?? 1
      guard bar - 1 + (bars ?? 0) <= ScoreReading.maximumBars else {
        complain("more than \(ScoreReading.maximumBars) bars in all")
        return false
      }
      sections.append(
        WrittenSection(
          line: line, name: name, bars: bars,
          span: MeterSpan(start: start, bar: bar, pattern: pattern), course: length))
      return true
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
      let isTempo = word.contains("=") && !word.contains("+")
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
        let beat = Thousandths.parse(parts[1]), beat >= 1_000
      else {
        return complain(
          "'\(words[0])' is not a place: write BAR:BEAT, both from 1, the beat with up to three"
            + " decimals")
      }
      // After a refused section an error in the position would only be a consequence.
      guard !isBroken else { return }
      guard let section = sections.last else {
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
      guard beat < (meter.beats + 1) * 1_000 else {
        return complain(
          "a bar of \(meter) has \(meter.beats) beat\(meter.beats == 1 ? "" : "s"), so there is no"
            + " beat \(Thousandths.text(beat))")
      }
      // To the nearest tick; a thousandth of a beat is finer.
      let ticks = Division.rounded(
        Int128(beat - 1_000) * Int128(meter.ticksPerBeat), by: 1_000)
      let tick = Tick(span.start(ofBar: bar).count + ticks)
      let last = section.turns.last
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
      sections[sections.count - 1].turns.append(Turn(line: line, tick: tick, course: course))
    }

    mutating func finish() throws(ScoreReading.Refusal) -> ScoreReading {
      if sections.isEmpty, complaints.isEmpty {
        throw ScoreReading.Refusal("there is no section in it")
      }
      var passages: [Score.Passage] = []
      var parts: [String] = []
      var part: PlayedPart?
      for section in sections {
        if let name = section.name {
          part = PlayedPart(index: parts.count, start: section.span.start)
          parts.append(name)
        }
        var places = [(section.line, section.span.start, section.course)]
        places += section.turns.map { ($0.line, $0.tick, $0.course) }
        for (index, (number, start, course)) in places.enumerated() {
          let end = index + 1 < places.count ? places[index + 1].1 : section.end
          var passage = Score.Passage(
            span: section.span, start: start, pace: Pace(course.tempo), part: part)
          if let target = course.target {
            guard let end else {
              complaints.append(
                ScoreReading.Complaint(
                  line: number, message: "a ramp needs an end: the section goes on until stopped"))
              continue
            }
            passage.ramp = TempoMap.Ramp(target: Pace(target), ticks: end.count - start.count)
          }
          passages.append(passage)
        }
      }
      guard complaints.isEmpty,
        let score = Score(passages: passages, end: sections.last?.end, parts: parts)?
          .mergedWithinPulses()
      else {
        throw ScoreReading.Refusal(complaints.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
      }
      return ScoreReading(
        score: score, namesTempo: namesTempo, namesMeter: namesMeter)
    }
  }
}
