internal import MIDIClock
internal import MetronomeCore

/// Turns taps into lines of text or JSON.
///
/// Times are those of the stamps, from `origin`.
struct TapReporter {
  let formatter: EventFormatter
  let settings: TapSteering.Settings
  private var taps: Int64 = 0
  private var ignored: Int64 = 0
  private var extra: Int64 = 0
  private var lastTempo: Tempo?

  init(form: OutputForm, origin: HostTime, settings: TapSteering.Settings) {
    formatter = EventFormatter(form: form, origin: origin)
    self.settings = settings
  }

  /// The line for a tap and what became of it.
  mutating func line(
    _ verdict: TapEstimator.Verdict, _ estimator: TapEstimator, at stamp: HostTime
  ) -> String? {
    switch verdict {
    case .bounce:
      extra += 1
      return ignored("bounce", stamp)
    case .outlier:
      extra += 1
      return ignored("outlier", stamp)
    case .tap, .newSeries: break
    }
    taps += 1
    let tempo = estimator.bpm.map { settings.tempo(ofTaps: $0) }
    if let tempo { lastTempo = tempo }
    let spread = estimator.spread.map { Double($0.nanoseconds) / 1e6 }
    let share = tempo.map { Double($0.milliBPM) / 1_000 / (estimator.bpm ?? 1) } ?? 1
    let error = estimator.uncertainty.map { $0 * share }
    var words = "tap \(estimator.count)"
    if let tempo {
      words += "  q=\(settings.step == nil ? Self.tenths(tempo) : tempo.description)"
    }
    if let spread, let error {
      words +=
        "  +-\(JSON.rounded(error, places: 2)), taps within \(JSON.rounded(spread, places: 1)) ms"
    }
    return formatter.event(
      .tap, words, stamp,
      [
        ("taps", .integer(estimator.count)), ("bpm", tempo.map { .tempo($0) } ?? .null),
        ("spread_ms", spread.map { .rounded($0, places: 2) } ?? .null),
        ("uncertainty", error.map { .rounded($0, places: 4) } ?? .null),
        (
          "next_beat",
          estimator.nextBeat.map { .seconds($0 - formatter.origin) } ?? .null
        ),
      ])
  }

  private static func tenths(_ tempo: Tempo) -> String {
    JSON.rounded(Double(tempo.milliBPM) / 1_000, places: 1)
  }

  /// The line for a hit that is no tap; plain lines tell only what was meant as one.
  mutating func ignored(_ reason: JSON.Value, _ stamp: HostTime) -> String? {
    ignored += 1
    let isMeant = reason.text == "\"bounce\"" || reason.text == "\"outlier\""
    guard isMeant || formatter.form == .json else { return nil }
    return formatter.event(
      .ignored, "ignored: \(reason.text.dropFirst().dropLast())", stamp, [("reason", reason)])
  }

  /// The line for a pad that does something.
  func control(_ action: PadControls.Action, at stamp: HostTime) -> String? {
    formatter.event(
      .control, "pad: \(action.rawValue)", stamp, [("action", .string(action.rawValue))])
  }

  /// The line for another port that taps.
  func other(_ name: String, at stamp: HostTime) -> String? {
    formatter.warning(
      "\(name) taps too; it is ignored, give --from for each pad that is to count", stamp)
  }

  /// The line for a hit that cannot be told from a click of ours.
  func ownClick(_ hit: PadHit, at stamp: HostTime) -> String? {
    guard case .note(let key) = hit.kind else { return nil }
    return formatter.warning(
      "note \(key) on channel \(hit.channel + 1) came in, which is what our own clicks are, so it does"
        + " not tap; is it a pad, click on other keys with --notes or on another --channel", stamp)
  }

  /// The line for a source that has gone or come back.
  func line(_ notice: ConnectionNotice, at stamp: HostTime) -> String? {
    formatter.warning(notice.message(about: .pad), stamp)
  }

  /// What was learned of a hit: the pad, and the options that name it.
  func learned(_ hit: PadHit, port: String, name: String, at stamp: HostTime) -> [String] {
    let channel = Int(hit.channel) + 1
    let (what, number, option, short): (String, UInt8, String, String) =
      switch hit.kind {
      case .note(let key): ("note", key, "--tap-note", "note")
      case .controller(let number): ("controller", number, "--tap-cc", "cc")
      }
    let address = name.isEmpty ? "" : Words.shellQuoted(name)
    let tap = "\(option) \(number) --tap-channel \(channel)"
    let control = "--control \(short):\(number)@\(channel)=toggle"
    if formatter.form == .json {
      let line = formatter.event(
        .learned, "", stamp,
        [
          ("port", .string(port)), ("name", .string(name)), (short, .integer(number)),
          ("channel", .integer(channel)), ("strength", .integer(hit.strength)),
          ("tap", .string(tap)), ("control", .string(control)),
        ])
      return line.map { [$0] } ?? []
    }
    let from = address.isEmpty ? "" : " \(address)"
    return [
      "\(name.isEmpty ? "it" : "\"\(name)\"") sends \(what) \(number) on channel \(channel)",
      "to tap on it:        midimetro play --tap-from\(from) \(tap)",
      "to see its tempo:    midimetro tap --from\(from) \(tap)",
      "to play and stop:    midimetro play --tap-from\(from) \(control)",
    ]
  }

  /// The last line.
  func summary() -> String? {
    switch formatter.form {
    case .quiet: return nil
    case .plain, .screen:
      let tempo = lastTempo.map { "; q=\(Self.tenths($0))" } ?? ""
      let more = extra > 0 ? "; \(extra) ignored" : ""
      return "\(Words.count(taps, "tap"))\(tempo)\(more)"
    case .json:
      return JSON.line(
        .summary,
        [
          ("pulses", 0), ("beats", .integer(taps)),
          ("bpm", lastTempo.map { .tempo($0) } ?? .null), ("missing", 0),
          ("extra", .integer(extra)),
          ("taps", .integer(taps)), ("ignored", .integer(ignored)),
        ])
    }
  }
}
