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

  var canvas: Canvas
  var targets: [Target] = []
  let state: ScreenState
  let symbols: Symbols
  let width: Int
  let height: Int

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

  mutating func full() {
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

  struct Rows {
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
  func rows() -> Rows {
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
    target(x: 0, y: 0, width: 2, height: 1, .action(.toggle))
    if height > 1 { spots(row: 1, height: height > 3 ? 2 : 1) }
    if height > 4 {
      let row = height - 2
      if let line = state.entry.map({ "> " + $0 }) ?? state.warnings.last ?? state.notice {
        canvas.put(fit(line, width), x: 0, y: row, .warning)
      }
    }
    if height > 3 { footer() }
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
  var place: String {
    guard let position = state.position else { return "" }
    return "\(position.bar)|\(position.beat)"
  }

  mutating func status(row: Int) {
    let end = canvas.put("\(motionSign) \(motionText)", x: 1, y: row, .title)
    if state.job == .play { target(x: 0, y: row, width: end + 1, height: 1, .action(.toggle)) }
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

  /// What there is to be said; false when there is nothing.
  @discardableResult
  mutating func answer(row: Int) -> Bool {
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

  // MARK: - Helpers

  mutating func target(x: Int, y: Int, width: Int, height: Int, _ intent: Intent) {
    targets.append(Target(x: x, y: y, width: width, height: height, intent: intent))
  }

  /// Takes what a row shows, and what pressing it asks for, off the screen.
  private mutating func clear(row: Int) {
    canvas.fill(x: 0, y: row, width: width, height: 1, " ", .plain)
    targets.removeAll { $0.y == row && $0.height == 1 }
  }

  func fit(_ text: String, _ columns: Int) -> String {
    Canvas.fit(text, columns, mark: symbols.more)
  }
}
