/// A score read from a file, and what else the file specifies.
public struct ScoreReading: Sendable {
  /// The song.
  public var score: Score
  /// Whether the file gives the tempo that the song begins with.
  public var namesTempo: Bool
  /// Whether the file gives the meter that the song begins with.
  public var namesMeter: Bool
  /// What is unusual about the file; it can be played all the same.
  public var warnings: [String]

  /// Values for what a file leaves out.
  public struct Defaults: Sendable {
    /// The tempo at the start.
    public var tempo: Tempo
    /// The meter at the start.
    public var meter: Meter
    /// Clicks per beat, 1 to 24, throughout.
    public var subdivision: Int64
    /// Swing in thousandths of a percent, 50 000 to 75 000, throughout.
    public var swing: Int64

    /// Creates defaults; without arguments, 120 in 4/4 with one straight click per beat.
    public init(
      tempo: Tempo = .standard, meter: Meter = .common, subdivision: Int64 = 1,
      swing: Int64 = 50_000
    ) {
      self.tempo = tempo
      self.meter = meter
      self.subdivision = subdivision
      self.swing = swing
    }

    /// The click pattern for a bar of `meter`.
    func pattern(_ meter: Meter, _ accents: AccentPattern?) throws(ClickPattern.Mismatch)
      -> ClickPattern
    {
      try ClickPattern(meter: meter, accents: accents, subdivision: subdivision, swing: swing)
    }
  }

  /// An error in a file, and its line.
  public struct Complaint: Hashable, Sendable {
    /// The line, from 1; `nil` for the file as a whole.
    public var line: Int?
    /// What is wrong, and what to write instead.
    public var message: String
  }

  /// All errors in a file, in order.
  public struct Refusal: Error, Sendable {
    /// The errors, at least one.
    public var complaints: [Complaint]

    /// A refusal with one error about the whole file.
    init(_ message: String) { complaints = [Complaint(line: nil, message: message)] }

    init(_ complaints: [Complaint]) { self.complaints = complaints }
  }

  /// The maximum number of bars in a score.
  public static let maximumBars: Int64 = 1_000_000

  init(score: Score, namesTempo: Bool, namesMeter: Bool, warnings: [String] = []) {
    self.warnings = warnings
    self.score = score
    self.namesTempo = namesTempo
    self.namesMeter = namesMeter
  }
}

extension ScoreReading.Complaint: CustomStringConvertible {
  /// For example `line 7: what is wrong`.
  public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
