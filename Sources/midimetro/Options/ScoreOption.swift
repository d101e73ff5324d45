internal import MIDIClock
internal import MetronomeCore

/// `--score`: the file, read with what the other options say of the song.
enum ScoreOption {
  /// The score that is meant: the file's, or one pattern at `tempo` without end.
  ///
  /// - Throws: `UsageError` for every line that is wrong, or for an option that the score speaks for.
  static func score(
    _ values: inout OptionValues, _ arguments: Arguments, tempo: Tempo,
    _ contents: (String) throws(SystemError) -> [UInt8]?
  ) throws(UsageError) -> Score {
    guard let path = values.scorePath else {
      return Score(pattern: try values.pattern(), tempo: tempo)
    }
    // With one option too many it would be silently passed over.
    if arguments.has(.accents) {
      throw UsageError("--accents: accents are the score's own; write them into \(path)")
    }
    // What does not fit by itself would be told for every section.
    var plain = values
    plain.accents = nil
    _ = try plain.pattern()
    let reading = try read(
      path,
      ScoreReading.Defaults(
        tempo: values.tempo, meter: values.meter, subdivision: values.subdivision,
        swing: values.swing),
      contents)
    if reading.namesMeter, arguments.has(.meter) {
      throw UsageError("--meter: \(path) says the meter it begins with; leave --meter out")
    }
    if reading.namesTempo, arguments.has(.bpm) || !arguments.operands.isEmpty {
      throw UsageError("\(path) says the tempo it begins with; leave the tempo out")
    }
    values.warnings += reading.warnings.map { "\(name(path)): \($0)" }
    return reading.score
  }

  /// `path` in messages.
  static func name(_ path: String) -> String { path == "-" ? "the standard input" : path }

  /// The meters of `score`, which was read from `path`.
  static func meters(of score: Score, _ path: String?) throws(UsageError) -> MeterMap {
    guard let meters = MeterMap(score) else {
      throw UsageError(
        lines: [
          "\(path ?? "the score"): the meter or its accents change more than \(MeterMap.capacity)"
            + " times, which is more than can be followed; leave the last ones out"
        ], .badData)
    }
    return meters
  }

  /// The score at `path`, what it leaves out being `defaults`.
  static func read(
    _ path: String, _ defaults: ScoreReading.Defaults,
    _ contents: (String) throws(SystemError) -> [UInt8]?
  ) throws(UsageError) -> ScoreReading {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try contents(path) } catch {
      throw UsageError(lines: ["\(name(path)) cannot be read: \(error)"], .inputOutput)
    }
    guard let bytes else { throw UsageError(lines: ["there is no score file \(path)"], .noInput) }
    do throws(ScoreReading.Refusal) {
      return try ScoreReading(bytes, defaults: defaults)
    } catch {
      throw UsageError(lines: error.complaints.map { "\(name(path)): \($0)" }, .badData)
    }
  }
}
