/// Numbers that can be read from two metres: digits of five rows.
enum BigDigits {
  /// Rows of a digit.
  static let height = 5

  // Each digit is 5 x 5; the point is narrower.
  private static let shapes: [Character: [String]] = [
    "0": ["#####", "#   #", "#   #", "#   #", "#####"],
    "1": ["  ## ", "   # ", "   # ", "   # ", "  ###"],
    "2": ["#####", "    #", "#####", "#    ", "#####"],
    "3": ["#####", "    #", " ####", "    #", "#####"],
    "4": ["#   #", "#   #", "#####", "    #", "    #"],
    "5": ["#####", "#    ", "#####", "    #", "#####"],
    "6": ["#####", "#    ", "#####", "#   #", "#####"],
    "7": ["#####", "    #", "   # ", "  #  ", "  #  "],
    "8": ["#####", "#   #", "#####", "#   #", "#####"],
    "9": ["#####", "#   #", "#####", "    #", "#####"],
    ".": ["  ", "  ", "  ", "  ", "##"],
    "-": ["     ", "     ", "#####", "     ", "     "],
  ]

  /// Columns that `text` takes.
  static func width(of text: String) -> Int {
    max(0, text.reduce(0) { $0 + (shapes[$1]?[0].count ?? 0) + 2 } - 2)
  }

  /// Draws `text`, of digits, points and dashes, with `full` for what is set.
  static func draw(
    _ text: String, on canvas: inout Canvas, x: Int, y: Int, _ full: Unicode.Scalar,
    _ role: Canvas.Role
  ) {
    var column = x
    for character in text {
      guard let shape = shapes[character] else { continue }
      for (row, pattern) in shape.enumerated() {
        for (offset, mark) in pattern.utf8.enumerated() where mark == UInt8(ascii: "#") {
          canvas.fill(x: column + offset, y: y + row, width: 1, height: 1, full, role)
        }
      }
      column += shape[0].utf8.count + 2
    }
  }
}
