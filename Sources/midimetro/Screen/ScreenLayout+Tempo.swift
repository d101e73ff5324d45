internal import MIDIClock
internal import MetronomeCore

// The number, its buttons and the slider.

extension ScreenLayout {
  /// How many columns a dot of the large number `value` may have, with its buttons and what stands
  /// beside it; numbers of usual length are of one size, so that none jumps at a tenth.
  func columnsADot(of value: String) -> Int {
    let usual = max(BigDigits.width(of: value), BigDigits.width(of: "000.0"))
    return max(1, (width - 32) / usual)
  }

  var tempoText: String { state.tempo.map(\.description) ?? "-" }

  mutating func tempo(row: Int, height: Int) {
    let value = shownTempo
    var after: [(String, Canvas.Role)] = []
    if let tempo = state.tempo { after.append((tempo.italianName, .title)) }
    switch state.job {
    case .play: after.append(("\(symbols.note)=\(tempoText)", .faint))
    case .follow, .monitor, .tap:
      if let raw = state.rawBPM { after.append(("raw \(Self.decimal(raw))", .faint)) }
      if let doubt = state.uncertainty {
        after.append(("\(symbols.plusMinus)\(Self.decimal(doubt))", .faint))
      }
      if let taps = state.taps { after.append(("\(taps) taps", .faint)) }
      if let spread = state.spread {
        after.append(("\(symbols.plusMinus)\(Self.decimal(spread)) ms", .faint))
      }
      if let quality = state.quality { after.append((quality, .faint)) }
    }
    let tall = max(1, height / BigDigits.height)
    // Cells are twice as high as wide.
    let wide = tall == 1 ? 1 : min(columnsADot(of: value), 2 * tall)
    let room = BigDigits.width(of: value) * wide
    let beside = after.map { Canvas.columns(of: $0.0) }.max() ?? 0
    guard height >= BigDigits.height, room + 2 <= width else {
      var column = canvas.put(
        value, x: max(1, (width - Canvas.columns(of: value) - beside - 2) / 2), y: row, .lit)
      let end = width - 1 - (hasButtons ? Self.button : 0)
      for (text, role) in after.prefix(2) where column + 2 + Canvas.columns(of: text) <= end {
        column = canvas.put(text, x: column + 2, y: row, role)
      }
      buttons(row: row)
      return
    }
    let total = room + (beside > 0 && room + beside + 5 <= width ? beside + 3 : 0)
    let x = max(1, (width - total) / 2)
    BigDigits.draw(value, on: &canvas, x: x, y: row, wide: wide, tall: tall, symbols.full, .lit)
    if total > room {
      for (index, entry) in after.prefix(height).enumerated() {
        canvas.put(entry.0, x: x + room + 3, y: row + index, entry.1)
      }
    }
    // A long number leaves them no room; keys and slider do the same.
    if x >= Self.button, x + total <= width - Self.button { buttons(row: row + height / 2) }
  }

  /// Columns of minus and plus, with those around them.
  private static let button = 7

  private var hasButtons: Bool { state.job == .play && width >= 40 }

  /// Minus and plus at either end.
  mutating func buttons(row: Int) {
    guard hasButtons else { return }
    canvas.put("[ \(symbols.minus) ]", x: 1, y: row, .key)
    target(x: 0, y: row - 1, width: Self.button, height: 3, .action(.tempoStep(-1_000)))
    canvas.put("[ + ]", endingAt: width - 1, y: row, .key)
    target(
      x: width - Self.button, y: row - 1, width: Self.button, height: 3, .action(.tempoStep(1_000)))
  }

  /// Where a tempo lies on the slider, 0 to 1, and back: the old metronome's 40 to 240.
  static let slider = (least: Int64(40_000), most: Int64(240_000))

  mutating func slider(row: Int) {
    guard state.job == .play else { return }
    let low = String(Self.slider.least / 1_000)
    let high = String(Self.slider.most / 1_000)
    let start = canvas.put(low, x: 1, y: row, .faint) + 1
    let end = width - 2 - high.count
    canvas.put(high, endingAt: width - 1, y: row, .faint)
    let length = end - start
    guard length > 2, let tempo = state.tempo else { return }
    canvas.fill(x: start, y: row, width: length, height: 1, symbols.line, .faint)
    let clamped = min(max(tempo.milliBPM, Self.slider.least), Self.slider.most)
    let place = Int(
      (clamped - Self.slider.least) * Int64(length - 1) / (Self.slider.most - Self.slider.least))
    canvas.put(String(symbols.knob), x: start + place, y: row, .lit)
    target(x: start, y: row, width: length, height: 1, .slide(0))
  }

  /// The tempo as it is set, or to a tenth as it is measured.
  var shownTempo: String {
    guard state.job != .play else { return tempoText }
    guard let tempo = state.tempo else { return "-" }
    let tenths = (tempo.milliBPM + 50) / 100
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Two places, rounded.
  static func decimal(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e9 else { return "-" }
    let hundredths = Int64((value.magnitude * 100).rounded())
    let places = hundredths % 100
    return "\(value < 0 ? "-" : "")\(hundredths / 100).\(places < 10 ? "0" : "")\(places)"
  }
}
