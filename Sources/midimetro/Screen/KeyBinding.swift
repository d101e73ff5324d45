/// One line of the table that keys and their help are made from.
struct KeyBinding: Sendable {
  let keys: [Key]
  let intent: Intent
  /// How the keys are written, and what they do; an empty `text` belongs to the line before.
  let name: String
  let text: String

  init(_ keys: [Key], _ intent: Intent, _ name: String = "", _ text: String = "") {
    self.keys = keys
    self.intent = intent
    self.name = name
    self.text = text
  }

  /// The table.
  static let all: [KeyBinding] = [
    KeyBinding([.character(" ")], .playPause, "space", "play, pause"),
    KeyBinding([.character("s")], .stop, "s", "stop, back to the top"),
    KeyBinding([.character("r")], .restart, "r", "start again on the beat"),
    KeyBinding(
      [.up, .character("+"), .character("=")], .tempo(by: 1_000), "up dn + -", "tempo by 1"),
    KeyBinding([.down, .character("-")], .tempo(by: -1_000)),
    KeyBinding([.right], .tempo(by: 100), "left right", "tempo by 0.1"),
    KeyBinding([.left], .tempo(by: -100)),
    KeyBinding(
      [.pageUp, .shiftUp, .shiftRight], .tempo(by: 10_000), "PgUp PgDn", "tempo by 10"),
    KeyBinding([.pageDown, .shiftDown, .shiftLeft], .tempo(by: -10_000)),
    KeyBinding([.character("t")], .tap, "t", "tap the tempo"),
    KeyBinding([.character("m")], .meter(by: 1), "m M", "next, last meter"),
    KeyBinding([.character("M")], .meter(by: -1)),
    KeyBinding([], .type("0"), "0-9 enter", "type a tempo or a meter"),
    KeyBinding([.character("a")], .accents, "a", "accent or mute a beat"),
    KeyBinding([.character("d")], .subdivision(by: 1), "d D", "more, fewer clicks a beat"),
    KeyBinding([.character("D")], .subdivision(by: -1)),
    KeyBinding([.character("g")], .swing(by: 1), "g G", "swing by 1 %"),
    KeyBinding([.character("G")], .swing(by: -1)),
    KeyBinding([.character("[")], .nudge(by: -5), "[ ]", "nudge 5 ms earlier, later"),
    KeyBinding([.character("]")], .nudge(by: 5)),
    KeyBinding([.character("c")], .clock, "c", "clock on, off"),
    KeyBinding([.character("v")], .volume(by: 5), "v V", "volume by 5 %"),
    KeyBinding([.character("V")], .volume(by: -5)),
    KeyBinding([.character("b")], .soundSet, "b", "next set of click sounds"),
    KeyBinding([.character("p")], .ports, "p", "connect, disconnect ports"),
    KeyBinding([.tab], .route(by: 1), "tab", "choose a destination"),
    KeyBinding([.character("u")], .mute, "u", "mute, unmute its clicks"),
    KeyBinding([.character("<")], .offset(by: -1), "< >", "its offset by 1 ms"),
    KeyBinding([.character(">")], .offset(by: 1)),
    KeyBinding([.character("w")], .save, "w", "save as profile"),
    KeyBinding([.character("x")], .panic, "x", "panic: end every note"),
    KeyBinding([.character("?"), .character("h")], .help, "?", "this help"),
    KeyBinding([.character("q")], .quit, "q", "quit"),
  ]

  private static let byKey: [Key: Intent] = Dictionary(
    all.flatMap { binding in binding.keys.map { ($0, binding.intent) } },
    uniquingKeysWith: { first, _ in first })

  /// What `key` asks for by itself; `nil` when nothing.
  static func intent(of key: Key) -> Intent? { byKey[key] }

  /// The lines of the help: keys and what they do.
  static let help: [(keys: String, text: String)] = all.filter { !$0.text.isEmpty }.map {
    ($0.name, $0.text)
  }
}
