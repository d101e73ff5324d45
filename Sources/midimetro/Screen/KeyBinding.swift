/// One line of the table that keys and their help are made from.
struct KeyBinding: Sendable {
  let keys: [Key]
  let intent: Intent
  /// How the keys are written, and what they do; an empty `text` belongs to the line before.
  let name: String
  let text: String

  /// Where they do it.
  let jobs: Set<ScreenState.Job>

  init(
    _ keys: [Key], _ intent: Intent, _ name: String = "", _ text: String = "",
    in jobs: Set<ScreenState.Job> = [.play]
  ) {
    self.jobs = jobs
    self.keys = keys
    self.intent = intent
    self.name = name
    self.text = text
  }

  /// The table.
  static let all: [KeyBinding] = [
    KeyBinding([.character(" ")], .playPause, "space", "play, pause"),
    KeyBinding([.character(" ")], .tap, "space", "tap the tempo", in: [.tap]),
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
    KeyBinding([.character("t")], .tap, "t", "tap the tempo", in: [.play, .tap]),
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
    KeyBinding(
      [.character("v")], .volume(by: 5), "v V", "volume by 5 %", in: [.play, .follow, .tap]),
    KeyBinding([.character("V")], .volume(by: -5), in: [.play, .follow, .tap]),
    KeyBinding(
      [.character("b")], .soundSet, "b", "next set of click sounds", in: [.play, .follow, .tap]),
    KeyBinding([.character("p")], .ports, "p", "connect, disconnect ports", in: [.play, .follow]),
    KeyBinding([.tab], .route(by: 1), "tab", "choose a destination", in: [.play, .follow]),
    KeyBinding([.character("u")], .mute, "u", "mute, unmute its clicks"),
    KeyBinding([.character("<")], .offset(by: -1), "< >", "its offset by 1 ms"),
    KeyBinding([.character(">")], .offset(by: 1)),
    KeyBinding([.character("w")], .save, "w", "save as profile"),
    KeyBinding([.character("x")], .panic, "x", "panic: end every note", in: [.play, .follow]),
    KeyBinding(
      [.character("?"), .character("h")], .help, "?", "this help", in: Set(ScreenState.Job.allCases)
    ),
    KeyBinding([.character("q")], .quit, "q", "quit", in: Set(ScreenState.Job.allCases)),
  ]

  private static let byKey: [ScreenState.Job: [Key: Intent]] = Dictionary(
    uniqueKeysWithValues: ScreenState.Job.allCases.map { job in
      let own = all.filter { $0.jobs.contains(job) }
      return (
        job,
        Dictionary(
          own.flatMap { binding in binding.keys.map { ($0, binding.intent) } },
          uniquingKeysWith: { first, _ in first })
      )
    })

  /// What `key` asks for by itself in `job`, else what it would ask for in `play`; `nil` when nothing.
  static func intent(of key: Key, in job: ScreenState.Job) -> Intent? {
    byKey[job]?[key] ?? byKey[.play]?[key]
  }

  /// The lines of the help: those that say something in `job`.
  static func help(in job: ScreenState.Job) -> [KeyBinding] {
    all.filter { !$0.text.isEmpty && $0.jobs.contains(job) }
  }
}
