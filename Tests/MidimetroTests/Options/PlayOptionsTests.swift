import ClickSound
import MetronomeCore
import MIDIClock
import Testing

@testable import midimetro

struct PlayOptionsTests {
  private typealias Check = @Sendable (PlayOptions) -> Bool

  private static func pattern(_ options: PlayOptions) -> ClickPattern {
    options.settings.score.passages[0].span.pattern
  }

  /// Whether a hit of `kind` on channel 10 with velocity 100 is a tap.
  private static func taps(_ options: PlayOptions, _ kind: PadHit.Kind) -> Bool {
    options.tapping.filter.judge(PadHit(kind: kind, channel: 9, isPress: true, strength: 100))
      == .tap
  }

  /// A command line, and a check of its meaning.
  private static let accepted: [([String], Check)] = [
    ([], { $0.tempo.milliBPM == 120_000 && $0.form == .plain && $0.settings.destinations.isEmpty }),
    ([], { $0.settings.general == Route() && $0.settings.policy == .always }),
    (["play"], { $0.tempo.milliBPM == 120_000 }),
    (["133.7"], { $0.tempo.milliBPM == 133_700 }),
    (["--", "133.7"], { $0.tempo.milliBPM == 133_700 }),
    (["q=10"], { $0.tempo.milliBPM == 10_000 }),
    (["400"], { $0.tempo.milliBPM == 400_000 }),
    (["1/8=100"], { $0.tempo.milliBPM == 50_000 }),
    (["3/8=80"], { $0.tempo.milliBPM == 120_000 }),
    (["-b97.5"], { $0.tempo.milliBPM == 97_500 }),
    (["--bpm=97.5"], { $0.tempo.milliBPM == 97_500 }),
    (["--bp", "97.5"], { $0.tempo.milliBPM == 97_500 }),
    (["-b", "60", "-b", "70"], { $0.tempo.milliBPM == 70_000 }),
    (["-m", "7/8=3+2+2"], { pattern($0).meter.description == "7/8=3+2+2" }),
    (["-m6/8"], { pattern($0).meter.grouping == [3, 3] }),
    (["-a", "Xx.m"], { (0..<4).map(pattern($0).accent) == [.strong, .weak, .silent, .medium] }),
    (["--subdivide", "3"], { pattern($0).subdivision == 3 }),
    (["--sub", "3"], { pattern($0).subdivision == 3 }),
    (["--swing", "62.5", "--subdivide", "2"], { pattern($0).swing == 62_500 }),
    (["--swing", "50"], { pattern($0).swing == 50_000 }),
    (["--send", "clock,position"], { $0.settings.general.contents == [.clock, .position] }),
    (["--send", "all"], { $0.settings.general.contents == .all }),
    (["--offset", "-10"], { $0.settings.general.offset == .milliseconds(-10) }),
    (["--offset=-10"], { $0.settings.general.offset == .milliseconds(-10) }),
    (["--offset", "+2.125"], { $0.settings.general.offset == .microseconds(2_125) }),
    (["--divide", "24"], { $0.settings.general.divide == 24 }),
    (["--multiply", "2"], { $0.settings.general.multiply == 2 }),
    (["--channel", "16"], { $0.settings.general.voice.channel == 15 }),
    (
      ["--notes", "0,64,127"],
      {
        [$0.settings.general.voice].map { [$0.strong.key, $0.medium.key, $0.weak.key] } == [
          [0, 64, 127]
        ]
      }
    ),
    (
      ["--velocities", "1,2,3"],
      {
        [$0.settings.general.voice].map {
          [$0.strong.velocity, $0.medium.velocity, $0.weak.velocity]
        } == [[1, 2, 3]]
      }
    ),
    (["--gate", "12.5"], { $0.settings.general.voice.gate == .microseconds(12_500) }),
    (["--mute"], { $0.settings.general.isMuted }),
    (["--to", "x", "--mute"], { $0.settings.destinations[0].route.isMuted }),
    (["--clock", "rolling"], { $0.settings.policy == .rolling }),
    (["--clock", "off"], { $0.settings.policy == .off }),
    (["--bars", "2"], { $0.settings.score.end == Tick(2 * 3_840) }),
    (["--bars", "2", "--start-bar", "11"], { $0.settings.score.end == Tick(12 * 3_840) }),
    (["--duration", "1.5"], { $0.settings.duration == .milliseconds(1_500) }),
    (["--count-in", "2"], { $0.settings.countInBars == 2 }),
    (["--start-bar", "1024"], { $0.settings.startBar == 1_024 }),
    (["--start-bar", "9", "-m", "15/32"], { $0.settings.startBar == 9 }),
    (["--dispatch", "queued"], { $0.settings.dispatch == .queued }),
    (["--tap-from", "x"], { $0.settings.sources == [.init(address: "x", canTap: true)] }),
    (
      ["--control-from", "x", "--control", "cc:64=stop"],
      {
        $0.settings.sources == [.init(address: "x", canTap: false)]
          && $0.tapping.controls.bindings.count == 1
      }
    ),
    (["--tap-from", "x", "--tap-note", "36"], { !taps($0, .note(37)) && taps($0, .note(36)) }),
    (
      ["--tap-from", "x", "--tap-cc", "80"],
      { !taps($0, .note(36)) && taps($0, .controller(80)) && !taps($0, .controller(64)) }
    ),
    (["--tap-from", "x", "--tap-channel", "2"], { !taps($0, .note(36)) }),
    (["--tap-from", "x", "--tap-channel", "10"], { taps($0, .note(36)) }),
    (["--tap-from", "x", "--tap-velocity", "101"], { !taps($0, .note(36)) }),
    (["--tap-from", "x", "--tap-velocity", "100"], { taps($0, .note(36)) }),
    (
      ["--tap-from", "x", "--tap-unit", "1/8"],
      { $0.tapping.steering.tempo(ofTaps: 120).milliBPM == 60_000 }
    ),
    (
      ["--tap-from", "x", "--tap-round", "2.5"],
      { $0.tapping.steering.tempo(ofTaps: 121).milliBPM == 120_000 }
    ),
    (["--tap-from", "x", "--tap-min", "2"], { $0.tapping.steering.least == 2 }),
    (["--tap-from", "x", "--tap-phase"], { $0.tapping.steering.setsPhase }),
    (["--tap-from", "x", "--start-on-tap", "4"], { $0.settings.waits }),
    (["--sound", "off"], { !$0.sound.isWanted && !$0.sound.isRequired }),
    (["--sound", "auto"], { $0.sound.isWanted && !$0.sound.isRequired }),
    (["--soundfont", "a b.sf2"], { $0.sound.soundfont == "a b.sf2" && $0.sound.isRequired }),
    (
      ["--audio-driver", "alsa"],
      { $0.sound.settings.driver == AudioDriver(name: "alsa") && $0.sound.isRequired }
    ),
    (
      ["--audio-driver", "alsa:hw:1"],
      { $0.sound.settings.driver == AudioDriver(name: "alsa", device: "hw:1") }
    ),
    (["--volume", "200"], { $0.sound.settings.volume == 200 && !$0.sound.isRequired }),
    (["--sound", "beep"], { $0.sound.choice == .set(.beep) && $0.sound.isRequired }),
    (["--sound", "font"], { $0.sound.choice == .font && $0.sound.isRequired }),
    (["--soundfont", "a", "--sound", "rim"], { $0.sound.choice == .set(.rim) }),
    (["--sound", "rim", "--soundfont", "a"], { $0.sound.choice == .font }),
    (["--audio-period", "64"], { $0.sound.settings.plan.period == 64 }),
    (["--audio-offset", "-12.5"], { $0.sound.settings.offset == .microseconds(-12_500) }),
    (["--notes", "76,77,77"], { $0.sound.settings.notes.strong.key == 76 }),
    (["--json"], { $0.form == .json }),
    (["--plain"], { $0.form == .plain }),
    (["-q"], { $0.form == .quiet }),
    (["--no-ui"], { $0.form == .plain }),
    (["--no-ui", "--json"], { $0.form == .json }),
    (["-qb", "97"], { $0.form == .quiet && $0.tempo.milliBPM == 97_000 }),
    (["--dry-run", "--duration", "1"], { $0.isDryRun }),
  ]

  @Test(arguments: accepted.indices)
  func `an option sets its value`(index: Int) throws {
    let (words, check) = Self.accepted[index]
    #expect(check(try played(words)), "\(words)")
  }

  @Test func `every option of play, except those about itself, is in the table above`() {
    let given = Self.accepted.flatMap { Array($0.0) }.joined(separator: " ")
    let elsewhere: Set<OptionName> = [.to, "score", .profile, .list, .help, .version]
    for spec in OptionSpec.all where spec.verbs.contains(.play) && !elsewhere.contains(spec.name) {
      let isGiven =
        given.contains(spec.spelled) || spec.short.map { given.contains("-\($0)") } == true
      #expect(isGiven, "\(spec.spelled)")
    }
  }
}

struct RouteOptionsTests {
  /// Each destination as `ADDRESS OFFSET DIVIDE`, followed by our public ports as `own`.
  private func routes(_ words: [String], _ environment: Environment = plainHome) throws -> [String]
  {
    let settings = try played(words, environment).settings
    return (settings.destinations.map { ($0.address, $0.route) } + [("own", settings.general)])
      .map { "\($0) \($1.offset.nanoseconds / 1_000_000) \($1.divide)" }
  }

  @Test(arguments: [
    (["--to", "A", "--to", "B"], ["A 0 1", "B 0 1", "own 0 1"]),
    // After a destination: for that one.
    (["--to", "A", "--offset", "-10", "--to", "B"], ["A -10 1", "B 0 1", "own 0 1"]),
    (
      ["--to", "A", "--offset", "5", "--to", "B", "--divide", "2"],
      ["A 5 1", "B 0 2", "own 0 1"]
    ),
    // Before the first: for all.
    (["--offset", "-10", "--to", "A", "--to", "B"], ["A -10 1", "B -10 1", "own -10 1"]),
    (
      ["--offset", "-10", "--to", "A", "--offset", "3", "--to", "B", "--divide", "4"],
      ["A 3 1", "B -10 4", "own -10 1"]
    ),
    (["-p", "A", "--divide", "2", "--divide", "3"], ["A 0 3", "own 0 1"]),
    // The same device twice, with different routes.
    (
      [
        "-pA", "--send", "clock", "--offset", "1", "-pA", "--send", "click", "--offset", "2",
      ], ["A 1 1", "A 2 1", "own 0 1"]
    ),
  ])
  func `a route option applies to the destination before it, or to all`(
    words: [String], expected: [String]
  ) throws {
    #expect(try routes(words) == expected)
  }

  @Test func `the environment names destinations if the command line does not`() throws {
    let environment = Environment(outputPorts: "128:0, TR-8S:TR-8S MIDI 1,Prøve 日本,")
    #expect(
      try routes(["--offset", "7"], environment) == [
        "128:0 7 1", "TR-8S:TR-8S MIDI 1 7 1", "Prøve 日本 7 1", "own 7 1",
      ])
    #expect(try routes(["--to", "A"], environment) == ["A 0 1", "own 0 1"])
  }

  @Test func `the file's destinations apply unless the command line names others`() throws {
    let file = home(config: "divide = 2\nto = A\noffset = 5\nto = B\ndivide = 3\n")
    #expect(try routes([], file) == ["A 5 2", "B 0 3", "own 0 2"])
    // For all destinations in the file.
    #expect(try routes(["--offset", "-1"], file) == ["A -1 2", "B -1 3", "own -1 2"])
    #expect(try routes(["--to", "C"], file) == ["C 0 2", "own 0 2"])
    #expect(
      try routes(["--offset", "-1", "--to", "C", "--divide", "6"], file) == ["C -1 6", "own -1 2"])
    var both = file
    both.outputPorts = "D"
    #expect(try routes([], both) == ["A 5 2", "B 0 3", "own 0 2"])
  }

  @Test(arguments: ["\u{FFFD}", "Prøve 日本 1", "a:b:c", "Box#2", " leading", "trailing "])
  func `an address is passed on as typed`(address: String) throws {
    #expect(try played(["--to", address]).settings.destinations.map(\.address) == [address])
  }

  @Test func `clicks sound the same on every route`() throws {
    let settings = try played(["--to", "A", "--notes", "1,2,3", "--to", "B"]).settings
    for route in settings.destinations.map(\.route) + [settings.general] {
      #expect(route.voice.strong.key == 1)
    }
  }
}

struct OtherCommandsTests {
  private func command(_ words: [String], _ environment: Environment = plainHome) throws -> Command
  {
    do throws(Failure) { return try Command(words, environment: environment) } catch {
      throw Unexpected(text: error.message)
    }
  }

  @Test(arguments: [
    (["help"], nil), (["--help"], nil), (["-h"], nil), (["help", "play"], Verb.play),
    (["help", "help"], .help), (["play", "--help"], .play), (["doctor", "-h"], .doctor),
    (["bench", "--he"], .bench), (["help", "ports"], .ports), (["-h", "120"], nil),
    // A request for help overrides everything else.
    (["--help", "--bars", "0"], nil),
  ])
  func `help can be asked for in every way`(words: [String], verb: Verb?) throws {
    let topic: HelpTopic = try options(of: command(words))
    #expect(topic == .command(verb))
  }

  @Test(arguments: [["--version"], ["-V"], ["doctor", "--version"], ["help", "-V"]])
  func `the version can be asked for anywhere`(words: [String]) throws {
    let topic: HelpTopic = try options(of: command(words))
    #expect(topic == .version)
  }

  @Test(arguments: [
    (["ports"], false), (["ports", "--json"], true), (["-l"], false), (["--list", "--json"], true),
    (["play", "-l"], false), (["-l", "--no-ui"], false),
  ])
  func `the ports are listed by a command or an option`(words: [String], isJSON: Bool) throws {
    let values: OptionValues = try options(of: command(words))
    #expect(values.isJSON == isJSON)
  }

  @Test func `bench has a tempo, a length, a way and a form`() throws {
    let plain: BenchOptions = try options(of: command(["bench"]))
    #expect(plain.tempo.milliBPM == 120_000)
    #expect(plain.duration == .seconds(10))
    #expect(plain.playing.dispatch == .auto)
    #expect(!plain.isJSON)
    let words = ["bench", "133.7", "--duration", "60", "--dispatch", "queued", "--json"]
    let full: BenchOptions = try options(of: command(words))
    #expect(full.tempo.milliBPM == 133_700)
    #expect(full.duration == .seconds(60))
    #expect(full.playing.dispatch == .queued)
    #expect(full.isJSON)
  }

  @Test func `doctor looks for the option's font before that of the environment`() throws {
    let environment = Environment(soundfont: "usual.sf2")
    let options: DoctorOptions = try options(
      of: command(["doctor", "--soundfont", "a.sf2"], environment))
    #expect(options.sound.soundfont == "a.sf2")
    #expect(options.usualSoundfont == "usual.sf2")
    #expect(!options.isJSON)
  }

  @Test func `informational commands do not read the config file`() throws {
    let broken = home(config: "nonsense")
    for words in [["ports"], ["doctor"], ["bench"], ["help"], ["-l"], ["--help"], ["--version"]] {
      #expect(refusal(words, broken) == nil, "\(words)")
    }
    for words in [[], ["follow"], ["monitor"]] { #expect(refusal(words, broken) != nil) }
  }

  @Test func `each command takes its own options from the config file`() throws {
    let file = home(config: "bpm = 97\nfrom = Box\nmeter = 3/4\n[live]\nto = A\n")
    #expect(try played([], file).tempo == Tempo(milliBPM: 97_000))
    #expect(try played(["--profile", "live"], file).settings.destinations.map(\.address) == ["A"])
    let usual: MonitorOptions = try options(of: command(["monitor", "--profile", "live"], file))
    #expect(usual.sources == ["Box"])
    let other: MonitorOptions = try options(of: command(["monitor", "--from", "X"], file))
    #expect(other.sources == ["X"])
  }

  @Test(arguments: ["replay = take.log", "log = take.log"])
  func `options for a single run are not allowed in the config file`(line: String) {
    #expect(
      refusal(["follow"], home(config: line))?.message.contains("belongs on the command line")
        == true)
  }
}
