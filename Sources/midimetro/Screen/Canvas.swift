/// What a screen shows: a grid of cells, drawn without a terminal.
///
/// The cell at 0, 0 is the upper left one. What does not fit is cut off, never wrapped, so nothing
/// drawn can spoil anything else.
struct Canvas: Hashable, Sendable {
  /// What a cell means; the terminal decides how that looks.
  enum Role: Hashable, Sendable, CaseIterable {
    case plain, faint, title, strong, medium, weak, lit, selected, warning, good, key
  }

  /// One cell; a character of two columns leaves the one after it empty.
  struct Cell: Hashable, Sendable {
    var text: Character? = " "
    var role = Role.plain
  }

  /// Columns, at least 0.
  let width: Int
  /// Rows, at least 0.
  let height: Int
  private var cells: [Cell]

  /// An empty canvas.
  init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: Cell(), count: self.width * self.height)
  }

  subscript(x: Int, y: Int) -> Cell {
    guard x >= 0, x < width, y >= 0, y < height else { return Cell() }
    return cells[y * width + x]
  }

  /// Writes `text` from `x`, `y` to the right; returns the column after it.
  @discardableResult
  mutating func put(_ text: String, x: Int, y: Int, _ role: Role = .plain) -> Int {
    var column = x
    for character in text {
      let columns = Self.columns(of: character)
      defer { column += columns }
      guard y >= 0, y < height, column >= 0, column + columns <= width, columns > 0 else {
        continue
      }
      cells[y * width + column] = Cell(text: character, role: role)
      if columns == 2 { cells[y * width + column + 1] = Cell(text: nil, role: role) }
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

  /// Fills a rectangle with one character.
  mutating func fill(x: Int, y: Int, width: Int, height: Int, _ text: Character, _ role: Role) {
    for row in y..<max(y, y + height) {
      put(String(repeating: text, count: max(0, width)), x: x, y: row, role)
    }
  }

  /// The rows as text, without trailing blanks.
  var lines: [String] {
    (0..<height).map { row in
      var line = String((0..<width).compactMap { cells[row * width + $0].text })
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// A row in stretches of one role each, with the column where each begins.
  func runs(row: Int) -> [(x: Int, text: String, role: Role)] {
    var runs: [(x: Int, text: String, role: Role)] = []
    for x in 0..<width {
      let cell = cells[row * width + x]
      guard let text = cell.text else { continue }
      if let last = runs.last, last.role == cell.role {
        runs[runs.count - 1].text.append(text)
      } else {
        runs.append((x, String(text), cell.role))
      }
    }
    return runs
  }

  // MARK: - Columns

  /// How many columns `text` takes.
  static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  /// How many columns a character takes: 0 for what cannot be shown, 2 for wide ones.
  ///
  /// Source: the ranges of East Asian Wide and Fullwidth characters and of emoji, Unicode Standard
  /// Annex 11.
  static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator,
      .surrogate, .unassigned:
      return 0
    default: break
    }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// As much of `text` as fits in `columns`; `mark` at the end where some is left out.
  static func fit(_ text: String, _ columns: Int, mark: String) -> String {
    guard self.columns(of: text) > columns else { return text }
    var fitting = ""
    var used = self.columns(of: mark)
    guard used <= columns else { return String(text.prefix(max(0, columns))) }
    for character in text {
      used += self.columns(of: character)
      if used > columns { break }
      fitting.append(character)
    }
    return fitting + mark
  }
}
