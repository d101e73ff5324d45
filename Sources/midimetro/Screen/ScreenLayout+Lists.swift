internal import MIDIClock
internal import MetronomeCore

// The meters, the destinations and the lateness.

extension ScreenLayout {
  private static let choice = Meter.choice.map(\.description)

  mutating func meters(row: Int) {
    guard state.job == .play || state.job == .follow else { return }
    if let entry = state.entry {
      let prompt = state.entryNamesProfile ? "profile name: " : "> "
      // The end of what is typed stays in sight.
      let room = max(1, width - 3 - prompt.count)
      let end = canvas.put("\(prompt)\(entry.suffix(room))_", x: 1, y: row, .selected)
      let hint = "enter takes it, esc does not"
      if end + hint.count + 2 < width { canvas.put(hint, endingAt: width - 1, y: row, .faint) }
      return
    }
    var column = 1
    for (index, meter) in state.meters.enumerated() {
      let isPresent = meter == state.pattern.meter
      let name = index < Self.choice.count ? Self.choice[index] : meter.description
      let text = isPresent ? "[\(name)]" : " \(name) "
      guard column + text.count < width else { break }
      target(x: column, y: row, width: text.count, height: 1, .chooseMeter(index))
      column = canvas.put(text, x: column, y: row, isPresent ? .selected : .plain)
    }
    var extras: [String] = []
    if state.pattern.subdivision > 1 { extras.append("\(state.pattern.subdivision) clicks") }
    if state.pattern.swing != 50_000 {
      extras.append("swing \(Thousandths.text(state.pattern.swing)) %")
    }
    switch state.policy {
    case .always: break
    case .rolling: extras.append("clock while playing")
    case .off: extras.append("clock off")
    }
    if let volume = state.volume {
      extras.append("\(state.soundSet.map { $0 + " " } ?? "")\(volume) %")
    }
    let text = extras.joined(separator: ", ")
    if column + Canvas.columns(of: text) + 2 < width {
      canvas.put(text, endingAt: width - 1, y: row, .faint)
    }
  }

  mutating func lines(from row: Int, count: Int) {
    let shown = state.shownLines
    for (index, entry) in shown.prefix(count).enumerated() {
      let line = entry.element
      let isChosen = state.chosenLine == entry.offset && shown.count > 1
      var details = line.contents
      if line.offset != .zero {
        let sign = line.offset < .zero ? symbols.minus : "+"
        details += " \(sign)\(Thousandths.text(abs(line.offset.nanoseconds / 1_000))) ms"
      }
      if line.isMuted { details += " muted" }
      if let trouble = line.trouble { details = trouble }
      let hidden = index == count - 1 ? shown.count - count : 0
      if hidden > 0 { details += "  +\(hidden)" }
      let sign = symbols.arrow
      let room = width - 4 - Canvas.columns(of: details) - Canvas.columns(of: sign)
      let name = fit(line.name, max(4, room))
      canvas.put(
        "\(sign) \(name)", x: 1, y: row + index,
        line.trouble != nil ? .warning : isChosen ? .selected : .plain)
      canvas.put(
        details, endingAt: width - 1, y: row + index,
        line.trouble != nil ? .warning : .faint)
    }
  }

  mutating func lateness(row: Int) {
    if answer(row: row) { return }
    if let lateness = state.lateness, lateness.count == 3 {
      let text =
        "own lateness \(Self.tenths(lateness[0])) \(Self.tenths(lateness[1]))"
        + " \(Self.tenths(lateness[2])) \(symbols.mu)s"
      canvas.put(fit(text, width - 2), x: 1, y: row, .faint)
      let legend = "median, p99, most"
      if Canvas.columns(of: text) + legend.count + 4 < width {
        canvas.put(legend, endingAt: width - 1, y: row, .faint)
      }
    }
  }

  static func tenths(_ value: Int64) -> String { "\(value / 10).\(value % 10)" }
}
