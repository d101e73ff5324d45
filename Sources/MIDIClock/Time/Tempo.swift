/// A tempo as typed and displayed: quarter notes per minute, in thousandths.
///
/// The plan uses `Pace`, which represents a typed tempo exactly; the tempo of a pace is the nearest
/// thousandth. MIDI clock always counts quarters: 24 pulses each, whatever the meter's unit.
public struct Tempo: Hashable, Comparable, Sendable {
  /// Thousandths of a quarter note per minute, 10 000 to 400 000.
  public let milliBPM: Int64

  /// The slowest and the fastest tempo, in thousandths: 10 to 400 quarters per minute.
  public static let range: ClosedRange<Int64> = 10_000...400_000

  /// The range in words, for messages.
  public static let rangeText = "\(Thousandths.text(range)) quarter notes per minute"

  /// 120 quarters per minute, the default everywhere in MIDI.
  public static let standard = Tempo(unchecked: 120_000)

  /// A tempo of `milliBPM` thousandths of a quarter per minute; `nil` outside `range`.
  public init?(milliBPM: Int64) {
    guard Self.range.contains(milliBPM) else { return nil }
    self.milliBPM = milliBPM
  }

  private init(unchecked milliBPM: Int64) { self.milliBPM = milliBPM }

  /// The tempo nearest to `milliBPM`, clamped to the range.
  @_noLocks
  public init(clamping milliBPM: Int64) {
    self.milliBPM = milliBPM < 10_000 ? 10_000 : milliBPM > 400_000 ? 400_000 : milliBPM
  }

  /// True if `left` is slower.
  public static func < (left: Tempo, right: Tempo) -> Bool { left.milliBPM < right.milliBPM }

  /// The pulse period, rounded down to whole nanoseconds; for bounds, never for the grid.
  public var pulsePeriod: HostTime.Span {
    @_noLocks get {
      HostTime.Span(
        nanoseconds: Resolution.tempoNumerator / (Resolution.pulsesPerQuarter &* milliBPM))
    }
  }
}

extension Tempo: CustomStringConvertible {
  /// The tempo as usually written: `120`, `133.7`, `97.125`; with a decimal point in every locale.
  public var description: String { Thousandths.text(milliBPM) }
}

// MARK: - Text

extension Tempo {
  /// Why a text is not a tempo.
  public enum TextError: Error, Hashable, Sendable {
    /// Not of the form `120`, `120.5`, `q=120`, `1/8=100` or `3/8=80`.
    case malformed(String)
    /// A note value that meters do not have, such as `1/7=100`.
    case unknownUnit(String)
    /// Finer than a thousandth of a quarter note per minute.
    case tooFine(String, nearest: Tempo?)
    /// A number outside the range.
    case outOfRange(String)
  }

  /// Reads a tempo: `120`, `120.5`, `q=120` (quarters), `1/8=100` (eighths), `3/8=80` (dotted
  /// quarters).
  ///
  /// Without a unit the number counts quarter notes, whatever the meter. The decimal sign is a
  /// point in every locale.
  public init(text: some StringProtocol) throws(TextError) {
    let whole = String(text)
    var number = Substring(whole)
    var numerator: Int64 = 1
    var denominator: Int64 = 4
    if let equals = number.firstIndex(of: "=") {
      let unit = number[..<equals]
      number = number[number.index(after: equals)...]
      if unit != "q" {
        guard let value = NoteValue(text: unit) else { throw .unknownUnit(whole) }
        (numerator, denominator) = (value.numerator, value.denominator)
      }
    }
    guard let parsed = Thousandths.parse(number) else {
      throw Self.refusal(of: number, in: whole)
    }
    // A quarter is 1/4, so n/d notes per minute are 4n/d times as many quarters.
    let (scaled, remainder) = (parsed * 4 * numerator).quotientAndRemainder(dividingBy: denominator)
    guard Self.range.contains(scaled) else { throw .outOfRange(whole) }
    guard remainder == 0 else {
      let nearest = remainder * 2 < denominator ? scaled : scaled + 1
      throw .tooFine(whole, nearest: Tempo(clamping: nearest))
    }
    self.init(unchecked: scaled)
  }

  /// The error for `number`, which does not parse as thousandths: malformed, out of range or too
  /// fine.
  private static func refusal(of number: Substring, in whole: String) -> TextError {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2,
      parts.allSatisfy({ part in
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      })
    else { return .malformed(whole) }
    return Thousandths.parse(parts[0]) == nil
      ? .outOfRange(whole) : .tooFine(whole, nearest: nil)
  }
}

extension Tempo.TextError: CustomStringConvertible {
  /// A one-line message: what is wrong, and what to write instead.
  public var description: String {
    let forms = "write 120, 120.5, q=120, 1/8=100 or 3/8=80; the range is \(Tempo.rangeText)"
    switch self {
    case .malformed(let text): return "'\(text)' is not a tempo: \(forms)"
    case .unknownUnit(let text):
      return "'\(text)' names no note value that a tempo can count: \(forms)"
    case .tooFine(let text, let nearest):
      let hint = nearest.map { "; the nearest is q=\($0)" } ?? "; use three decimals at most"
      return "'\(text)' is finer than 0.001 quarter notes per minute\(hint)"
    case .outOfRange(let text): return "'\(text)' is out of range: \(Tempo.rangeText)"
    }
  }
}
