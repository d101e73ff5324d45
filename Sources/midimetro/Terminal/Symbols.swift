/// The characters a screen is drawn with: Unicode's, or ASCII where the locale has no more.
struct Symbols: Hashable, Sendable {
  /// Fills what is lit, big digits included.
  let full: Unicode.Scalar
  /// Fills a spot that waits.
  let shade: Unicode.Scalar
  /// A silent beat.
  let silent: Unicode.Scalar
  /// The slider's line and its knob.
  let line: Unicode.Scalar
  let knob: Unicode.Scalar
  let play: String
  let stop: String
  let pause: String
  let minus: String
  let arrow: String
  let dots: String
  let plusMinus: String
  let mu: String
  let note: String
  /// Says that there is more than is shown.
  let more: String

  static let unicode = Symbols(
    full: "█", shade: "░", silent: "·", line: "─", knob: "●", play: "▶", stop: "■", pause: "❚❚",
    minus: "−", arrow: "→", dots: "·", plusMinus: "±", mu: "µ", note: "♩", more: "…")
  static let ascii = Symbols(
    full: "#", shade: ":", silent: ".", line: "-", knob: "O", play: ">", stop: "[]", pause: "||",
    minus: "-", arrow: "->", dots: "-", plusMinus: "+-", mu: "u", note: "q", more: "~")
}
