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
    for warning in reading.warnings {
      StandardOutput.complain("\(ScoreOption.name(path)): \(warning)")
    }
    try StandardOutput.print(text(ScoreOption.name(path), reading))
    return .done
  }

  /// The lines: how long it is, then a row for each passage.
  static func text(_ path: String, _ reading: ScoreReading) -> String {
    let score = reading.score
    let map = score.tempoMap()
    func row(_ passage: Score.Passage) -> [String] {
      let place = passage.span.position(of: passage.start)
      let isBarLine = place.beat == 1 && place.tick == 0
      return [
        isBarLine ? "\(place.bar)" : "\(place.bar):\(beat(place, passage.span.pattern.meter))",
        time(map.time(of: passage.start) - .zero),
        passage.span.pattern.meter.description,
        "q=\(passage.pace.text)" + (passage.ramp.map { "-\($0.target.text)" } ?? ""),
        score.name(ofPartBegunAt: passage.start) ?? "",
      ]
    }
    // Rows are made twice, for their widths first, as a long score has too many to keep.
    let heading = ["bar", "at", "meter", "tempo", "name"]
    var widths = heading.map(\.count)
    for passage in score.passages {
      for (column, text) in row(passage).enumerated() {
        widths[column] = max(widths[column], text.count)
      }
    }
    var lines = summary(path, score, map) + "\n" + line(heading, widths)
    for passage in score.passages { lines += line(row(passage), widths) }
    return lines
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

  private static func line(_ row: [String], _ widths: [Int]) -> String {
    var line = zip(row, widths).map { text, width in
      text + String(repeating: " ", count: width - text.count)
    }.joined(separator: "  ")
    while line.utf8.last == 0x20 { line.removeLast() }
    return line + "\n"
  }
}

extension Pace {
  /// The tempo to the nearest thousandth; that of a MIDI file may be outside the range of `Tempo`.
  fileprivate var text: String {
    guard tempo.milliBPM <= Tempo.range.lowerBound || tempo.milliBPM >= Tempo.range.upperBound
    else {
      return tempo.description
    }
    let milliBPM = 60e12 * Double(denominator) / Double(numerator)
    return Thousandths.text(Int64(milliBPM.rounded()))
  }
}
