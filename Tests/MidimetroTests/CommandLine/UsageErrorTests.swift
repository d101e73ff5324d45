import MetronomeCore
import Testing

@testable import midimetro

struct UsageErrorTests {
  private static let forms =
    "write 120, 120.5, q=120, 1/8=100 or 3/8=80; the range is 10 to 400 quarter notes per minute"
  private static let range = "is out of range: 10 to 400 quarter notes per minute"
  private static let commands =
    "play, follow, tap, monitor, render, check, ports, doctor, bench, help"

  private static let tempos: [([String], String)] = [
    (["-5"], "tempo '-5' \(range)"),
    (["-0.5"], "tempo '-0.5' \(range)"),
    (["bench", "-5"], "tempo '-5' \(range)"),
    (["--", "-5"], "tempo: '-5' is not a tempo: \(forms)"),
    (["--bpm", "-5"], "--bpm: '-5' is not a tempo: \(forms)"),
    ([""], "tempo: '' is not a tempo: \(forms)"),
    (["0"], "tempo: '0' \(range)"),
    (["9.999"], "tempo: '9.999' \(range)"),
    (["400.001"], "tempo: '400.001' \(range)"),
    (["nan"], "tempo: 'nan' is not a tempo: \(forms)"),
    (["NaN"], "tempo: 'NaN' is not a tempo: \(forms)"),
    (["inf"], "tempo: 'inf' is not a tempo: \(forms)"),
    (["Infinity"], "tempo: 'Infinity' is not a tempo: \(forms)"),
    (["1e9"], "tempo: '1e9' is not a tempo: \(forms)"),
    (["12x"], "tempo: '12x' is not a tempo: \(forms)"),
    (["152,4"], "tempo: '152,4' is not a tempo: \(forms)"),
    (["q="], "tempo: 'q=' is not a tempo: \(forms)"),
    (["-"], "tempo: '-' is not a tempo: \(forms)"),
    (["1/7=100"], "tempo: '1/7=100' names no note value that a tempo can count: \(forms)"),
    (["-b=120"], "--bpm: '=120' names no note value that a tempo can count: \(forms)"),
    (["1000000000"], "tempo: '1000000000' \(range)"),
    (["99999999999999999999"], "tempo: '99999999999999999999' \(range)"),
    (
      ["120.1234"],
      "tempo: '120.1234' is finer than 0.001 quarter notes per minute; use three decimals at most"
    ),
    (
      ["1/32=100.001"],
      "tempo: '1/32=100.001' is finer than 0.001 quarter notes per minute; the nearest is q=12.5"
    ),
    (
      ["120", "130"],
      "one tempo only: '120' or '130'? Options come with two dashes; see midimetro help"
    ),
    (["-b", "120", "130"], "the tempo is given twice, as '130' and --bpm '120'; give one"),
    (["12\n3"], "tempo: '12\u{FFFD}3' is not a tempo: \(forms)"),
    (["1\u{1B}[2J"], "tempo: '1\u{FFFD}[2J' is not a tempo: \(forms)"),
    // A word that was not UTF-8 arrives with replacement characters in it.
    (["\u{FFFD}"], "tempo: '\u{FFFD}' is not a tempo: \(forms)"),
  ]

  private static let commandWords: [([String], String)] = [
    (["render", "120"], "where to? give -o FILE.wav, .flac, .ogg or .mid"),
    (
      ["render", "-o", "x.wav"], "the file would never end: give --bars or --duration too"
    ),
    (
      ["render", "-o", "x.mp3", "--bars", "1"],
      "-o: 'x.mp3' does not say what to write: let it end in .wav, .flac, .ogg or .mid"
    ),
    (
      ["render", "-o", "wav", "--bars", "1"],
      "-o: 'wav' does not say what to write: let it end in .wav, .flac, .ogg or .mid"
    ),
    (
      ["render", "-o", "x.wav", "--bars", "1", "--sound", "off"],
      "--sound off leaves nothing to render; leave it out, or render a .mid"
    ),
    (
      ["render", "-o", "x.wav", "--bars", "1", "--to", "A"],
      "midimetro render does not take --to; see midimetro help render"
    ),
    (
      ["render", "-o", "x.wav", "--bars", "1", "--sample-rate", "7999"],
      "--sample-rate: '7999' is not a whole number from 8000 to 192000"
    ),
    (
      ["--audio-period", "8"], "--audio-period: '8' is not a whole number from 16 to 8192"
    ),
    (
      ["--audio-offset", "501"],
      "--audio-offset: '501' is not a number of milliseconds from -500 to 500, with at most three"
        + " decimals after a point"
    ),
    (
      ["follow", "--from", "A", "--from", "B"],
      "--from: one clock is followed; give one, and midimetro monitor measures several"
    ),
    (["check"], "which score? write: midimetro check FILE"),
    (
      ["--bpm", "120", "check"],
      "the command comes first, once: midimetro check, then its options; see midimetro help"
    ),
    (["port"], "no command 'port' (did you mean ports?); the commands are \(commands)"),
    (["docter"], "no command 'docter' (did you mean doctor?); the commands are \(commands)"),
    (["allegro"], "no command 'allegro'; the commands are \(commands)"),
    (["help", "x"], "no command 'x'; the commands are \(commands)"),
    (
      ["-q", "ports"],
      "the command comes first, once: midimetro ports, then its options; see midimetro help"
    ),
    (
      ["play", "play"],
      "the command comes first, once: midimetro play, then its options; see midimetro help"
    ),
    (["ports", "120"], "unexpected argument '120'; see midimetro help ports"),
    (["doctor", "x"], "unexpected argument 'x'; see midimetro help doctor"),
    (
      ["help", "play", "ports"],
      "help explains one command at a time; give one of 'play' and 'ports'"
    ),
    (
      ["help", "--completion", "csh"],
      "--completion: 'csh' is none of bash, zsh, fish (did you mean zsh?)"
    ),
  ]

  private static let options: [([String], String)] = [
    (["--jsonn"], "unknown option '--jsonn' (did you mean --json?); see midimetro help play"),
    (["--zzz"], "unknown option '--zzz'; see midimetro help play"),
    (["--so"], "'--so' is ambiguous: --sound, --soundfont; write it out"),
    (["--no"], "'--no' is ambiguous: --notes, --no-ui; write it out"),
    (["--json=yes"], "--json takes no value"),
    (["-x"], "unknown option '-x'; see midimetro help play"),
    (["-qx"], "unknown option '-x'; see midimetro help play"),
    (["-qé"], "unknown option '-é'; see midimetro help play"),
    (["-json"], "unknown option '-json' (did you mean --json?); see midimetro help play"),
    (["-bpm", "120"], "unknown option '-bpm' (did you mean --bpm?)"),
    (["--to"], "--to needs a value: --to ADDR"),
    (["-p"], "--to needs a value: --to ADDR"),
    (["120", "-b"], "--bpm needs a value: --bpm TEMPO"),
    (["ports", "--to", "x"], "midimetro ports does not take --to; see midimetro help ports"),
    (["ports", "-q"], "midimetro ports does not take -q (--quiet); see midimetro help ports"),
    (
      ["doctor", "--bpm", "120"],
      "midimetro doctor does not take --bpm; see midimetro help doctor"
    ),
    (
      ["bench", "--bars", "2"], "midimetro bench does not take --bars; see midimetro help bench"
    ),
  ]

  private static let values: [([String], String)] = [
    (["-m", "4"], "--meter: '4' is not a meter: write 4/4, 7/8=2+2+3 or 2+2+3/8"),
    (["-m", ""], "--meter: '' is not a meter: write 4/4, 7/8=2+2+3 or 2+2+3/8"),
    (["-m", "33/4"], "--meter: '33/4': a bar has 1 to 32 beats"),
    (
      ["-m", "4/3"], "--meter: '4/3': a beat is a 1, 2, 4, 8, 16 or 32 (whole to 32nd note)"
    ),
    (["-m", "7/8=2+2"], "--meter: '7/8=2+2': the groups add up to 4, the bar has 7 beats"),
    (["--accents", "XXm"], "--accents: 3 accents for a bar of 4/4; give 4, one per beat"),
    (["-a", "X"], "--accents: 1 accent for a bar of 4/4; give 4, one per beat"),
    (
      ["--accents", "XXm", "--subdivide", "2"],
      "--accents: 3 accents for a bar of 4/4; give 4, one per beat, or 8, one per click"
    ),
    (
      ["--accents", "XyX"],
      "--accents: 'XyX' is not an accent pattern: write one letter a click,"
        + " X strong, m medium, x weak, . silent, at most 128"
    ),
    (
      ["--accents", ""],
      "--accents: '' is not an accent pattern: write one letter a click,"
        + " X strong, m medium, x weak, . silent, at most 128"
    ),
    (["--subdivide", "25"], "--subdivide: '25' is not a whole number from 1 to 24"),
    (["--subdivide", "0"], "--subdivide: '0' is not a whole number from 1 to 24"),
    (
      ["--swing", "60"],
      "--swing: swing moves the second click of each pair, and 1 click a beat makes no pairs;"
        + " give --subdivide 2 or another even number"
    ),
    (
      ["--swing", "60", "--subdivide", "3"],
      "--swing: swing moves the second click of each pair, and 3 clicks a beat make no pairs;"
        + " give --subdivide 2 or another even number"
    ),
    (
      ["--swing", "76"],
      "--swing: '76' is not a number of percent from 50 to 75, with at most three decimals after a"
        + " point"
    ),
    (["--to", ""], "--to: an empty address; midimetro ports lists what there is"),
    (["--to", "  "], "--to: an empty address; midimetro ports lists what there is"),
    (["--send", ""], "--send: '' is none of clock, transport, position, click, all"),
    (["--send", "clock,"], "--send: '' is none of clock, transport, position, click, all"),
    (
      ["--send", "clok"],
      "--send: 'clok' is none of clock, transport, position, click, all (did you mean clock?)"
    ),
    (
      ["--offset", "-500.001"],
      "--offset: '-500.001' is not a number of milliseconds from -500 to 500,"
        + " with at most three decimals after a point"
    ),
    (
      ["--offset", "0,5"],
      "--offset: '0,5' is not a number of milliseconds from -500 to 500,"
        + " with at most three decimals after a point"
    ),
    (
      ["--offset", "1e2"],
      "--offset: '1e2' is not a number of milliseconds from -500 to 500,"
        + " with at most three decimals after a point"
    ),
    (["--divide", "0"], "--divide: '0' is not a whole number from 1 to 24"),
    (["--multiply", "25"], "--multiply: '25' is not a whole number from 1 to 24"),
    (["--channel", "0"], "--channel: '0' is not a whole number from 1 to 16"),
    (["--channel", "17"], "--channel: '17' is not a whole number from 1 to 16"),
    (
      ["--notes", "1,2"],
      "--notes: '1,2' is not three keys (strong,medium,weak) from 0 to 127"
    ),
    (
      ["--notes", "1,2,128"],
      "--notes: '1,2,128' is not three keys (strong,medium,weak) from 0 to 127"
    ),
    (
      ["--velocities", "127,100,0"],
      "--velocities: '127,100,0' is not three velocities (strong,medium,weak) from 1 to 127"
    ),
    (
      ["--gate", "0"],
      "--gate: '0' is not a number of milliseconds from 1 to 5000,"
        + " with at most three decimals after a point"
    ),
    (["--clock", "on"], "--clock: 'on' is none of always, rolling, off"),
    (
      ["--clock", "rollin"],
      "--clock: 'rollin' is none of always, rolling, off (did you mean rolling?)"
    ),
    (["--bars", "0"], "--bars: '0' is not a whole number from 1 to 1000000"),
    (["--bars", "-1"], "--bars: '-1' is not a whole number from 1 to 1000000"),
    (["--bars", "1.5"], "--bars: '1.5' is not a whole number from 1 to 1000000"),
    (
      ["--bars", "99999999999999999999"],
      "--bars: '99999999999999999999' is not a whole number from 1 to 1000000"
    ),
    (
      ["--duration", "0"],
      "--duration: '0' is not a number of seconds from 0.001 to 1000000,"
        + " with at most three decimals after a point"
    ),
    (["--count-in", "100"], "--count-in: '100' is not a whole number from 0 to 99"),
    (["--start-bar", "0"], "--start-bar: '0' is not a whole number from 1 to 1000000"),
    (
      ["--start-bar", "1025"],
      "--start-bar: bar 1025 is beyond what Song Position can name; in 4/4 the last is 1024"
    ),
    (
      ["--start-bar", "10", "-m", "15/32"],
      "--start-bar: in 15/32 bar 10 does not begin on a sixteenth, which is all that Song Position"
        + " can name; the last before it that does is 9"
    ),
    (
      ["--sound", "woood"],
      "--sound: 'woood' is none of auto, off, wood, beep, rim, font (did you mean wood?)"
    ),
    (["--soundfont", ""], "--soundfont: '' names no file"),
    (["--audio-driver", " "], "--audio-driver: ' ' names no driver"),
    (["--volume", "201"], "--volume: '201' is not a whole number from 0 to 200"),
    (["--dispatch", "fast"], "--dispatch: 'fast' is none of auto, precise, queued"),
    (["bench", "--dispatch", ""], "--dispatch: '' is none of auto, precise, queued"),
    (["doctor", "--soundfont", ""], "--soundfont: '' names no file"),
  ]

  private static let contradictions: [([String], String)] = [
    (["--json", "--quiet"], "--json and --quiet contradict each other; give one of them"),
    (["--plain", "--json"], "--json and --plain contradict each other; give one of them"),
    (["-q", "--plain"], "--plain and --quiet contradict each other; give one of them"),
    (
      ["--sound", "off", "--soundfont", "x"],
      "--sound off and --soundfont contradict each other; give one of them"
    ),
    (
      ["--audio-driver", "alsa", "--sound", "off"],
      "--sound off and --audio-driver contradict each other; give one of them"
    ),
    (["--dry-run"], "--dry-run would never end: give --bars or --duration too"),
    (
      ["--dry-run", "--bars", "1", "--json"],
      "--dry-run and --json contradict each other; give one of them"
    ),
    (
      ["--dry-run", "--bars", "1", "-q"],
      "--dry-run and --quiet contradict each other; give one of them"
    ),
    (
      ["-l", "120"], "--list only lists the ports: leave out '120'"
    ),
    (
      ["-l", "--to", "x"],
      "--list only lists the ports: leave out '--to'"
    ),
    (
      ["-l", "--json", "--plain"], "--json and --plain contradict each other; give one of them"
    ),
  ]

  @Test(arguments: tempos + commandWords + options + values + contradictions)
  func `a bad command line is refused in one line that says what, where and what to do`(
    words: [String], message: String
  ) throws {
    let failure = try #require(refusal(words))
    #expect(failure.message == message)
    #expect(failure.status == .usage)
    #expect(!failure.message.contains("\n"))
  }

  @Test(arguments: [
    (
      "ALSA: blank", " ", "ALSA_OUTPUT_PORTS: an empty address; midimetro ports lists what there is"
    ),
    (
      "a blank element", "14:0, ,15:0",
      "ALSA_OUTPUT_PORTS: an empty address; midimetro ports lists what there is"
    ),
  ])
  func `a bad list in the environment is reported with its variable`(
    what: String, list: String, message: String
  ) throws {
    let environment = Environment(outputPorts: list)
    #expect(try #require(refusal([], environment)).message == message, "\(what)")
  }

  @Test(
    arguments: [
      (["--to", "A", "--to", "A"], true), (["--to", "A", "--to", "B", "--to", "A"], true),
      (["--to", "A", "--to", "A", "--offset", "5"], true),
      (["--to", "A", "--send", "clock", "--to", "A", "--send", "clock,click"], true),
      (["--to", "A", "--send", "clock", "--to", "A", "--send", "click"], false),
      (["--send", "clock", "--to", "A", "--to", "A", "--send", "click"], false),
    ] as [([String], Bool)])
  func `a destination that would get everything twice is refused`(words: [String], isRefused: Bool)
    throws
  {
    let message =
      "'A' is given twice and would get everything twice; give it once, or say with --send what each"
      + " is for"
    for verb in [[], ["follow"]] {
      let failure = refusal(verb + words)
      #expect(failure?.message == (isRefused ? "--to: \(message)" : nil))
      #expect(failure?.status == (isRefused ? .usage : nil))
    }
    let environment = Environment(outputPorts: "A,A")
    #expect(try #require(refusal([], environment)).message == "ALSA_OUTPUT_PORTS: \(message)")
  }

  @Test func `one destination too many is refused`() throws {
    let room = PlaySettings.maximumDestinations
    let addresses = (0...room).map { "\($0):0" }
    let message =
      "more than \(room) destinations; join some with aconnect to the ports of midimetro"
    let words = addresses.flatMap { ["--to", $0] }
    #expect(refusal(words.dropLast(2)) == nil)
    #expect(try #require(refusal(words)).message == "--to: \(message)")
    let environment = Environment(outputPorts: addresses.joined(separator: ","))
    #expect(try #require(refusal([], environment)).message == "ALSA_OUTPUT_PORTS: \(message)")
  }
}

struct SpellingTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("meter", "meter", 0), ("metre", "meter", 1), ("mete", "meter", 1),
    ("bmp", "bpm", 1), ("kitten", "sitting", 3),
  ])
  func `the edit distance counts insertions, deletions, replacements and swaps`(
    left: String, right: String, distance: Int
  ) {
    #expect(EditDistance.between(left, right) == distance)
    #expect(EditDistance.between(right, left) == distance)
  }

  @Test func `distant words are not suggested`() {
    #expect(Spelling.hint("zebra", among: ["meter", "bpm", "to"]) == "")
    #expect(
      Spelling.hint("metre", among: ["meter", "bpm"], prefix: "--") == " (did you mean --meter?)")
  }
}
