internal import MIDIClock
internal import MetronomeCore

/// `midimetro check`: what a score file says, passage by passage.
enum Check {
  /// Prints what the score at `path` says.
  static func run(
    _ path: String, _ contents: (String) throws(SystemError) -> [UInt8]?
  ) throws(Failure) -> ExitStatus {
    let reading = try Failure.onUsage { () throws(UsageError) in
      try ScoreOption.read(path, ScoreReading.Defaults(), contents)
    }
    try StandardOutput.print(text(path, reading))
    return .done
  }

  /// The lines: how long it is, then a row for each passage.
  static func text(_ path: String, _ reading: ScoreReading) -> String {
    let score = reading.score
    let map = score.tempoMap()
    var rows = [["bar", "at", "meter", "tempo", "name"]]
    for passage in score.passages {
      let place = passage.span.position(of: passage.start)
      let isBarLine = place.beat == 1 && place.tick == 0
      rows.append([
        isBarLine ? "\(place.bar)" : "\(place.bar):\(beat(place, passage.span.pattern.meter))",
        time(map.time(of: passage.start) - .zero),
        passage.span.pattern.meter.description,
        passage.ramp.map { "q=\(passage.pace.tempo)-\($0.target.tempo)" }
          ?? "q=\(passage.pace.tempo)",
        score.name(ofPartBegunAt: passage.start) ?? "",
      ])
    }
    return summary(path, score, map) + "\n" + table(rows)
  }

  private static func summary(_ path: String, _ score: Score, _ map: TempoMap) -> String {
    guard let end = score.end else { return "\(path): plays until stopped" }
    let bars = score.passages[score.passages.count - 1].span.position(of: end).bar - 1
    return "\(path): \(Words.count(bars, "bar")), \(time(map.time(of: end) - .zero))"
  }

  /// The beat as an `at` line has it.
  private static func beat(_ place: Position, _ meter: Meter) -> String {
    Thousandths.text(
      place.beat * 1_000 + (place.tick * 1_000 + meter.ticksPerBeat / 2) / meter.ticksPerBeat)
  }

  /// `1:02.500`, to the nearest millisecond.
  private static func time(_ span: HostTime.Span) -> String {
    let milliseconds = (span.nanoseconds + 500_000) / 1_000_000
    let seconds = Thousandths.text(milliseconds % 60_000)
    let parts = seconds.split(separator: ".")
    let whole = parts[0].count < 2 ? "0" + parts[0] : String(parts[0])
    let decimals = parts.count > 1 ? String(parts[1]) : ""
    return "\(milliseconds / 60_000):\(whole)."
      + decimals + String(repeating: "0", count: 3 - decimals.count)
  }

  private static func table(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = zip(row, widths).map { text, width in
        text + String(repeating: " ", count: width - text.count)
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
