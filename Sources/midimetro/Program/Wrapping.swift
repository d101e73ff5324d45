/// Breaking of text into lines of at most 79 columns.
enum Wrapping {
  static let width = 79

  /// The words of `text` in lines that begin with `indent` blanks; the first with `head`, filled
  /// up with blanks to `indent`, or on a line of its own where it is too long for that.
  static func wrap(_ text: String, indent: Int = 0, head: String = "") -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = head.padded(to: indent)
    if head.count > indent - 2, !head.isEmpty {
      lines.append(head)
      line = margin
    }
    var isFresh = true
    for word in text.split(separator: " ") {
      if !isFresh, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
        isFresh = true
      }
      line += (isFresh ? "" : " ") + word
      isFresh = false
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }
}
