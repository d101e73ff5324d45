/// Reads the tempos and time signatures of a Standard MIDI File.
///
/// Source: Standard MIDI Files 1.0 (MMA, 1996). The file's ticks are converted to the nearest of
/// ours, 960 per quarter; its tempos, whole microseconds per quarter, are kept exactly. Several
/// tempos within one pulse are replaced by one that takes the same time. The song ends with the bar
/// in which the last track ends.
enum MIDIFileReader {
  /// Reads a file.
  static func read(
    _ bytes: [UInt8], _ defaults: ScoreReading.Defaults
  ) throws(ScoreReading.Refusal) -> ScoreReading {
    var file = StandardMIDIFile.Cursor(bytes[...])
    guard file.take(4) == Array("MThd".utf8)[...], let length = file.number(4), length >= 6,
      var header = file.take(length).map(StandardMIDIFile.Cursor.init),
      let format = header.number(2),
      let count = header.number(2), let division = header.number(2)
    else { throw .init("its header is cut off: it is no whole MIDI file") }
    guard format < 2 else {
      throw .init(
        "it is a MIDI file of format \(format), patterns without one time; use format 0 or 1")
    }
    guard division & 0x8000 == 0, division > 0 else {
      throw .init("its time is in film frames, not in beats; export it with ticks per quarter note")
    }
    var tempos: [(tick: Int64, microseconds: Int64)] = []
    var meters: [(tick: Int64, beats: Int64, unit: Int64)] = []
    var end: Int64 = 0
    var read = 0
    while read < count, let kind = file.take(4) {
      guard let size = file.number(4), let body = file.take(size) else {
        throw .init("track \(read + 1) is cut off: it is no whole MIDI file")
      }
      // Chunks of other types may come in between.
      guard kind == Array("MTrk".utf8)[...] else { continue }
      read += 1
      var track = Track(StandardMIDIFile.Cursor(body))
      while let event = track.next() {
        let tick = Division.rounded(
          Int128(event.tick) * Int128(Resolution.ticksPerQuarter), by: Int128(division))
        switch event.kind {
        case .tempo(let microseconds): tempos.append((tick, microseconds))
        case .meter(let beats, let unit): meters.append((tick, beats, unit))
        case .other: break
        }
        end = max(end, tick)
      }
      guard track.isWhole else {
        throw .init("track \(read) has a fault at byte \(track.offset) of it")
      }
    }
    guard read == count else {
      throw .init("it should have \(count) tracks and has \(read): it is no whole MIDI file")
    }
    return try score(tempos, meters, end, defaults)
  }

  // MARK: - Events

  private struct Event {
    enum Kind {
      case tempo(microseconds: Int64)
      case meter(beats: Int64, unit: Int64)
      case other
    }

    var tick: Int64
    var kind: Kind
  }

  /// Reads the events of a track.
  private struct Track {
    private var cursor: StandardMIDIFile.Cursor
    private let size: Int
    private var tick: Int64 = 0
    private var status: UInt8 = 0
    private var isAtEnd = false

    init(_ cursor: StandardMIDIFile.Cursor) {
      self.cursor = cursor
      size = cursor.rest.count
    }

    /// Whether the track was read to its end without an error.
    var isWhole: Bool { isAtEnd || cursor.rest.isEmpty }
    var offset: Int { size - cursor.rest.count }

    mutating func next() -> Event? {
      guard !isAtEnd, !cursor.rest.isEmpty else { return nil }
      let before = cursor
      guard let delta = cursor.variable(), let kind = kind() else {
        cursor = before
        return nil
      }
      tick += Int64(delta)
      return Event(tick: tick, kind: kind)
    }

    private mutating func kind() -> Event.Kind? {
      guard let first = cursor.rest.first else { return nil }
      if first >= 0x80 {
        _ = cursor.byte()
        // Meta events and System Exclusive end running status.
        status = first < 0xF0 ? first : 0
      }
      switch first >= 0x80 ? first : status {
      case 0x80..<0xC0, 0xE0..<0xF0: return cursor.take(2) == nil ? nil : .other
      case 0xC0..<0xE0: return cursor.take(1) == nil ? nil : .other
      case 0xF0, 0xF7:
        guard let length = cursor.variable(), cursor.take(length) != nil else { return nil }
        return .other
      case 0xFF: return meta()
      default: return nil
      }
    }

    private mutating func meta() -> Event.Kind? {
      guard let type = cursor.byte(), let length = cursor.variable(),
        var body = cursor.take(length).map(StandardMIDIFile.Cursor.init)
      else { return nil }
      switch type {
      case 0x2F: isAtEnd = true
      case 0x51:
        if let microseconds = body.number(3) { return .tempo(microseconds: Int64(microseconds)) }
      case 0x58:
        if let beats = body.byte(), let power = body.byte() {
          return .meter(beats: Int64(beats), unit: power < 16 ? 1 << Int64(power) : 0)
        }
      default: break
      }
      return .other
    }
  }

  // MARK: - The score

  private static func score(
    _ tempos: [(tick: Int64, microseconds: Int64)],
    _ meters: [(tick: Int64, beats: Int64, unit: Int64)], _ end: Int64,
    _ defaults: ScoreReading.Defaults
  ) throws(ScoreReading.Refusal) -> ScoreReading {
    let spans = try Self.spans(meters, defaults)
    guard let last = spans.last else { throw .init("it has no bars") }
    let meter = last.pattern.meter
    let bars = max(1, Division.ceiling(end - last.start.count, by: meter.ticksPerBar))
    let ending = last.start(ofBar: last.bar + bars)
    guard last.bar + bars - 1 <= ScoreReading.maximumBars else {
      throw .init("it has more than \(ScoreReading.maximumBars) bars")
    }
    let steps = Self.steps(tempos, until: ending.count, defaults)
    var passages: [Score.Passage] = []
    var pace = Pace(defaults.tempo)
    var coming = steps[...]
    for (index, span) in spans.enumerated() {
      let next = index + 1 < spans.count ? spans[index + 1].start : ending
      if let step = coming.first, step.tick <= span.start.count {
        pace = step.pace
        coming.removeFirst()
      }
      passages.append(Score.Passage(span: span, pace: pace))
      while let step = coming.first, step.tick < next.count {
        coming.removeFirst()
        pace = step.pace
        passages.append(Score.Passage(span: span, start: Tick(step.tick), pace: pace))
      }
    }
    guard let score = Score(passages: passages, end: ending)?.mergedWithinPulses() else {
      throw .init("it has no bars")
    }
    for passage in score.passages { try check(passage) }
    return ScoreReading(
      score: score, namesTempo: steps.first?.tick == 0,
      namesMeter: meters.contains { $0.tick == 0 })
  }

  /// The meters; one that does not fall on a bar line still begins a bar.
  private static func spans(
    _ meters: [(tick: Int64, beats: Int64, unit: Int64)], _ defaults: ScoreReading.Defaults
  ) throws(ScoreReading.Refusal) -> [MeterSpan] {
    var spans: [MeterSpan] = []
    func span(_ meter: Meter, _ tick: Int64) throws(ScoreReading.Refusal) -> MeterSpan {
      let pattern: ClickPattern
      do throws(ClickPattern.Mismatch) { pattern = try defaults.pattern(meter, nil) } catch {
        throw .init("\(error)")
      }
      guard let last = spans.last else {
        return MeterSpan(start: Tick(tick), bar: 1, pattern: pattern)
      }
      let bars = Division.ceiling(tick - last.start.count, by: last.pattern.meter.ticksPerBar)
      return MeterSpan(start: Tick(tick), bar: last.bar + bars, pattern: pattern)
    }
    // Of several at one tick the last applies; sorting by offset too keeps their order.
    let ordered = meters.enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }
    .map(\.element)
    if ordered.first?.tick != 0 { spans.append(try span(defaults.meter, 0)) }
    for (index, change) in ordered.enumerated() {
      if index + 1 < ordered.count, ordered[index + 1].tick == change.tick { continue }
      let meter: Meter
      do throws(Meter.TextError) { meter = try Meter(text: "\(change.beats)/\(change.unit)") } catch
      {
        let bar = spans.last?.position(of: Tick(change.tick)).bar ?? 1
        throw .init("the time signature at bar \(bar): \(error)")
      }
      if spans.last?.pattern.meter == meter { continue }
      spans.append(try span(meter, change.tick))
    }
    return spans
  }

  /// The tempo changes, without repeats of the same tempo.
  private static func steps(
    _ tempos: [(tick: Int64, microseconds: Int64)], until end: Int64,
    _ defaults: ScoreReading.Defaults
  ) -> [(tick: Int64, pace: Pace)] {
    let ordered = tempos.enumerated()
      .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
    var steps: [(tick: Int64, pace: Pace)] = []
    for (index, change) in ordered.enumerated() where change.tick < end {
      // Of several at one tick the last applies.
      if index + 1 < ordered.count, ordered[index + 1].tick == change.tick { continue }
      let pace = Pace(microseconds: change.microseconds)
      let before = steps.last?.pace ?? (change.tick == 0 ? nil : Pace(defaults.tempo))
      if pace != before { steps.append((change.tick, pace)) }
    }
    return steps
  }

  private static func check(_ passage: Score.Passage) throws(ScoreReading.Refusal) {
    let milliBPM =
      Double(Resolution.tempoNumerator) * Double(passage.pace.denominator)
      / Double(passage.pace.numerator)
    // Writers that dither rounded tempos may exceed the range slightly.
    let (slowest, fastest) = (Double(Tempo.range.lowerBound), Double(Tempo.range.upperBound))
    guard milliBPM > slowest * 0.999, milliBPM < fastest * 1.001 else {
      let place = passage.span.position(of: passage.start)
      let shown = milliBPM < 1e9 ? Thousandths.text(Int64(milliBPM.rounded())) : "without end"
      throw .init(
        "the tempo at bar \(place.bar), beat \(place.beat), is \(shown); the range is"
          + " \(Tempo.rangeText)")
    }
  }
}
