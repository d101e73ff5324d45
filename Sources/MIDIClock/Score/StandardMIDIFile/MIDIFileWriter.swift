/// Writes a song's tempo map, meters and clicks as a Standard MIDI File.
///
/// Format 1: a track of tempos and meters, and a track of clicks. The file has 960 ticks per
/// quarter note, our own grid, so every tick of ours is one of the file's.
///
/// A file's tempo is a whole number of microseconds per quarter, which most tempos are not, and it
/// is constant up to the next one. So each tempo of the file is the one that stays within the
/// tolerance for longest; then another takes over. Source: Standard MIDI Files 1.0 (MMA, 1996).
public enum MIDIFileWriter {
  /// Ticks per quarter note.
  public static let division = Int(Resolution.ticksPerQuarter)

  /// The maximum time error of a beat in the file, in nanoseconds.
  static let tolerance = 20_000.0

  /// The same for the pulses of a ramp between beats.
  static let rampTolerance = 90_000.0

  /// Writes the whole file.
  ///
  /// - Parameters:
  ///   - score: Tempos and meters.
  ///   - startBar: The bar that begins with pulse 0, from 1.
  ///   - countInBars: The number of bars before it.
  ///   - clicks: The clicks; time 0 is pulse 0.
  ///   - channel: The MIDI channel, 0 to 15.
  /// - Returns: The bytes of the file.
  public static func bytes(
    score: Score, startBar: Int64, countInBars: Int64, clicks: ClickList, channel: UInt8
  ) -> [UInt8] {
    let places = Places(score: score, startBar: startBar, countInBars: countInBars)
    let end = places.tick(at: clicks.end)
    var bytes = Array("MThd".utf8) + StandardMIDIFile.number(6, bytes: 4)
    bytes += [1, 2, division].flatMap { StandardMIDIFile.number($0, bytes: 2) }
    conductor(places, until: end).finish(at: end, in: &bytes)
    notes(clicks, places, channel).finish(at: end, in: &bytes)
    return bytes
  }

  // MARK: - Events

  /// Converts between instants and ticks of the file.
  private struct Places {
    let score: Score
    let map: TempoMap
    /// The tick of pulse 0.
    let start: Tick
    /// The time of `start` on the map.
    let shift: HostTime.Span
    /// The length of the count-in in ticks.
    let lead: Int64
    let countInPace: Pace

    init(score: Score, startBar: Int64, countInBars: Int64) {
      self.score = score
      map = score.tempoMap()
      start = score.start(ofBar: startBar)
      shift = map.time(of: start) - .zero
      lead = score.countInTicks(countInBars, before: start)
      countInPace = map.segment(at: start).pace(at: start)
    }

    /// The count-in has the tempo of the bar it leads to.
    private var countIn: TempoMap.Segment {
      TempoMap.Segment(tick: start, time: .zero, pace: countInPace)
    }

    /// The nearest tick of the file; 0 is where the count-in begins.
    func tick(at time: HostTime) -> Int64 {
      if time < .zero {
        let after = countIn.firstTick(notBefore: time)
        return nearest(after, time) { countIn.time(of: ExactTick($0)) }
      }
      let after = Tick(map.tick(at: time + shift).count + 1)
      return nearest(after, time) { map.time(of: $0) - shift }
    }

    private func nearest(_ after: Tick, _ time: HostTime, _ due: (Tick) -> HostTime) -> Int64 {
      let before = Tick(after.count - 1)
      let isAfter = due(after) - time < time - due(before)
      return (isAfter ? after : before).count - start.count + lead
    }

    /// The tick of the file at which a segment begins.
    func tick(of segment: TempoMap.Segment) -> Int64 {
      max(0, segment.tick.count - start.count + lead)
    }

    /// Whether the tempo changes gradually from a tick of the file on.
    func isRamp(_ tick: Int64) -> Bool {
      let place = Tick(tick - lead + start.count)
      return place >= start && map.segment(at: place).ramp != nil
    }

    /// Whether a beat begins at a tick of the file.
    func isBeat(_ tick: Int64) -> Bool {
      let place = Tick(tick - lead + start.count)
      return score.span(at: place).position(of: place).tick == 0
    }

    /// When a tick of the file is due, in nanoseconds from pulse 0.
    func time(_ tick: Int64) -> Double {
      let place = Tick(tick - lead + start.count)
      let time =
        place < start ? countIn.time(of: ExactTick(place)) : map.time(of: place) - shift
      return Double(time.nanoseconds)
    }
  }

  private static func conductor(_ places: Places, until end: Int64) -> Track {
    var track = Track()
    track.add(text(3, "midimetro"), at: 0)
    let tempos = tempos(places, until: end)
    var coming = 0
    let passages = places.score.passages
    let first = places.score.index(at: places.start)
    for index in first..<passages.count {
      let passage = passages[index]
      let tick = index == first ? 0 : passage.start.count - places.start.count + places.lead
      guard tick <= end else { break }
      guard index == first || passage.start == passage.span.start else { continue }
      while coming < tempos.count, tempos[coming].tick < tick {
        track.add(event(tempos[coming].tempo), at: tempos[coming].tick)
        coming += 1
      }
      // A pick-up that is counted in ends a bar of the bars after it.
      let isCountedIn = index == first && places.lead > 0 && places.start == .zero
      let span = isCountedIn ? places.score.pickUp ?? passage.span : passage.span
      track.add(signature(span.pattern.meter), at: tick)
    }
    for tempo in tempos[coming...] { track.add(event(tempo.tempo), at: tempo.tick) }
    return track
  }

  private static func event(_ tempo: Int64) -> [UInt8] {
    [0xFF, 0x51, 3] + StandardMIDIFile.number(Int(tempo), bytes: 3)
  }

  /// The tempo events: whole microseconds that keep the file's time within the tolerance at every
  /// pulse.
  ///
  /// At each point the tempos that keep it within the tolerance are a range. The ranges of the points
  /// passed are intersected until none is left; a new tempo then begins at the last point that had
  /// one. Takes linear time.
  private static func tempos(
    _ places: Places, until end: Int64
  ) -> [(tick: Int64, tempo: Int64)] {
    var events: [(tick: Int64, tempo: Int64)] = []
    var tempo: Int64 = 0
    var written = places.time(0)
    let segments = places.map.segments
    for index in 0...segments.count {
      // From one tempo of the song to the next; the first goes on before its beginning.
      let tick = index == 0 ? 0 : places.tick(of: segments[index - 1])
      let stop = index < segments.count ? min(end, places.tick(of: segments[index])) : end
      guard tick < stop else { continue }
      let isRamp = places.isRamp(tick)
      var from = tick
      while from < stop {
        let piece = piece(places, from, stop, isRamp, written, tempo)
        if piece.tempo != tempo {
          tempo = piece.tempo
          events.append((from, tempo))
        }
        written += Double(tempo) * 1_000 * Double(piece.end - from) / Double(division)
        from = piece.end
      }
    }
    return events
  }

  /// The tempo that begins at tick `from`, and where it ends.
  private static func piece(
    _ places: Places, _ from: Int64, _ stop: Int64, _ isRamp: Bool, _ written: Double,
    _ present: Int64
  ) -> (tempo: Int64, end: Int64) {
    // At a constant tempo the error grows evenly, so a look at every quarter is enough.
    let step = isRamp ? Resolution.ticksPerPulse : Int64(division)
    let start = places.time(from)
    var (lowest, highest): (Int64, Int64) = (1, 0xFF_FFFF)
    var best: (tempo: Int64, end: Int64)?
    var tick = from
    while tick < stop {
      tick = min(stop, (tick / step + 1) * step)
      let due = places.time(tick)
      let unit = 1_000 * Double(tick - from) / Double(division)
      let isBeat = !isRamp || tick == stop || places.isBeat(tick)
      let slack = isBeat ? tolerance : rampTolerance
      let low = max(lowest, Int64(((due - written - slack) / unit).rounded(.up)))
      let high = min(highest, Int64(((due - written + slack) / unit).rounded(.down)))
      if low > high {
        if let best { return best }
        return (min(max(Int64(((due - written) / unit).rounded()), 1), 0xFF_FFFF), tick)
      }
      (lowest, highest) = (low, high)
      // The present tempo if it will do, or else the nearest to the exact one.
      let exact = Int64(((due - start) / unit).rounded())
      let chosen = (low...high).contains(present) ? present : min(max(exact, low), high)
      best = (chosen, tick)
    }
    return best ?? (max(1, present), stop)
  }

  private static func notes(_ clicks: ClickList, _ places: Places, _ channel: UInt8) -> Track {
    var track = Track()
    track.add(text(3, "click"), at: 0)
    // The notes that sound, the first to end at the end.
    var sounding: [(tick: Int64, key: UInt8)] = []
    for click in clicks.clicks {
      let tick = places.tick(at: click.time)
      while let note = sounding.last, note.tick <= tick {
        track.add([0x80 | channel, note.key, 64], at: note.tick)
        sounding.removeLast()
      }
      track.add([0x90 | channel, click.key, click.velocity], at: tick)
      let end = max(tick + 1, places.tick(at: click.end))
      let place = sounding.lastIndex { $0.tick > end }.map { $0 + 1 } ?? 0
      sounding.insert((end, click.key), at: place)
    }
    for note in sounding.reversed() { track.add([0x80 | channel, note.key, 64], at: note.tick) }
    return track
  }

  /// A time signature: beats per bar, the unit as a power of two, pulses per felt beat, and eight
  /// 32nds per quarter.
  private static func signature(_ meter: Meter) -> [UInt8] {
    let grouping = meter.grouping
    let isEven = grouping.count > 1 && grouping.allSatisfy { $0 == grouping[0] }
    let felt = isEven ? grouping[0] : 1
    let pulses = felt * meter.ticksPerBeat / Resolution.ticksPerPulse
    return [
      0xFF, 0x58, 4, UInt8(meter.beats), UInt8(meter.unit.trailingZeroBitCount),
      UInt8(max(1, min(255, pulses))), 8,
    ]
  }

  // MARK: - Bytes

  /// The bytes of a track, to which events are added in their order.
  private struct Track {
    private var bytes: [UInt8] = []
    private var last: Int64 = 0

    mutating func add(_ event: [UInt8], at tick: Int64) {
      bytes += StandardMIDIFile.variable(max(0, tick - last))
      bytes += event
      last = max(last, tick)
    }

    /// Adds the chunk to `file`, with the end of the track at `end`.
    consuming func finish(at end: Int64, in file: inout [UInt8]) {
      add([0xFF, 0x2F, 0], at: end)
      file += Array("MTrk".utf8) + StandardMIDIFile.number(bytes.count, bytes: 4)
      file += bytes
    }
  }

  private static func text(_ kind: UInt8, _ text: String) -> [UInt8] {
    [0xFF, kind, UInt8(text.utf8.count)] + Array(text.utf8)
  }
}
