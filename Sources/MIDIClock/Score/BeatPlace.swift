/// A place in a bar as an `at` line has it: a beat from 1, and a fraction of it.
struct BeatPlace {
  /// The beat, from 1.
  let whole: Int64
  /// The part of the beat that has passed, below 1.
  private let numerator: Int64
  private let denominator: Int64

  /// The greatest denominator; a quarter note has as many ticks.
  private static let finest = Resolution.ticksPerQuarter

  /// Reads `3`, `3.5` or `3+1/3`; `nil` for anything else.
  init?(_ text: Substring) {
    guard let plus = text.firstIndex(of: "+") else {
      guard let beat = Thousandths.parse(text), beat >= 1_000 else { return nil }
      (whole, numerator, denominator) = (beat / 1_000, beat % 1_000, 1_000)
      return
    }
    let fraction = text[text.index(after: plus)...]
      .split(separator: "/", omittingEmptySubsequences: false)
    guard let beat = Digits.parse(text[..<plus]), beat > 0, fraction.count == 2,
      let top = Digits.parse(fraction[0]), let bottom = Digits.parse(fraction[1]),
      (1...Self.finest).contains(bottom), top < bottom
    else { return nil }
    (whole, numerator, denominator) = (beat, top, bottom)
  }

  /// The ticks since the start of the bar, to the nearest, where a beat has `length`.
  func ticks(ofBeat length: Int64) -> Int64 {
    (whole - 1) * length
      + Division.rounded(Int128(numerator) * Int128(length), by: Int128(denominator))
  }
}
