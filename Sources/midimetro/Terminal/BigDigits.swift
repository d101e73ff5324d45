/// Large digits, readable from two metres: five rows high, or a multiple of that.
enum BigDigits {
  /// Rows per digit.
  static let height = 5

  // Each digit is 5 x 5; the point is narrower.
  private static let drawn: [Character: [String]] = [
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

  /// The filled cells and the width of each character, indexed by ASCII code.
  private static let shapes: [(dots: [(x: Int, y: Int)], width: Int)] = (0..<128).map { code in
    guard let rows = drawn[Character(Unicode.Scalar(UInt8(code)))] else { return ([], 0) }
    let dots = rows.enumerated().flatMap { y, row in
      row.utf8.enumerated().filter { $1 == UInt8(ascii: "#") }.map { x, _ in (x: x, y: y) }
    }
    return (dots, rows[0].utf8.count)
  }

  /// The width of `text` in columns.
  static func width(of text: String) -> Int {
    max(0, text.utf8.reduce(0) { $0 + shapes[Int($1 & 127)].width + 2 } - 2)
  }

  /// Draws `text`, made of digits, points and dashes, with `full` for each filled cell.
  ///
  /// Each cell is `wide` columns by `tall` rows.
  static func draw(
    _ text: String, on canvas: inout Canvas, x: Int, y: Int, wide: Int = 1, tall: Int = 1,
    _ full: Unicode.Scalar, _ role: Canvas.Role
  ) {
    var column = x
    for code in text.utf8 {
      let shape = shapes[Int(code & 127)]
      for dot in shape.dots {
        canvas.fill(
          x: column + dot.x * wide, y: y + dot.y * tall, width: wide, height: tall, full, role)
      }
      column += (shape.width + 2) * wide
    }
  }
}
