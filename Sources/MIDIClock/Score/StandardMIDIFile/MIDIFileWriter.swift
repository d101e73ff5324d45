/// Writes a song's tempo map, meters and clicks as a Standard MIDI File.
///
/// Format 1: a track of tempos and meters, and a track of clicks. The file has 960 ticks per
/// quarter note, our own grid, so every tick of ours is one of the file's.
///
/// A file's tempo is a whole number of microseconds per quarter, which most tempos are not. Simply
/// rounded, 400 BPM would be off by 12 ms after an hour. So whenever the error reaches 20 us, the
/// tempo switches to the next microsecond above or below, and back again later. Source: Standard
/// MIDI Files 1.0 (MMA, 1996).
public enum MIDIFileWriter {
  /// Ticks per quarter note.
  public static let division = Int(Resolution.ticksPerQuarter)

  /// The maximum time error of a tick in the file, in nanoseconds.
  static let tolerance = 20_000.0

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
    bytes += track(conductor(places, until: end), end: end)
    bytes += track(notes(clicks, places, channel), end: end)
    return bytes
  }

  // MARK: - Events

  private struct Event {
    var tick: Int64
    /// The order among events on one tick.
    var rank: Int
    var bytes: [UInt8]
  }

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
      lead =
        countInBars
        * score.passages[score.index(at: start)].span.pattern.meter.ticksPerBar
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

    /// When a tick of the file is due, in nanoseconds from pulse 0.
    func time(_ tick: Int64) -> Double {
      let place = Tick(tick - lead + start.count)
      let time =
        place < start ? countIn.time(of: ExactTick(place)) : map.time(of: place) - shift
      return Double(time.nanoseconds)
    }
  }

  private static func conductor(_ places: Places, until end: Int64) -> [Event] {
    var events = [Event(tick: 0, rank: 0, bytes: text(3, "midimetro"))]
    var stops: Set<Int64> = [end]
    let first = places.score.index(at: places.start)
    for (index, passage) in places.score.passages.enumerated() where index >= first {
      let tick =
        index == first ? 0 : passage.start.count - places.start.count + places.lead
      guard tick <= end else { break }
      if index == first || passage.start == passage.span.start {
        events.append(Event(tick: tick, rank: 1, bytes: signature(passage.span.pattern.meter)))
      }
      stops.insert(tick)
    }
    for segment in places.map.segments {
      stops.insert(min(end, max(0, segment.tick.count - places.start.count + places.lead)))
    }
    return events + tempos(places, stops.sorted(), until: end)
  }

  /// The tempo events: for each sixteenth, the whole microseconds that keep the file's time within
  /// `tolerance` of the exact time.
  private static func tempos(_ places: Places, _ stops: [Int64], until end: Int64) -> [Event] {
    var events: [Event] = []
    var tick: Int64 = 0
    var written = places.time(0)
    var tempo: Int64 = 0
    var coming = stops[...]
    while tick < end {
      while let stop = coming.first, stop <= tick { coming.removeFirst() }
      let next = min(tick + Int64(division) / 4, coming.first ?? end)
      let due = places.time(next)
      let quarters = Double(next - tick) / Double(division)
      let exact = (due - places.time(tick)) / quarters / 1_000
      let below = Int64(exact)
      var chosen = tempo
      let error = written + Double(tempo) * 1_000 * quarters - due
      if tempo != below, tempo != below + 1 {
        chosen = Int64((due - written) / quarters / 1_000 + 0.5)
      } else if error > tolerance {
        chosen = below
      } else if error < -tolerance {
        chosen = below + 1
      }
      if chosen != tempo {
        tempo = chosen
        let value = StandardMIDIFile.number(Int(tempo), bytes: 3)
        events.append(Event(tick: tick, rank: 2, bytes: [0xFF, 0x51, 3] + value))
      }
      written += Double(tempo) * 1_000 * quarters
      tick = next
    }
    return events
  }

  private static func notes(_ clicks: ClickList, _ places: Places, _ channel: UInt8) -> [Event] {
    var events = [Event(tick: 0, rank: 0, bytes: text(3, "click"))]
    for click in clicks.clicks {
      let tick = places.tick(at: click.time)
      let end = max(tick + 1, places.tick(at: click.end))
      events.append(
        Event(tick: tick, rank: 3, bytes: [0x90 | channel, click.key, click.velocity]))
      events.append(Event(tick: end, rank: 2, bytes: [0x80 | channel, click.key, 64]))
    }
    return events
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

  private static func track(_ events: [Event], end: Int64) -> [UInt8] {
    let ordered = events.enumerated().sorted {
      ($0.element.tick, $0.element.rank, $0.offset) < ($1.element.tick, $1.element.rank, $1.offset)
    }
    var bytes: [UInt8] = []
    var last: Int64 = 0
    for (_, event) in ordered {
      bytes += StandardMIDIFile.variable(event.tick - last) + event.bytes
      last = event.tick
    }
    bytes += StandardMIDIFile.variable(max(0, end - last)) + [0xFF, 0x2F, 0]
    return Array("MTrk".utf8) + StandardMIDIFile.number(bytes.count, bytes: 4) + bytes
  }

  private static func text(_ kind: UInt8, _ text: String) -> [UInt8] {
    [0xFF, kind, UInt8(text.utf8.count)] + Array(text.utf8)
  }
}
