internal import MIDIClock
internal import MetronomeCore

/// Turns what the engine and the connections report into lines of text or JSON.
struct PlayReporter {
  private let formatter: EventFormatter
  /// The names of the score's parts.
  let parts: [String]
  private var shownTempo: Tempo

  init(
    form: OutputForm, origin: HostTime, tempo: Tempo, parts: [String] = []
  ) {
    formatter = EventFormatter(form: form, origin: origin)
    self.parts = parts
    shownTempo = tempo
  }

  /// The first line of JSON.
  static func opening(
    _ tempo: Tempo, _ meter: Meter, _ dispatch: DispatchSelection, client: UInt8?,
    destinations: [String], sources: [String], origin: HostTime
  ) -> String {
    JSON.line(
      .playing,
      [
        ("bpm", .tempo(tempo)), ("meter", .string(meter.description)),
        ("dispatch", .string(dispatch.mode.rawValue)), ("reason", .string(dispatch.reason.words)),
        ("client", client.map { .integer($0) } ?? .null),
        ("destinations", .list(destinations.map { .string($0) })),
        ("sources", .list(sources.map { .string($0) })),
        ("origin_ns", .integer(origin.nanoseconds)),
      ])
  }

  /// The line for a report of the engine; `nil` when there is nothing to say.
  mutating func line(_ report: EngineReport) -> String? {
    switch report.kind {
    case .plan(let planned): return line(planned, report.time)
    case .postpone(let span):
      return formatter.warning(
        "held up for \(seconds(span)) s; going on from where it was, without catching up",
        report.time)
    case .refused, .lateness, .finished: return nil
    }
  }

  private mutating func line(_ report: PlanReport, _ stamp: HostTime) -> String? {
    switch report {
    case .pulse: return nil
    case .start: return formatter.event(.start, "start", stamp)
    case .continue: return formatter.event(.continue, "continue", stamp)
    case .stop: return formatter.event(.stop, "stop", stamp)
    case .position(let pointer, let position):
      return formatter.event(
        .position, "position: bar \(position.bar), beat \(position.beat)", stamp,
        [
          ("sixteenths", .integer(pointer.midiBeats)), ("bar", .integer(position.bar)),
          ("beat", .integer(position.beat)),
        ])
    case .tempo(let tempo):
      shownTempo = tempo
      return formatter.event(.tempo, "tempo: q=\(tempo)", stamp, [("bpm", .tempo(tempo))])
    case .beat(let beat): return line(beat, stamp)
    }
  }

  private func line(_ beat: PlanReport.Beat, _ stamp: HostTime) -> String? {
    let place = "\(beat.position.bar)|\(beat.position.beat)\(beat.accent.mark)"
    let name = name(begunBy: beat)
    var members: [(String, JSON.Value)] = [
      ("bar", .integer(beat.position.bar)), ("beat", .integer(beat.position.beat)),
      ("accent", .string(beat.accent.name)),
      ("pulse", beat.isCountIn ? .null : .integer(beat.pulse)), ("bpm", .tempo(beat.tempo)),
    ]
    if beat.isCountIn { members.append(("count_in", true)) }
    if let name { members.append(("section", .string(name))) }
    let words = beat.isCountIn ? "count-in \(place)" : place + (name.map { " \($0)" } ?? "")
    return formatter.event(.beatBegins, words, stamp, members)
  }

  /// The name of the part that begins with `beat`.
  private func name(begunBy beat: PlanReport.Beat) -> String? {
    beat.begunPart.map { parts[$0.index] }
  }

  /// The line for a change of a destination.
  func line(_ notice: ConnectionNotice, at time: HostTime) -> String? {
    formatter.warning(notice.message(about: .destination), time)
  }

  /// The last line.
  func summary(_ tally: EngineTally, _ dispatch: DispatchSelection) -> String? {
    let median = tally.lateness.quantile(0.5)
    let high = tally.lateness.quantile(0.99)
    let most = tally.lateness.maximum
    switch formatter.form {
    case .quiet: return nil
    case .plain, .screen:
      var line = Words.count(tally.pulses, "pulse") + ", " + Words.count(tally.beats, "beat")
      if let median, let high {
        line +=
          "; own lateness: median \(microseconds(median)) us, p99 \(microseconds(high)) us,"
          + " max \(microseconds(most)) us"
      }
      return line
    case .json:
      var members: [(String, JSON.Value)] = [
        ("pulses", .integer(tally.pulses)), ("beats", .integer(tally.beats)),
        ("bpm", .tempo(shownTempo)), ("missing", 0), ("extra", 0),
        ("dispatch", .string(dispatch.mode.rawValue)), ("put_off", .integer(tally.postponements)),
        ("refused", .integer(tally.refused)),
      ]
      if let median, let high {
        members.append(
          (
            "lateness_us",
            .object([
              ("median", .microseconds(median)), ("p99", .microseconds(high)),
              ("max", .microseconds(most)),
            ])
          ))
      }
      return JSON.line(.summary, members)
    }
  }

  private func seconds(_ span: HostTime.Span) -> String {
    JSON.decimal(span.nanoseconds / 1_000_000, places: 3)
  }

  private func microseconds(_ span: HostTime.Span) -> String {
    JSON.decimal(span.nanoseconds / 100, places: 1)
  }
}
