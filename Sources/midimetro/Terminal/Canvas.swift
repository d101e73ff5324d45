internal import CScreen

/// The content of a screen: a grid of cells, drawn without a terminal.
///
/// The cell at 0, 0 is the top left one. Text outside the canvas is clipped, never wrapped.
struct Canvas: Hashable, Sendable {
  /// The meaning of a cell; the terminal decides on the style.
  enum Role: UInt8, Hashable, Sendable, CaseIterable {
    case plain, faint, title, strong, medium, weak, lit, selected, warning, good, key
  }

  // A cell is a single number, so that rows are drawn and compared quickly: the character in the
  // lower bits (`noLetter` in the cell after a wide character), the role above.
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

  /// Creates a blank canvas.
  init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: Self.cell(0x20, .plain), count: self.width * self.height)
  }

  /// Writes `text` from `x`, `y` to the right; returns the column after it.
  ///
  /// Each character is one scalar; combining characters are left out.
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

  /// Writes `text` right-aligned, ending before column `end`.
  mutating func put(_ text: String, endingAt end: Int, y: Int, _ role: Role = .plain) {
    put(text, x: end - Self.columns(of: text), y: y, role)
  }

  /// Writes `text` centred in `width` columns from `x`.
  mutating func put(_ text: String, centredFrom x: Int, width: Int, y: Int, _ role: Role = .plain) {
    put(text, x: x + (width - Self.columns(of: text)) / 2, y: y, role)
  }

  /// Fills a rectangle with one character of width 1.
  mutating func fill(
    x: Int, y: Int, width: Int, height: Int, _ letter: Unicode.Scalar, _ role: Role
  ) {
    for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
      for column in max(0, x)..<max(0, x, min(self.width, x + width)) {
        cells[row * self.width + column] = Self.cell(letter.value, role)
      }
    }
  }

  /// The rows as text, without trailing spaces.
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

  /// The range of columns that contains all differences from `other` in a row.
  ///
  /// `nil` if there are none. `other` must have the same size.
  func changes(row: Int, since other: Canvas) -> Range<Int>? {
    var first = row * width
    var last = first + width - 1
    while first <= last, cells[first] == other.cells[first] { first += 1 }
    guard first <= last else { return nil }
    while cells[last] == other.cells[last] { last -= 1 }
    // Never split a wide character, whether new or old.
    while first > row * width,
      Self.letter(cells[first]) == nil || Self.letter(other.cells[first]) == nil
    {
      first -= 1
    }
    return first - row * width..<last - row * width + 1
  }

  /// The given columns of a row as runs of one role each, with their start columns.
  ///
  /// With `isASCII`, every column of a non-ASCII character becomes a question mark: a terminal with
  /// such a locale would give the character another width.
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

  /// The width of `text` in columns.
  static func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// The width of a character in columns: 0 if it is combining or not printable, 2 if it is wide.
  ///
  /// Source: `wcwidth(3)`, which curses uses too, so that both agree; always in a UTF-8 locale,
  /// whatever the user's.
  static func columns(of letter: Unicode.Scalar) -> Int {
    // The common case.
    if (0x20..<0x7F).contains(letter.value) { return 1 }
    return Int(midimetro_columns(letter.value))
  }

  /// Truncates `text` to `columns`, ending with `mark` if anything is cut off.
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
