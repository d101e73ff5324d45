/// A score as read from a file, and what the file says besides.
public struct ScoreReading: Sendable {
  /// What is played.
  public var score: Score
  /// Whether the file says the tempo and the meter that the song begins with.
  public var namesTempo: Bool
  /// Likewise.
  public var namesMeter: Bool

  /// What a file leaves out.
  public struct Defaults: Sendable {
    /// The tempo at the beginning.
    public var tempo: Tempo
    /// The meter at the beginning.
    public var meter: Meter
    /// Clicks per beat, 1 to 24, throughout.
    public var subdivision: Int64
    /// Thousandths of a percent, 50 000 to 75 000, throughout.
    public var swing: Int64

    /// The given ones; 120 and 4/4, one straight click a beat, by default.
    public init(
      tempo: Tempo = .standard, meter: Meter = .common, subdivision: Int64 = 1,
      swing: Int64 = 50_000
    ) {
      self.tempo = tempo
      self.meter = meter
      self.subdivision = subdivision
      self.swing = swing
    }

    /// The clicks of a bar of `meter`.
    func pattern(_ meter: Meter, _ accents: AccentPattern?) throws(ClickPattern.Mismatch)
      -> ClickPattern
    {
      try ClickPattern(meter: meter, accents: accents, subdivision: subdivision, swing: swing)
    }
  }

  /// Something that is wrong, and where.
  public struct Complaint: Hashable, Sendable {
    /// The line, from 1; `nil` for the file as a whole.
    public var line: Int?
    /// What is wrong with it, and what to write.
    public var message: String
  }

  /// Why a file is no score: everything that is wrong with it, in order.
  public struct Refusal: Error, Sendable {
    /// At least one.
    public var complaints: [Complaint]

    /// One about the file as a whole.
    init(_ message: String) { complaints = [Complaint(line: nil, message: message)] }

    init(_ complaints: [Complaint]) { self.complaints = complaints }
  }

  /// The most bars of a score.
  public static let maximumBars: Int64 = 1_000_000

  init(score: Score, namesTempo: Bool, namesMeter: Bool) {
    self.score = score
    self.namesTempo = namesTempo
    self.namesMeter = namesMeter
  }
}

extension ScoreReading.Complaint: CustomStringConvertible {
  /// `line 7: what is wrong`.
  public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
