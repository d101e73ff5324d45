internal import MIDIClock
internal import MetronomeCore

/// Turns what a follower says into lines of text or JSON.
///
/// Times are those of the stamps, from `origin`.
struct FollowReporter: EventReporter {
  let formatter: EventFormatter
  /// Whose bars are counted, and its parts.
  let score: Score
  /// The tempo as last shown, and when; what is shown again after the clock was lost is news.
  private var shownBPM: Double?
  private var shownAt = HostTime(nanoseconds: Int64.min / 2)
  /// The newest tempo at all.
  private var lastBPM: Double?
  private var isLost = false

  init(form: OutputForm, origin: HostTime, score: Score) {
    formatter = EventFormatter(form: form, origin: origin)
    self.score = score
  }

  /// The first line of JSON.
  static func opening(
    _ meter: Meter, client: UInt8, destinations: [String], origin: HostTime
  ) -> String {
    JSON.line(
      .following,
      [
        ("meter", .string(meter.description)),
        ("client", .integer(client)),
        ("destinations", .list(destinations.map { .string($0) })),
        ("origin_ns", .integer(origin.nanoseconds)),
      ])
  }

  mutating func line(_ event: SessionEvent, at time: HostTime) -> String? {
    switch event {
    case .follower(let report): line(report)
    case .otherSource(let name): other(name, at: time)
    case .followed(let tally): summary(tally)
    default: commonLine(event, at: time)
    }
  }

  /// The line for a report; `nil` when there is nothing to say.
  mutating func line(_ report: FollowerReport) -> String? {
    switch report {
    case .tempo(let reading): return line(reading)
    case .beat(let beat): return line(beat)
    case .found(let stamp):
      guard isLost else { return nil }
      isLost = false
      return formatter.event(.clockFound, "clock found", stamp)
    case .lost(let stamp):
      isLost = true
      shownBPM = nil
      shownAt = HostTime(nanoseconds: Int64.min / 2)
      return formatter.event(.clockLost, "clock lost", stamp)
    case .withoutStart(let stamp):
      return remark(
        "clock without Start: there is a tempo, but no place until Start, Continue or Song Position",
        stamp)
    case .start(let stamp): return formatter.event(.start, "start", stamp)
    case .continue(let stamp, _): return formatter.event(.continue, "continue", stamp)
    case .stop(let stamp, _): return formatter.event(.stop, "stop", stamp)
    case .position(let stamp, let pointer):
      let position = score.span(at: pointer.tick).position(of: pointer.tick)
      return formatter.position(pointer, position, stamp)
    case .repaired(let stamp, let pulses):
      return formatter.warning(
        "\(Self.lost(pulses)) on the way: the count is corrected by \(pulses)", stamp)
    case .suspected(let stamp, let pulses):
      return formatter.warning(
        "probably \(Self.lost(pulses)) on the way, so the place may be wrong by as many;"
          + " --repair corrects it", stamp)
    case .ignored(let stamp, let what):
      // Some leaders flood these; for people they are no news.
      guard formatter.form == .json else { return nil }
      let message =
        switch what {
        case .continue: "continue"
        case .stop: "stop"
        case .position: "position"
        }
      return formatter.event(
        .ignored, "", stamp, [("reason", "filtered"), ("message", .string(message))])
    }
  }

  private static func lost(_ pulses: Int64) -> String {
    let count = pulses.magnitude
    let what = pulses > 0 ? "lost" : "doubled"
    return "\(Words.count(count, "pulse")) \(count == 1 ? "was" : "were") \(what)"
  }

  /// The tempo when what is shown of it changes: two decimals in JSON, at most ten a second; for
  /// people one decimal, which does not flip between two neighbours, once a second.
  private mutating func line(_ reading: FollowerReport.TempoReading) -> String? {
    guard reading.bpm.isFinite else { return nil }
    lastBPM = reading.bpm
    let isJSON = formatter.form == .json
    let pause = HostTime.Span.milliseconds(isJSON ? 100 : 1_000)
    guard !(shownAt < reading.stamp && reading.stamp < shownAt + pause) else { return nil }
    let shown = (reading.bpm * (isJSON ? 100 : 10)).rounded() / (isJSON ? 100 : 10)
    if let shownBPM, shownBPM == shown || !isJSON && (reading.bpm - shownBPM).magnitude < 0.07 {
      return nil
    }
    shownBPM = shown
    shownAt = reading.stamp
    return formatter.event(
      .tempo, "tempo: q=\(JSON.rounded(shown, places: 1))", reading.stamp,
      [
        ("bpm", .rounded(shown, places: 2)),
        ("raw_bpm", reading.rawBPM.map { .rounded($0, places: 2) } ?? .null),
        ("uncertainty", .rounded(reading.uncertainty, places: 4)),
        ("jitter_us", .microseconds(reading.jitter)),
      ])
  }

  private func line(_ beat: FollowerReport.Beat) -> String? {
    // Unknown again after a loss; before the first tempo there is nothing to be missed.
    let unknown = lastBPM == nil ? "" : "  q=-"
    let tempo = beat.bpm.map { "  q=\(JSON.rounded($0, places: 1))" } ?? unknown
    let name = score.name(ofPartBegunAt: Tick(pulse: beat.pulse))
    let named = name.map { "  \($0)" } ?? ""
    return formatter.event(
      .beatBegins, "\(beat.position.bar)|\(beat.position.beat)\(beat.accent.mark)\(tempo)\(named)",
      beat.stamp,
      [
        ("bar", .integer(beat.position.bar)), ("beat", .integer(beat.position.beat)),
        ("accent", .string(beat.accent.name)), ("pulse", .integer(beat.pulse)),
        ("bpm", beat.bpm.map { .rounded($0, places: 3) } ?? .null),
        ("filtered_time", .seconds(beat.time - formatter.origin)),
      ] + (name.map { [("section", .string($0))] } ?? []))
  }

  /// The line for another port that clocks.
  func other(_ name: String, at stamp: HostTime) -> String? {
    formatter.warning(
      "\(name) sends a clock too; it is ignored, give --from to follow it instead", stamp)
  }

  /// A warning in JSON, an ordinary line for people.
  private func remark(_ message: String, _ stamp: HostTime) -> String? {
    switch formatter.form {
    case .json: formatter.warning(message, stamp)
    case .plain: message
    case .quiet, .screen: nil
    }
  }

  /// The last line.
  func summary(_ tally: FollowTally) -> String? {
    switch formatter.form {
    case .quiet: return nil
    case .plain, .screen:
      let tempo = lastBPM.map { "; q=\(JSON.rounded($0, places: 2))" } ?? ""
      let lost = tally.missing > 0 ? "; \(Words.count(tally.missing, "pulse")) missing" : ""
      let extra = tally.extra > 0 ? "; \(Words.count(tally.extra, "pulse")) too many" : ""
      return Words.count(tally.pulses, "pulse") + ", " + Words.count(tally.beats, "beat")
        + "\(tempo)\(lost)\(extra)"
    case .json:
      return JSON.line(
        .summary,
        [
          ("pulses", .integer(tally.pulses)), ("beats", .integer(tally.beats)),
          ("bpm", lastBPM.map { .rounded($0, places: 3) } ?? .null),
          ("missing", .integer(tally.missing)), ("extra", .integer(tally.extra)),
        ])
    }
  }
}
