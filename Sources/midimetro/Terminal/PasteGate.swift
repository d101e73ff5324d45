internal import MIDIClock

/// Keeps pasted text, which the terminal puts between marks, from being taken for keys.
///
/// Pure: time is a parameter. Source of the marks: xterm's bracketed paste, DECSET 2004.
struct PasteGate {
  /// A piece of what the terminal sends.
  enum Piece: Hashable {
    /// The mark after the text.
    case end
    /// A character or a key, by its number.
    case code(Int)
  }

  /// A paste comes at one go: one that has said nothing for this long lost its end on the way.
  static let patience = HostTime.Span.seconds(2)
  /// The mark letter by letter, as it comes when it is torn.
  private static let torn: [Int] = "\u{1B}[201~".unicodeScalars.map { Int($0.value) }

  private var last: HostTime?
  private var matched = 0

  /// The mark before the text has come.
  mutating func open(at now: HostTime) {
    last = now
    matched = 0
  }

  /// Whether `piece` belongs to a paste.
  mutating func swallows(_ piece: Piece, at now: HostTime) -> Bool {
    guard let last, now - last < Self.patience else {
      self.last = nil
      return false
    }
    self.last = now
    switch piece {
    case .end: self.last = nil
    case .code(let code):
      matched = code == Self.torn[matched] ? matched + 1 : code == Self.torn[0] ? 1 : 0
      if matched == Self.torn.count { self.last = nil }
    }
    return true
  }
}
