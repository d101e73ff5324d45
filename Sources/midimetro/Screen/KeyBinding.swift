internal import MIDIClock

/// One line of the table that keys and their help are made from.
struct KeyBinding: Sendable {
  let keys: [Key]
  let intent: Intent
  /// How the keys are written, and what they do; an empty `text` belongs to the line before.
  let name: String
  let text: String

  /// Where they do it.
  let jobs: Set<Job>

  /// Creates a line for `jobs`; by default, for all jobs that `intent` exists in.
  init(
    _ keys: [Key], _ intent: Intent, _ name: String = "", _ text: String = "",
    in jobs: Set<Job>? = nil
  ) {
    self.jobs = jobs ?? intent.jobs
    self.keys = keys
    self.intent = intent
    self.name = name
    self.text = text
  }

  private init(
    _ keys: [Key], _ action: Action, _ name: String = "", _ text: String = "",
    in jobs: Set<Job>? = nil
  ) {
    self.init(keys, .action(action), name, text, in: jobs)
  }

  /// The table.
  static let all: [KeyBinding] = [
    KeyBinding([.character(" ")], .toggle, "space", "play, pause"),
    KeyBinding([.character(" ")], .tap, "space", "tap the tempo", in: [.tap]),
    KeyBinding([.character("s")], .stopToTop, "s", "stop, back to the top"),
    KeyBinding([.character("r")], .start, "r", "start again on the beat"),
    KeyBinding(
      [.up, .character("+"), .character("=")], .tempoStep(1_000), "up dn + -", "tempo by 1"),
    KeyBinding([.down, .character("-")], .tempoStep(-1_000)),
    KeyBinding([.right], .tempoStep(100), "left right", "tempo by 0.1"),
    KeyBinding([.left], .tempoStep(-100)),
    KeyBinding(
      [.pageUp, .shiftUp, .shiftRight], .tempoStep(10_000), "PgUp PgDn", "tempo by 10"),
    KeyBinding([.pageDown, .shiftDown, .shiftLeft], .tempoStep(-10_000)),
    KeyBinding([.character("t")], .tap, "t", "tap the tempo"),
    KeyBinding([.character("m")], .meterStep(1), "m M", "next, last meter"),
    KeyBinding([.character("M")], .meterStep(-1)),
    KeyBinding([], .type("0"), "0-9 enter", "type a tempo or a meter"),
    KeyBinding([.character("a")], .accents, "a", "accent or mute a beat"),
    KeyBinding([.character("d")], .subdivisionStep(1), "d D", "more, fewer clicks a beat"),
    KeyBinding([.character("D")], .subdivisionStep(-1)),
    KeyBinding([.character("g")], .swingStep(1), "g G", "swing by 1 %"),
    KeyBinding([.character("G")], .swingStep(-1)),
    KeyBinding([.character("[")], .nudge(-5), "[ ]", "nudge 5 ms earlier, later"),
    KeyBinding([.character("]")], .nudge(5)),
    KeyBinding([.character("c")], .clock, "c", "clock on, off"),
    KeyBinding(
      [.character("v")], .volumeStep(5), "v V", "volume by 5 %"),
    KeyBinding([.character("V")], .volumeStep(-5)),
    KeyBinding(
      [.character("b")], .soundSet, "b", "next set of click sounds"),
    KeyBinding([.character("p")], .ports, "p", "connect, disconnect ports"),
    KeyBinding([.tab], .route(by: 1), "tab", "choose a destination"),
    KeyBinding([.character("u")], .mute, "u", "mute, unmute its clicks"),
    KeyBinding([.character("<")], .offset(by: -1), "< >", "its offset by 1 ms"),
    KeyBinding([.character(">")], .offset(by: 1)),
    KeyBinding([.character("w")], .save, "w", "save as profile"),
    KeyBinding([.character("x")], .panic, "x", "panic: end every note"),
    KeyBinding(
      [.character("?"), .character("h")], .help, "?", "this help"),
    KeyBinding([.character("q")], .quit, "q", "quit"),
  ]

  private static let byKey: [Job: [Key: Intent]] = Dictionary(
    uniqueKeysWithValues: Job.allCases.map { job in
      let own = all.filter { $0.jobs.contains(job) }
      return (
        job,
        Dictionary(
          own.flatMap { binding in binding.keys.map { ($0, binding.intent) } },
          uniquingKeysWith: { first, _ in first })
      )
    })

  /// What `key` asks for by itself in `job`, else what it would ask for in `play`; `nil` when
  /// nothing.
  static func intent(of key: Key, in job: Job) -> Intent? {
    byKey[job]?[key] ?? byKey[.play]?[key]
  }

  /// The lines of the help: those that say something in `job`.
  static func help(in job: Job) -> [KeyBinding] {
    all.filter { !$0.text.isEmpty && $0.jobs.contains(job) }
  }
}
