/// The characters used to draw a screen: Unicode, or ASCII if the locale supports nothing else.
struct Symbols: Hashable, Sendable {
  /// A filled cell, also of big digits.
  let full: Unicode.Scalar
  /// A beat that is not lit.
  let shade: Unicode.Scalar
  /// A silent beat.
  let silent: Unicode.Scalar
  /// The track and the knob of a slider.
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
  /// Marks truncated text.
  let more: String

  static let unicode = Symbols(
    full: "█", shade: "░", silent: "·", line: "─", knob: "●", play: "▶", stop: "■", pause: "❚❚",
    minus: "−", arrow: "→", dots: "·", plusMinus: "±", mu: "µ", note: "♩", more: "…")
  static let ascii = Symbols(
    full: "#", shade: ":", silent: ".", line: "-", knob: "O", play: ">", stop: "[]", pause: "||",
    minus: "-", arrow: "->", dots: "-", plusMinus: "+-", mu: "u", note: "q", more: "~")
}
