internal import MIDIClock
internal import MetronomeCore

extension OptionSpec {
  /// What is played.
  static let music: [OptionSpec] = [
    OptionSpec(
      .bpm, letter: "b", takes: "TEMPO", verbs: [.play, .bench, .render],
      help: "120, 120.5, q=120, 1/8=100 (eighths), 3/8=80 (dotted quarters);"
        + " without a unit quarter notes per minute, RANGE (default 120)",
      OptionStore(range: Thousandths.text(Tempo.range)) { values, option throws(UsageError) in
        values.tempo = try Values.tempo(option.value, option.place)
      },
      kept: { "\($0.tempo)" }),
    OptionSpec(
      .meter, letter: "m", takes: "METER", verbs: [.play, .follow, .render],
      help: "4/4, 7/8=2+2+3, 2+2+3/8: 1 to 32 beats over 1, 2, 4, 8, 16 or 32 (default 4/4)",
      OptionStore { values, option throws(UsageError) in
        do throws(Meter.TextError) { values.meter = try Meter(text: option.value) } catch {
          throw UsageError("\(option.place): \(error)")
        }
      },
      kept: { "\($0.meter)" }),
    OptionSpec(
      .accents, letter: "a", takes: "PATTERN", verbs: [.play, .follow, .render],
      help: "one letter per beat or per click: X strong, m medium, x weak, . silent"
        + " (default: from the meter)",
      OptionStore { values, option throws(UsageError) in
        guard let pattern = AccentPattern(text: option.value) else {
          throw UsageError(
            "\(option.place): '\(option.value)' is not an accent pattern: write one letter a click,"
              + " X strong, m medium, x weak, . silent, at most \(AccentPattern.capacity)")
        }
        values.accents = pattern
      },
      kept: { $0.accents?.text }),
    OptionSpec(
      "subdivide", takes: "N", verbs: [.play, .follow, .render],
      help: "N clicks per beat, RANGE, the extra ones weak (default 1)",
      .whole(ClickPattern.subdivisions) { $0.subdivision = $1 },
      kept: { "\($0.subdivision)" }),
    OptionSpec(
      .swing, takes: "PERCENT", verbs: [.play, .follow, .render],
      help: "where the second of two subdivisions falls, 50 (straight, the default) to 75;"
        + " never moves the clock",
      .decimal(ClickPattern.swings, "percent") { $0.swing = $1 },
      kept: { Thousandths.text($0.swing) }),
    OptionSpec(
      "score", takes: "FILE", verbs: [.play, .follow, .render], offer: .files,
      help:
        "meters and tempos bar by bar: a score file (see midimetro help check) or a MIDI file, - for the"
        + " standard input; what is left"
        + " out at its beginning is --meter's and --bpm's",
      .name("file") { $0.scorePath = $1 }),
  ]
}
