internal import MIDIClock
internal import MetronomeCore

/// Draws a state: which part of the screen shows what, and what a click on it means.
///
/// From the top: the state of the song, the beat spots, the tempo, the meters, the destinations, and
/// the keys. The spots and the number take what room there is; when it is scarce the lists go first,
/// then the slider, and on one row one line remains.
struct ScreenLayout {
  /// A rectangle and what pressing it asks for.
  struct Target: Hashable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let intent: Intent

    func contains(x: Int, y: Int) -> Bool {
      x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
    }
  }

  private(set) var canvas: Canvas
  private(set) var targets: [Target] = []
  private let state: ScreenState
  private let symbols: Symbols
  private let width: Int
  private let height: Int

  /// Draws `state` on a screen of that size.
  init(_ state: ScreenState, width: Int, height: Int, symbols: Symbols) {
    self.state = state
    self.symbols = symbols
    self.width = max(0, width)
    self.height = max(0, height)
    canvas = Canvas(width: width, height: height)
    guard self.width > 0, self.height > 0 else { return }
    if let page = state.helpPage, height > 2 {
      help(page)
    } else if let list = state.portList {
      ports(list)
    } else if height < 8 || width < 24 {
      short()
    } else {
      full()
    }
  }

  /// What a press on a cell asks for.
  func intent(x: Int, y: Int) -> Intent? {
    guard let target = targets.last(where: { $0.contains(x: x, y: y) }) else { return nil }
    if case .slide = target.intent {
      return .slide(Int64(1_000 * (x - target.x) / max(1, target.width - 1)))
    }
    return target.intent
  }

  // MARK: - Whole screens

  private mutating func full() {
    status(row: 0)
    let parts = rows()
    var row = 1
    if parts.gap { row += 1 }
    if parts.spots > 0 { spots(row: row, height: parts.spots) }
    row += parts.spots
    if parts.numbers {
      numbers(row: row, spots: parts.spots)
      row += 1
    }
    if parts.gap { row += 1 }
    tempo(row: row, height: parts.tempo)
    row += parts.tempo
    if parts.slider {
      slider(row: row)
      row += 1
    }
    if parts.gap { row += 1 }
    let metersRow = row
    if parts.meters {
      meters(row: row)
      row += 1
    }
    for line in state.histogram.prefix(max(0, height - 2 - row)) {
      canvas.put(fit(line, width - 2), x: 1, y: row)
      row += 1
    }
    lines(from: row, count: parts.lines)
    row += parts.lines
    if parts.lateness {
      lateness(row: row)
      row += 1
    } else if state.entry == nil || metersRow < height - 2 {
      // In the row above the keys for a moment, whatever else is there but what is being typed.
      if state.notice != nil || !state.warnings.isEmpty { clear(row: height - 2) }
      answer(row: height - 2)
    }
    footer()
  }

  private struct Rows {
    var spots = 1
    var numbers = false
    var tempo = 1
    var slider = false
    var meters = false
    var lines = 0
    var lateness = false
    var gap = false
  }

  /// Shares the rows out: what matters most first.
  private func rows() -> Rows {
    var rows = Rows()
    // The status and the footer.
    var left = height - 2
    func take(_ count: Int) -> Bool {
      guard left >= count else { return false }
      left -= count
      return true
    }
    if state.job == .monitor {
      // Nothing beats here: the room is the histogram's.
      rows.spots = 0
      _ = take(1)
      if left > 16, take(BigDigits.height - 1) { rows.tempo = BigDigits.height }
      return rows
    }
    _ = take(2)
    if take(1) { rows.meters = true }
    if take(BigDigits.height - 1) { rows.tempo = BigDigits.height }
    if take(1) { rows.spots += 1 }
    if take(1) { rows.slider = true }
    let lines = state.shownLines.count
    if take(1), lines > 0 { rows.lines = 1 }
    if take(1) { rows.lateness = true }
    if take(1) { rows.numbers = true }
    if take(1) { rows.spots += 1 }
    if take(3) { rows.gap = true }
    let more = min(max(0, lines - rows.lines), left)
    if more > 0, take(more) { rows.lines += more }
    let bigger = min(left, 8)
    if bigger > 0, take(bigger) { rows.spots += bigger }
    guard rows.tempo > 1 else { return rows }
    // All that is left is for what is read from afar: the number and the spots, by turns.
    let widest = (width - 2) / Int(state.pattern.meter.beats) / 2
    while true {
      let canGrow = columnsADot(of: shownTempo) > rows.tempo / BigDigits.height
      let grew = canGrow && take(BigDigits.height)
      if grew { rows.tempo += BigDigits.height }
      let more = min(6, left, widest - rows.spots)
      if more > 0, take(more) { rows.spots += more } else if !grew { return rows }
    }
  }

  /// How many columns a dot of the large number `value` may have, with its buttons and what stands
  /// beside it; numbers of usual length are of one size, so that none jumps at a tenth.
  private func columnsADot(of value: String) -> Int {
    let usual = max(BigDigits.width(of: value), BigDigits.width(of: "000.0"))
    return max(1, (width - 32) / usual)
  }

  /// One to seven rows: what can be said in them.
  private mutating func short() {
    // Where there is no other row for it, what is typed must be seen all the same.
    if height <= 4, let entry = state.entry {
      canvas.put(fit("> \(entry)_", width), x: 0, y: 0, .selected)
      return
    }
    var column = canvas.put(motionSign, x: 0, y: 0, .title) + 1
    column = canvas.put(tempoText, x: column, y: 0, .lit) + 1
    column = canvas.put(state.pattern.meter.description, x: column, y: 0) + 1
    canvas.put(place, x: column, y: 0, state.litBeat == nil ? .plain : .lit)
    target(x: 0, y: 0, width: 2, height: 1, .playPause)
    if height > 1 { spots(row: 1, height: height > 3 ? 2 : 1) }
    if height > 4 {
      let row = height - 2
      if let line = state.entry.map({ "> " + $0 }) ?? state.warnings.last ?? state.notice {
        canvas.put(fit(line, width), x: 0, y: row, .warning)
      }
    }
    if height > 3 { footer() }
  }

  private mutating func help(_ page: Int) {
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

  /// The ports to connect: the song's state above, an answer and the keys below, where there is room.
  private mutating func ports(_ list: PortList) {
    let hasFrame = height >= 6
    let top = hasFrame ? 2 : 0
    let bottom = height - (hasFrame ? 2 : height > 2 ? 1 : 0)
    if hasFrame {
      status(row: 0)
      canvas.put(fit("where to send what is played", width - 2), x: 1, y: 1, .faint)
      answer(row: height - 2)
    }
    let rows = bottom - top
    let first = list.first(of: rows)
    for (row, outlet) in list.outlets.dropFirst(first).prefix(rows).enumerated() {
      let index = first + row
      let (mark, word): (String, String) =
        switch outlet.link {
        case .free: ("[ ]", "")
        case .connected: ("[x]", "connected")
        case .gone: ("[?]", "gone")
        }
      let role: Canvas.Role =
        index == list.chosen ? .selected : outlet.link == .gone ? .warning : .plain
      let room = width - 1 - (width >= 40 && !word.isEmpty ? word.count + 2 : 0)
      let text = "\(mark) \(outlet.address) \(outlet.name)"
      canvas.put(fit(text, max(1, room - 1)), x: 1, y: top + row, role)
      if width >= 40 {
        canvas.put(
          word, endingAt: width - 1, y: top + row, outlet.link == .gone ? .warning : .good)
      }
      target(x: 0, y: top + row, width: width, height: 1, .choosePort(index))
    }
    if list.outlets.isEmpty {
      canvas.put(fit("there is no port to send to", width - 2), x: 1, y: top, .warning)
    }
    let below = list.outlets.count - first - rows
    if below > 0 { canvas.put(" +\(below)", endingAt: width, y: bottom - 1, .faint) }
    if height > 2 { footer() }
  }

  // MARK: - Parts

  private var motionSign: String {
    switch state.motion {
    case .stopped: symbols.stop
    case .paused: symbols.pause
    case .rolling, .countingIn: symbols.play
    case .silent: symbols.silent.description
    }
  }

  private var motionText: String {
    switch (state.motion, state.job) {
    case (.stopped, .play):
      state.startTaps.map { "stopped; \($0) taps start" } ?? "stopped"
    case (.stopped, _), (.paused, .follow): "stopped"
    case (.paused, _): "paused"
    case (.countingIn(let left), _): "counting in: \(left)"
    case (.rolling, .play): "playing"
    case (.rolling, .follow): "following"
    case (.rolling, .tap): "tapped"
    case (.rolling, .monitor): "measuring"
    case (.silent, .tap): "waiting for taps"
    case (.silent, _): "waiting for a clock"
    }
  }

  /// Bar and beat in words short enough for the corner.
  private var place: String {
    guard let position = state.position else { return "" }
    return "\(position.bar)|\(position.beat)"
  }

  private var tempoText: String { state.tempo.map(\.description) ?? "-" }

  private mutating func status(row: Int) {
    let end = canvas.put("\(motionSign) \(motionText)", x: 1, y: row, .title)
    if state.job == .play { target(x: 0, y: row, width: end + 1, height: 1, .playPause) }
    if let position = state.position {
      let words = width >= 40 ? "bar \(position.bar) beat \(position.beat)" : place
      let start = width - 1 - words.count
      canvas.put(words, endingAt: width - 1, y: row, .title)
      // From where the motion ends, with a gap on either side.
      if let section = state.section, start - end > 6 {
        canvas.put(fit(section, start - end - 4), endingAt: start - 2, y: row, .title)
      }
    } else if let source = state.source {
      canvas.put(fit(source, max(0, width - end - 3)), endingAt: width - 1, y: row, .faint)
    }
  }

  /// A row of spots, one a beat, as large as the room allows and sized by accent.
  private mutating func spots(row: Int, height: Int) {
    let meter = state.pattern.meter
    let beats = Int(meter.beats)
    let slot = slot(height)
    let start = max(0, (width - slot * beats) / 2)
    for beat in 0..<beats {
      let x = start + beat * slot
      let number = Int64(beat + 1)
      let accent = state.pattern.accent(ofClick: Int64(beat) * state.pattern.subdivision)
      let isLit = state.litBeat == number
      let isChosen = state.chosenBeat == number
      let inner = max(1, slot - (slot > 3 ? 2 : slot > 1 ? 1 : 0))
      let (share, role): (Int, Canvas.Role) =
        switch accent {
        case .strong: (3, .strong)
        case .medium: (2, .medium)
        case .weak: (1, .weak)
        case .silent: (0, .faint)
        }
      // The one that runs is a size larger, to be seen from afar whatever its accent.
      let size = isLit ? min(3, share + 1) : max(1, share)
      let tall = max(1, (height * size + 2) / 3)
      let wide = max(1, (inner * size + 2) / 3)
      let left = x + (slot - wide) / 2
      let top = row + (height - tall + 1) / 2
      let mark: Unicode.Scalar =
        isLit ? symbols.full : accent == .silent ? symbols.silent : symbols.shade
      if accent == .silent, !isLit {
        canvas.put(String(mark), x: x + slot / 2, y: row + height / 2, isChosen ? .selected : role)
      } else {
        canvas.fill(
          x: left, y: top, width: wide, height: tall, mark,
          isChosen ? .selected : isLit ? .lit : role)
      }
      if state.job != .tap, state.job != .monitor {
        target(x: x, y: row, width: slot, height: height + 1, .accent(beat: number))
      }
      // Clicks between the beats, as they come.
      if isLit, state.pattern.subdivision > 1, slot >= 3 {
        let parts = Int(min(state.pattern.subdivision, Int64(slot - 1)))
        let come = min(Int(state.part) + 1, parts)
        canvas.put(
          String(repeating: symbols.dots, count: come), x: x + (slot - parts) / 2,
          y: row + height - 1, .selected)
      }
    }
  }

  private mutating func numbers(row: Int, spots height: Int) {
    let beats = Int(state.pattern.meter.beats)
    let slot = slot(height)
    let start = max(0, (width - slot * beats) / 2)
    for beat in 1...beats where String(beat).count < slot {
      let isGroup = state.pattern.meter.beginsGroup(Int64(beat - 1))
      canvas.put(
        String(beat), centredFrom: start + (beat - 1) * slot, width: slot, y: row,
        state.chosenBeat == Int64(beat) ? .selected : isGroup ? .plain : .faint)
    }
  }

  /// Columns that one beat gets in spots of `height` rows: cells are twice as high as wide.
  private func slot(_ height: Int) -> Int {
    max(1, min((width - 2) / Int(state.pattern.meter.beats), 4 * height + 6))
  }

  private mutating func tempo(row: Int, height: Int) {
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
  private mutating func buttons(row: Int) {
    guard hasButtons else { return }
    canvas.put("[ \(symbols.minus) ]", x: 1, y: row, .key)
    target(x: 0, y: row - 1, width: Self.button, height: 3, .tempo(by: -1_000))
    canvas.put("[ + ]", endingAt: width - 1, y: row, .key)
    target(
      x: width - Self.button, y: row - 1, width: Self.button, height: 3, .tempo(by: 1_000))
  }

  /// Where a tempo lies on the slider, 0 to 1, and back: the old metronome's 40 to 240.
  static let slider = (least: Int64(40_000), most: Int64(240_000))

  private mutating func slider(row: Int) {
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

  private static let choice = Meter.choice.map(\.description)

  private mutating func meters(row: Int) {
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

  private mutating func lines(from row: Int, count: Int) {
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

  private mutating func lateness(row: Int) {
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

  /// What there is to be said; false when there is nothing.
  @discardableResult
  private mutating func answer(row: Int) -> Bool {
    // The answer to a key comes first: it goes soon, and the warning is there again.
    if let notice = state.notice {
      canvas.put(fit(notice, width - 2), x: 1, y: row, .good)
    } else if let last = state.warnings.last {
      canvas.put(fit("! " + last, width - 2), x: 1, y: row, .warning)
    } else {
      return false
    }
    return true
  }

  /// A key, what it does and what a press on it asks for.
  private typealias Hint = (key: String, text: String, intent: Intent?)

  /// The keys that a new user needs, the most needed first.
  private var hints: [Hint] {
    if let list = state.portList {
      let verb =
        switch list.present?.link {
        case .connected: "disconnects"
        case .gone: "forgets"
        case nil, .free: "connects"
        }
      return [("up down", "choose", nil), ("enter", verb, .connect), ("esc", "closes", .ports)]
    }
    if state.chosenBeat != nil {
      return [("left right", "beat", nil), ("up down", "accent", nil), ("a", "done", .accents)]
    }
    let last: [Hint] = [("?", "help", .help), ("q", "quit", .quit)]
    switch state.job {
    case .play:
      return [
        ("space", "play", .playPause), ("p", "connect", .ports), ("s", "stop", .stop),
        ("t", "tap", .tap), ("a", "accent", .accents), ("w", "save", .save),
        ("m", "meter", .meter(by: 1)), ("tab", "choose", .route(by: 1)),
      ] + last
    case .follow: return (state.generalLine == nil ? [] : [("p", "connect", .ports)]) + last
    case .tap: return [("space", "tap", .tap)] + last
    case .monitor: return last
    }
  }

  private mutating func footer() {
    var fitting = hints
    // Two columns between any two, and one before the first.
    let length = { (list: [Hint]) in list.reduce(-1) { $0 + $1.key.count + $1.text.count + 3 } }
    // The last two always stay: how to get help, and how to get out.
    while length(fitting) > width, fitting.count > 2 { fitting.remove(at: fitting.count - 3) }
    var column = 1
    for hint in fitting {
      let start = column
      column = canvas.put(hint.key, x: column, y: height - 1, .key) + 1
      column = canvas.put(hint.text, x: column, y: height - 1, .faint)
      if let intent = hint.intent {
        target(x: start, y: height - 1, width: column - start, height: 1, intent)
      }
      column += 2
    }
  }

  // MARK: - Helpers

  /// The tempo as it is set, or to a tenth as it is measured.
  private var shownTempo: String {
    guard state.job != .play else { return tempoText }
    guard let tempo = state.tempo else { return "-" }
    let tenths = (tempo.milliBPM + 50) / 100
    return "\(tenths / 10).\(tenths % 10)"
  }

  private mutating func target(x: Int, y: Int, width: Int, height: Int, _ intent: Intent) {
    targets.append(Target(x: x, y: y, width: width, height: height, intent: intent))
  }

  /// Takes what a row shows, and what pressing it asks for, off the screen.
  private mutating func clear(row: Int) {
    canvas.fill(x: 0, y: row, width: width, height: 1, " ", .plain)
    targets.removeAll { $0.y == row && $0.height == 1 }
  }

  private func fit(_ text: String, _ columns: Int) -> String {
    Canvas.fit(text, columns, mark: symbols.more)
  }

  private static func tenths(_ value: Int64) -> String { "\(value / 10).\(value % 10)" }

  /// Two places, rounded.
  static func decimal(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e9 else { return "-" }
    let hundredths = Int64((value.magnitude * 100).rounded())
    let places = hundredths % 100
    return "\(value < 0 ? "-" : "")\(hundredths / 100).\(places < 10 ? "0" : "")\(places)"
  }
}
