internal import CScreen

/// What a screen shows: a grid of cells, drawn without a terminal.
///
/// The cell at 0, 0 is the upper left one. What does not fit is cut off, never wrapped, so nothing
/// drawn can spoil anything else.
struct Canvas: Hashable, Sendable {
  /// What a cell means; the terminal decides how that looks.
  enum Role: UInt8, Hashable, Sendable, CaseIterable {
    case plain, faint, title, strong, medium, weak, lit, selected, warning, good, key
  }

  // A cell is one number, so that rows are drawn and compared quickly: the letter in the lower bits
  // (`noLetter` in the one after a letter of two columns), the role above.
  private static let noLetter: UInt32 = 0x1F_FFFF

  private static func cell(_ letter: UInt32, _ role: Role) -> UInt32 {
    letter | UInt32(role.rawValue) << 24
  }

  private static func letter(_ cell: UInt32) -> Unicode.Scalar? { Unicode.Scalar(cell & 0x1F_FFFF) }

  /// Columns, at least 0.
  let width: Int
  /// Rows, at least 0.
  let height: Int
  private var cells: [UInt32]

  /// An empty canvas.
  init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: Self.cell(0x20, .plain), count: self.width * self.height)
  }

  /// Writes `text` from `x`, `y` to the right; returns the column after it.
  ///
  /// A letter is one scalar: what combines with the one before is left out.
  @discardableResult
  mutating func put(_ text: String, x: Int, y: Int, _ role: Role = .plain) -> Int {
    var column = x
    for letter in text.unicodeScalars {
      let columns = Self.columns(of: letter)
      defer { column += columns }
      guard y >= 0, y < height, column >= 0, column + columns <= width, columns > 0 else {
        continue
      }
      cells[y * width + column] = Self.cell(letter.value, role)
      if columns == 2 { cells[y * width + column + 1] = Self.cell(Self.noLetter, role) }
    }
    return column
  }

  /// Writes `text` so that it ends before column `end`.
  mutating func put(_ text: String, endingAt end: Int, y: Int, _ role: Role = .plain) {
    put(text, x: end - Self.columns(of: text), y: y, role)
  }

  /// Writes `text` in the middle of `width` columns from `x`.
  mutating func put(_ text: String, centredFrom x: Int, width: Int, y: Int, _ role: Role = .plain) {
    put(text, x: x + (width - Self.columns(of: text)) / 2, y: y, role)
  }

  /// Fills a rectangle with one letter of one column.
  mutating func fill(
    x: Int, y: Int, width: Int, height: Int, _ letter: Unicode.Scalar, _ role: Role
  ) {
    for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
      for column in max(0, x)..<max(0, x, min(self.width, x + width)) {
        cells[row * self.width + column] = Self.cell(letter.value, role)
      }
    }
  }

  /// The rows as text, without trailing blanks.
  var lines: [String] {
    (0..<height).map { row in
      var line = ""
      for cell in cells[row * width..<(row + 1) * width] {
        if let letter = Self.letter(cell) { line.unicodeScalars.append(letter) }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The columns of a row that differ from those of `other`, from the first to the last.
  ///
  /// `nil` when none does. `other` is of the same size.
  func changes(row: Int, since other: Canvas) -> Range<Int>? {
    var first = row * width
    var last = first + width - 1
    while first <= last, cells[first] == other.cells[first] { first += 1 }
    guard first <= last else { return nil }
    while cells[last] == other.cells[last] { last -= 1 }
    // Never half of a wide letter, be it the new or the old one.
    while first > row * width,
      Self.letter(cells[first]) == nil || Self.letter(other.cells[first]) == nil
    {
      first -= 1
    }
    return first - row * width..<last - row * width + 1
  }

  /// Columns of a row in stretches of one role each, with the column where each begins.
  ///
  /// With `isASCII` a question mark stands in each column of a letter that is not: a terminal whose
  /// locale has no such letters would show some other number of columns.
  func runs(
    row: Int, in columns: Range<Int>, isASCII: Bool = false
  ) -> [(x: Int, text: String, role: Role)] {
    var runs: [(x: Int, text: String, role: Role)] = []
    var x = columns.lowerBound
    while x < columns.upperBound {
      let role = cells[row * width + x] >> 24
      let start = x
      var bytes: [UInt8] = []
      while x < columns.upperBound, cells[row * width + x] >> 24 == role {
        let letter = Self.letter(cells[row * width + x])
        if isASCII {
          bytes.append(letter.flatMap { $0.isASCII ? UInt8($0.value) : nil } ?? UInt8(ascii: "?"))
        } else if let letter, let code = UTF8.encode(letter) {
          bytes.append(contentsOf: code)
        }
        x += 1
      }
      runs.append(
        (
          start, String(decoding: bytes, as: UTF8.self),
          Role(rawValue: UInt8(truncatingIfNeeded: role)) ?? .plain
        ))
    }
    return runs
  }

  // MARK: - Columns

  /// How many columns `text` takes.
  static func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// How many columns a letter takes: 0 for what cannot be shown by itself, 2 for wide ones.
  ///
  /// Source: `wcwidth(3)`, which curses asks too, so that both count the same; in a UTF-8 locale
  /// of its own, whatever the user's is.
  static func columns(of letter: Unicode.Scalar) -> Int {
    // Most of what is drawn.
    if (0x20..<0x7F).contains(letter.value) { return 1 }
    return Int(midimetro_columns(letter.value))
  }

  /// As much of `text` as fits in `columns`; `mark` at the end where some is left out.
  static func fit(_ text: String, _ columns: Int, mark: String) -> String {
    guard self.columns(of: text) > columns else { return text }
    var fitting = ""
    var used = self.columns(of: mark)
    guard used <= columns else { return String(text.prefix(max(0, columns))) }
    for letter in text.unicodeScalars {
      used += self.columns(of: letter)
      if used > columns { break }
      fitting.unicodeScalars.append(letter)
    }
    return fitting + mark
  }
}
