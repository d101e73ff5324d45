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

  /// The line for a report of the engine; `nil` when there is nothing to say.
  mutating func line(_ report: EngineReport) -> String? {
    let time = report.time - formatter.origin
    switch report.kind {
    case .plan(let planned): return line(planned, time)
    case .postpone(let span):
      return formatter.warning(
        "held up for \(seconds(span)) s; going on from where it was, without catching up",
        report.time)
    case .refused, .lateness, .finished: return nil
    }
  }

  private mutating func line(_ report: PlanReport, _ time: HostTime.Span) -> String? {
    switch (formatter.form, report) {
    case (_, .pulse), (.quiet, _), (.screen, _): return nil
    case (.json, .start): return event("start", time)
    case (.json, .continue): return event("continue", time)
    case (.json, .stop): return event("stop", time)
    case (.json, .position(let pointer, let position)):
      return event(
        "position", time,
        [
          ("sixteenths", .integer(pointer.midiBeats)), ("bar", .integer(position.bar)),
          ("beat", .integer(position.beat)),
        ])
    case (.json, .tempo(let tempo)):
      shownTempo = tempo
      return event("tempo", time, [("bpm", .tempo(tempo))])
    case (.json, .beat(let beat)):
      var members: [(String, JSON.Value)] = [
        ("bar", .integer(beat.position.bar)), ("beat", .integer(beat.position.beat)),
        ("accent", .string(beat.accent.name)),
        ("pulse", beat.isCountIn ? .null : .integer(beat.pulse)), ("bpm", .tempo(beat.tempo)),
      ]
      if beat.isCountIn { members.append(("count_in", true)) }
      if let name = name(begunBy: beat) { members.append(("section", .string(name))) }
      return event("beat", time, members)
    case (.plain, .start): return "start"
    case (.plain, .continue): return "continue"
    case (.plain, .stop): return "stop"
    case (.plain, .position(_, let position)):
      return "position: bar \(position.bar), beat \(position.beat)"
    case (.plain, .tempo(let tempo)):
      shownTempo = tempo
      return "tempo: q=\(tempo)"
    case (.plain, .beat(let beat)):
      let mark = beat.accent.mark
      if beat.isCountIn { return "count-in \(beat.position.bar)|\(beat.position.beat)\(mark)" }
      let name = name(begunBy: beat).map { " \($0)" } ?? ""
      return "\(beat.position.bar)|\(beat.position.beat)\(mark)\(name)"
    }
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
        ("type", "summary"), ("pulses", .integer(tally.pulses)), ("beats", .integer(tally.beats)),
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
      return JSON.object(members)
    }
  }

  private func event(
    _ type: String, _ time: HostTime.Span, _ members: [(String, JSON.Value)] = []
  ) -> String {
    JSON.object([("type", .string(type)), ("time", .seconds(time))] + members)
  }

  private func seconds(_ span: HostTime.Span) -> String {
    JSON.decimal(span.nanoseconds / 1_000_000, places: 3)
  }

  private func microseconds(_ span: HostTime.Span) -> String {
    JSON.decimal(span.nanoseconds / 100, places: 1)
  }
}
