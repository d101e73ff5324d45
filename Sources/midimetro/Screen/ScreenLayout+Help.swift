internal import MIDIClock
internal import MetronomeCore

// The page of the keys.

extension ScreenLayout {
  mutating func help(_ page: Int) {
    let (columns, rows) = helpRoom
    let pages = helpPages
    canvas.put(pages > 1 ? "keys \(page + 1)/\(pages)" : "keys", x: 1, y: 0, .title)
    canvas.put(page + 1 < pages ? "? goes on" : "? goes back", endingAt: width - 1, y: 0, .faint)
    let entries = KeyBinding.help.dropFirst(page * columns * rows).prefix(columns * rows)
    let perColumn = pages > 1 ? rows : max(1, (entries.count + columns - 1) / columns)
    for (index, entry) in entries.enumerated() {
      let x = 1 + index / perColumn * (Self.helpWidth + 2)
      let row = 1 + index % perColumn
      canvas.put(entry.keys, x: x, y: row, .key)
      let text = x + Self.helpKeys + 2
      canvas.put(fit(entry.text, width - text), x: text, y: row)
    }
    canvas.put(
      fit("a click on a spot, the switch or the slider works too", width - 2), x: 1, y: height - 1,
      .faint)
    target(x: 0, y: 0, width: width, height: height, .help)
  }

  private static let helpKeys = KeyBinding.help.map { Canvas.columns(of: $0.keys) }.max() ?? 0
  private static let helpWidth =
    helpKeys + 2 + (KeyBinding.help.map { Canvas.columns(of: $0.text) }.max() ?? 0)

  /// Columns and rows of help on one page.
  private var helpRoom: (columns: Int, rows: Int) {
    (max(1, min((width + 1) / (Self.helpWidth + 2), 3)), max(1, height - 2))
  }

  /// How many pages the help takes.
  var helpPages: Int {
    let (columns, rows) = helpRoom
    return (KeyBinding.help.count + columns * rows - 1) / (columns * rows)
  }
}
