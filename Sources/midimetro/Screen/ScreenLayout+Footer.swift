internal import MIDIClock
internal import MetronomeCore

// The keys that a new user needs.

extension ScreenLayout {
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
    let last: [Hint] = [("?", "help", .help), ("q", "quit", .action(.quit))]
    switch state.job {
    case .play:
      return [
        ("space", "play", .action(.toggle)), ("p", "connect", .ports),
        ("s", "stop", .action(.stopToTop)),
        ("t", "tap", .action(.tap)), ("a", "accent", .accents), ("w", "save", .save),
        ("m", "meter", .action(.meterStep(1))), ("tab", "choose", .route(by: 1)),
      ] + last
    case .follow: return (state.generalLine == nil ? [] : [("p", "connect", .ports)]) + last
    case .tap: return [("space", "tap", .action(.tap))] + last
    case .monitor: return last
    }
  }

  mutating func footer() {
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
}
