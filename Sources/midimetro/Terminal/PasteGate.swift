internal import MIDIClock

/// Filters out pasted text, which the terminal sends between markers, so that it is not taken for
/// keys.
///
/// Pure: time is a parameter. Source of the markers: xterm's bracketed paste, DECSET 2004.
struct PasteGate {
  /// A unit of terminal input.
  enum Piece: Hashable {
    /// The marker after the text.
    case end
    /// A character or key, by its code.
    case code(Int)
  }

  /// A paste arrives all at once: after this long without input, its end marker was lost.
  static let patience = HostTime.Span.seconds(2)
  /// The end marker as single characters, in case it arrives in pieces.
  private static let torn: [Int] = "\u{1B}[201~".unicodeScalars.map { Int($0.value) }

  private var last: HostTime?
  private var matched = 0

  /// Handles the marker before the text.
  mutating func open(at now: HostTime) {
    last = now
    matched = 0
  }

  /// Whether `piece` is part of a paste.
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
