internal import MIDIClock
internal import MetronomeCore

// The page of the keys.

extension ScreenLayout {
  mutating func help(_ page: Int) {
    let (columns, rows) = helpRoom
    let pages = helpPages
    let (helpKeys, helpWidth) = (helpKeys, helpWidth)
    canvas.put(pages > 1 ? "keys \(page + 1)/\(pages)" : "keys", x: 1, y: 0, .title)
    canvas.put(page + 1 < pages ? "? goes on" : "? goes back", endingAt: width - 1, y: 0, .faint)
    let entries = helpEntries.dropFirst(page * columns * rows).prefix(columns * rows)
    let perColumn = pages > 1 ? rows : max(1, (entries.count + columns - 1) / columns)
    for (index, entry) in entries.enumerated() {
      let x = 1 + index / perColumn * (helpWidth + 2)
      let row = 1 + index % perColumn
      canvas.put(entry.name, x: x, y: row, .key)
      let text = x + helpKeys + 2
      canvas.put(fit(entry.text, width - text), x: text, y: row)
    }
    if state.job == .play {
      canvas.put(
        fit("a click on a spot, the switch or the slider works too", width - 2), x: 1,
        y: height - 1, .faint)
    }
    target(x: 0, y: 0, width: width, height: height, .help)
  }

  /// The keys that do something here.
  private var helpEntries: [KeyBinding] {
    KeyBinding.help(in: state.job).filter {
      $0.intent != .ports || state.job == .play || state.generalLine != nil
    }
  }

  private var helpKeys: Int { helpEntries.map { Canvas.columns(of: $0.name) }.max() ?? 0 }
  private var helpWidth: Int {
    helpKeys + 2 + (helpEntries.map { Canvas.columns(of: $0.text) }.max() ?? 0)
  }

  /// Columns and rows of help on one page.
  private var helpRoom: (columns: Int, rows: Int) {
    (max(1, min((width + 1) / (helpWidth + 2), 3)), max(1, height - 2))
  }

  /// How many pages the help takes.
  var helpPages: Int {
    let (columns, rows) = helpRoom
    return (helpEntries.count + columns * rows - 1) / (columns * rows)
  }
}
