extension MIDIFileReader {
  /// What the tracks of a file say about tempo, meter and length, in our own ticks.
  struct Song {
    /// A value from one track, in force from a tick on.
    private struct Change<Value: Equatable> {
      var tick: Int64
      var track: Int
      var value: Value
    }

    private struct Signature: Equatable, CustomStringConvertible {
      var beats: Int64
      var unit: Int64

      var description: String { "\(beats)/\(unit)" }
    }

    private var tempos: [Change<Int64>] = []
    private var meters: [Change<Signature>] = []
    private var end: Int64 = 0
    private var lastNote: Int64 = -1
    /// What a reader of the file should know.
    var warnings: [String] = []

    /// Paces between these microseconds per quarter are played as the file has them, although some
    /// are outside the range of typed tempos: a fermata is often written as a very slow tempo.
    ///
    /// The fastest is 1000 BPM, with a pulse every 2.5 ms.
    private static let playable: ClosedRange<Int64> = 60_000...0xFF_FFFF

    /// A shorter tail in which no note begins opens no bar: a 32nd, in ticks.
    private static let shortestTail = Resolution.ticksPerWhole / 32

    /// Takes in an event of track `track`, from 1.
    mutating func add(_ kind: Event.Kind, at tick: Int64, track: Int) {
      switch kind {
      case .tempo(let microseconds):
        tempos.append(Change(tick: tick, track: track, value: microseconds))
      case .meter(let beats, let unit):
        meters.append(
          Change(tick: tick, track: track, value: Signature(beats: beats, unit: unit)))
      case .note: lastNote = max(lastNote, tick)
      case .other: break
      }
      end = max(end, tick)
    }

    /// The score.
    mutating func score(
      _ defaults: ScoreReading.Defaults
    ) throws(ScoreReading.Refusal) -> ScoreReading {
      let meters = ordered(self.meters, "time signatures") { $0.description }
      let tempos = ordered(self.tempos, "tempos") { Self.shown($0) }
      var spans = try spans(meters, defaults)
      while spans.count > 1, isTail(spans[spans.count - 1].start.count) {
        end = spans[spans.count - 1].start.count
        spans.removeLast()
      }
      let last = spans[spans.count - 1]
      let length = last.pattern.meter.ticksPerBar
      var bars = max(1, Division.ceiling(end - last.start.count, by: length))
      if bars > 1, isTail(last.start.count + (bars - 1) * length) { bars -= 1 }
      let ending = last.start(ofBar: last.bar + bars)
      guard last.bar + bars - 1 <= ScoreReading.maximumBars else {
        throw .init("it has more than \(ScoreReading.maximumBars) bars")
      }
      let steps = try steps(tempos, spans, until: ending.count, defaults)
      let passages = Self.passages(spans, steps, until: ending, defaults)
      guard
        let score = Score(passages: passages, end: ending)?.mergedWithinPulses()
          .withPickUpAccents(defaults)
      else {
        throw .init("it has no bars")
      }
      return ScoreReading(
        score: score, namesTempo: steps.first?.tick == 0,
        namesMeter: meters.contains { $0.tick == 0 }, warnings: warnings)
    }

    /// Whether hardly anything is left from `tick` on.
    private func isTail(_ tick: Int64) -> Bool {
      end - tick < Self.shortestTail && lastNote < tick
    }

    /// The changes in order, one for each tick.
    ///
    /// Of several in one track the last applies, as in a player. Between tracks the first decides,
    /// as the conductor's track does.
    private mutating func ordered<Value>(
      _ changes: [Change<Value>], _ what: String, _ text: (Value) -> String
    ) -> [Change<Value>] {
      let sorted = changes.enumerated().sorted {
        ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
      }
      var kept: [Change<Value>] = []
      var hasWarned = false
      for (_, change) in sorted {
        guard let last = kept.last, last.tick == change.tick else {
          kept.append(change)
          continue
        }
        if change.track == last.track {
          kept[kept.count - 1] = change
        } else if change.value != last.value, !hasWarned {
          hasWarned = true
          warnings.append(
            "the \(what) of tracks \(last.track) and \(change.track) differ at the same place:"
              + " \(text(last.value)) and \(text(change.value)); the first is taken")
        }
      }
      return kept
    }

    // MARK: - Meters

    /// The meters; one that does not fall on a bar line still begins a bar.
    private mutating func spans(
      _ meters: [Change<Signature>], _ defaults: ScoreReading.Defaults
    ) throws(ScoreReading.Refusal) -> [MeterSpan] {
      var spans: [MeterSpan] = []
      if meters.first?.tick != 0 { spans.append(try Self.span(defaults.meter, 0, nil, defaults)) }
      for change in meters {
        guard let meter = meter(change.value, bar: Self.bar(change.tick, spans)) else {
          if spans.isEmpty { spans.append(try Self.span(defaults.meter, 0, nil, defaults)) }
          continue
        }
        if spans.last?.pattern.meter == meter { continue }
        spans.append(try Self.span(meter, change.tick, spans.last, defaults))
      }
      return spans
    }

    private static func bar(_ tick: Int64, _ spans: [MeterSpan]) -> Int64 {
      spans.last?.position(of: Tick(tick)).bar ?? 1
    }

    private static func span(
      _ meter: Meter, _ tick: Int64, _ last: MeterSpan?, _ defaults: ScoreReading.Defaults
    ) throws(ScoreReading.Refusal) -> MeterSpan {
      let pattern: ClickPattern
      do throws(ClickPattern.Mismatch) { pattern = try defaults.pattern(meter, nil) } catch {
        throw .init("\(error)")
      }
      guard let last else { return MeterSpan(start: Tick(tick), bar: 1, pattern: pattern) }
      let bars = Division.ceiling(tick - last.start.count, by: last.pattern.meter.ticksPerBar)
      return MeterSpan(start: Tick(tick), bar: last.bar + bars, pattern: pattern)
    }

    /// The meter of a time signature; `nil` if it has none.
    ///
    /// One with too many beats becomes several shorter bars, and one in 64ths or shorter notes is
    /// counted in 32nds, if need be with several of its bars in one of ours.
    private mutating func meter(_ written: Signature, bar: Int64) -> Meter? {
      if let meter = try? Meter(text: written.description) { return meter }
      guard written.beats > 0, written.unit > 0 else {
        warn("the time signature at bar \(bar), \(written), is none; it is left out")
        return nil
      }
      var (beats, unit) = (written.beats, written.unit)
      let finest: Int64 = 32
      if unit > finest {
        beats /= Division.commonDivisor(beats, unit / finest)
        unit = finest
      }
      let most = Meter.beatCounts.upperBound
      if beats > most {
        let whole = beats
        beats = (1...most).last { whole % $0 == 0 } ?? 1
      }
      let meter = try? Meter(text: "\(beats)/\(unit)")
      if let meter {
        warn("the time signature at bar \(bar), \(written), is counted in bars of \(meter)")
      }
      return meter
    }

    /// Adds a warning, unless there are already many.
    private mutating func warn(_ text: String) { if warnings.count < 10 { warnings.append(text) } }

    // MARK: - Tempos

    /// The tempo changes, without repeats of the same tempo.
    private mutating func steps(
      _ tempos: [Change<Int64>], _ spans: [MeterSpan], until end: Int64,
      _ defaults: ScoreReading.Defaults
    ) throws(ScoreReading.Refusal) -> [(tick: Int64, pace: Pace)] {
      var steps: [(tick: Int64, pace: Pace)] = []
      var outside = 0
      for change in tempos where change.tick < end {
        let pace = Pace(microseconds: change.value)
        let before = steps.last?.pace ?? (change.tick == 0 ? nil : Pace(defaults.tempo))
        guard pace != before else { continue }
        if !pace.isUsual {
          let index = max(0, spans.partition { change.tick < $0.start.count } - 1)
          let place = spans[index].position(of: Tick(change.tick))
          let said =
            "the tempo at bar \(place.bar), beat \(place.beat), is \(Self.shown(change.value))"
          guard Self.playable.contains(change.value) else {
            throw .init("\(said); the range is \(Tempo.rangeText)")
          }
          outside += 1
          if outside == 1 {
            warnings.append("\(said), outside \(Tempo.rangeText); it is played as written")
          }
        }
        steps.append((change.tick, pace))
      }
      return steps
    }

    private static func shown(_ microseconds: Int64) -> String {
      guard microseconds > 0 else { return "without end" }
      return Thousandths.text((60_000_000_000 + microseconds / 2) / microseconds)
    }

    private static func passages(
      _ spans: [MeterSpan], _ steps: [(tick: Int64, pace: Pace)], until ending: Tick,
      _ defaults: ScoreReading.Defaults
    ) -> [Score.Passage] {
      var passages: [Score.Passage] = []
      var pace = Pace(defaults.tempo)
      var coming = 0
      for (index, span) in spans.enumerated() {
        let next = index + 1 < spans.count ? spans[index + 1].start : ending
        if coming < steps.count, steps[coming].tick <= span.start.count {
          pace = steps[coming].pace
          coming += 1
        }
        passages.append(Score.Passage(span: span, pace: pace))
        while coming < steps.count, steps[coming].tick < next.count {
          pace = steps[coming].pace
          passages.append(Score.Passage(span: span, start: Tick(steps[coming].tick), pace: pace))
          coming += 1
        }
      }
      return passages
    }
  }
}

extension Pace {
  /// Whether it is within the range of typed tempos, or exceeds it as slightly as the rounded tempos
  /// of a file may.
  fileprivate var isUsual: Bool {
    let milliBPM = Double(Resolution.tempoNumerator) * Double(denominator) / Double(numerator)
    return milliBPM > Double(Tempo.range.lowerBound) * 0.999
      && milliBPM < Double(Tempo.range.upperBound) * 1.001
  }
}
