import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

struct ConfigFileTests {
  private func options(_ text: String, profile: String? = nil) throws -> [String] {
    try ConfigFile(Array(text.utf8), path: "FILE").options(profile: profile)
      .map { $0.value.isEmpty ? $0.name.rawValue : "\($0.name.rawValue)=\($0.value)" }
  }

  private static let mark = "\u{FEFF}"

  @Test(arguments: [
    ("", []),
    ("\n\n", []),
    ("# only a comment", []),
    ("   # indented\n\t#too", []),
    ("bpm = 97.5", ["bpm=97.5"]),
    ("bpm=97.5\n", ["bpm=97.5"]),
    ("\tbpm\t=\t97.5 \t\n", ["bpm=97.5"]),
    // The first = ends the name.
    ("bpm = q=120\nmeter=7/8=2+2+3", ["bpm=q=120", "meter=7/8=2+2+3"]),
    // As written by some editors.
    ("\(mark)bpm = 97.5\r\n\r\n# x\r\nto = A\r\n", ["bpm=97.5", "to=A"]),
    ("\(mark)", []),
    // Flags.
    ("json", ["json"]), ("json = yes", ["json"]), ("json = no", []),
    ("quiet\njson = no\nquiet = no", []),
    // A # within a line is part of the value, as in a port's name.
    ("to = Box#2\nto = Box #3", ["to=Box#2", "to=Box #3"]),
    ("to = Prøve 日本:1", ["to=Prøve 日本:1"]),
    // Repeated lines are passed on repeatedly.
    ("bpm = 60\nbpm = 70", ["bpm=60", "bpm=70"]),
    // A profile that was not requested.
    ("bpm = 60\n[live]\nbpm = 70", ["bpm=60"]),
  ])
  func `lines become options`(text: String, expected: [String]) throws {
    #expect(try options(text) == expected)
  }

  @Test func `a profile's lines follow the general ones, wherever it is in the file`() throws {
    let text = """
      bpm = 60
      json
      [live]
      bpm = 70
      json = no
      [ studio one ]
      bpm = 80
      [live]
      to = A
      """
    #expect(try options(text) == ["bpm=60", "json"])
    #expect(try options(text, profile: "live") == ["bpm=60", "bpm=70", "to=A"])
    #expect(try options(text, profile: "studio one") == ["bpm=60", "json", "bpm=80"])
  }

  @Test func `a profile's destinations replace the general ones`() throws {
    let text = """
      offset = 2
      to = A
      divide = 2
      bpm = 60
      mute
      [live]
      to = A
      mute = no
      [bare]
      bpm = 70
      """
    #expect(
      try options(text, profile: "live") == ["offset=2", "bpm=60", "to=A", "mute=no"])
    #expect(
      try options(text, profile: "bare")
        == ["offset=2", "to=A", "divide=2", "bpm=60", "mute", "bpm=70"])
  }

  @Test func `a mute can be undone for one destination`() throws {
    let file = home(config: "mute\nto = A\nto = B\nmute = no\n")
    let settings = try played([], file).settings
    #expect(settings.destinations.map(\.route.isMuted) == [true, false])
    #expect(settings.general.isMuted)
  }

  @Test(arguments: [
    ("bogus = 3", "unknown option 'bogus'; midimetro help play lists what there is"),
    (
      "tmepo = 3\n", "unknown option 'tmepo'; midimetro help play lists what there is"
    ),
    (
      "metre = 4/4",
      "unknown option 'metre' (did you mean meter?); midimetro help play lists what there is"
    ),
    ("BPM = 120", "unknown option 'BPM'; midimetro help play lists what there is"),
    ("b = 120", "unknown option 'b'; midimetro help play lists what there is"),
    ("= 120", "unknown option ''; midimetro help play lists what there is"),
    ("man", "unknown option 'man'; midimetro help play lists what there is"),
    (
      "--bpm = 120",
      "'--bpm': write the option's long name without dashes (did you mean bpm?)"
    ),
    ("-q", "'-q': write the option's long name without dashes"),
    ("bpm 120", "'bpm 120' is not an option; write name = value"),
    ("bpm", "bpm needs a value; write bpm = TEMPO"),
    ("to =", "to needs a value; write to = ADDR"),
    ("json = maybe", "json: 'maybe' is neither yes nor no; write one of these"),
    ("json =", "json: '' is neither yes nor no; write one of these"),
    ("help", "help belongs on the command line, not in a config file; remove it"),
    ("version", "version belongs on the command line, not in a config file; remove it"),
    ("list = yes", "list belongs on the command line, not in a config file; remove it"),
    ("profile = x", "profile belongs on the command line, not in a config file; remove it"),
    ("dry-run", "dry-run belongs on the command line, not in a config file; remove it"),
    ("[live", "'[live' begins no profile; write [name], alone on its line"),
    ("[]", "'[]' begins no profile; write [name], alone on its line"),
    ("[", "'[' begins no profile; write [name], alone on its line"),
    ("[a] # b", "'[a] # b' begins no profile; write [name], alone on its line"),
    ("[a][b]", "'[a][b]' begins no profile; write [name], alone on its line"),
    ("accents = \"Xxxx\"", "accents: \"Xxxx\" stands in quotation marks; leave them out"),
    ("to = 'A'", "to: 'A' stands in quotation marks; leave them out"),
    ("bpm = 1\u{7}2", "a control character; remove it"),
    ("bpm = 120\rto = A", "a control character; remove it"),
    (
      "bpm = 120 # fast",
      "bpm: '120 # fast' is not a tempo: write 120, 120.5, q=120, 1/8=100 or 3/8=80;"
        + " the range is 10 to 400 quarter notes per minute"
    ),
    ("bpm = 0", "bpm: '0' is out of range: 10 to 400 quarter notes per minute"),
    ("bars = 0", "bars: '0' is not a whole number from 1 to 1000000"),
    ("meter = 4/3", "meter: '4/3': a beat is a 1, 2, 4, 8, 16 or 32 (whole to 32nd note)"),
  ])
  func `a bad line is reported with its file and number`(line: String, message: String) throws {
    let failure = try #require(refusal([], home(config: "# first\n\(line)")))
    #expect(failure.message == "/home/u/.config/midimetro/config:2: \(message)")
    #expect(failure.status == .usage)
  }

  @Test func `every bad line of the file is reported, even in other profiles`() throws {
    let text = "bogus\nbpm = 120\nbars = 0\n\n[live]\ngate = long\n\u{1}\n[studio"
    let failure = try #require(refusal([], home(config: text)))
    let places = failure.message.split(separator: "\n").map { line in
      line.split(separator: ":")[1]
    }
    #expect(places == ["1", "3", "6", "7", "8"])
    #expect(failure.status == .usage)
  }

  @Test func `a line that is not UTF-8 is reported`() {
    let bytes = Array("bpm = 120\nto = ".utf8) + [0xC3, 0x28]
    #expect(
      throws: UsageError("FILE:2: this is not UTF-8 text; write the file as UTF-8")
    ) { try ConfigFile(bytes, path: "FILE").options(profile: nil) }
  }

  @Test(arguments: [
    ("live", "bpm = 120", "it has none; begin one with a line [live]"),
    ("live", "[studio]", "it has studio"),
    ("liv", "[live]\n[studio]\n[live]", "it has live, studio"),
    ("", "[live]", "it has live"),
  ])
  func `an unknown profile is refused with a list of those that exist`(
    profile: String, text: String, there: String
  ) throws {
    let failure = try #require(refusal(["--profile", profile], home(config: text)))
    let hint = profile == "liv" ? " (did you mean live?)" : ""
    #expect(
      failure.message
        == "--profile: no profile '\(profile)' in /home/u/.config/midimetro/config\(hint); \(there)"
    )
    #expect(failure.status == .usage)
  }

  @Test func `conflicting options are reported with the location of one of them`() throws {
    let file = "/home/u/.config/midimetro/config"
    #expect(
      try #require(refusal([], home(config: "\naccents = XX"))).message
        == "\(file):2: accents: 2 accents for a bar of 4/4; give 4, one per beat")
    #expect(refusal(["-m", "2/4"], home(config: "accents = XX")) == nil)
    #expect(
      try #require(refusal([], home(config: "swing = 60"))).message.hasPrefix("\(file):1: swing: "))
    #expect(
      try #require(refusal([], home(config: "start-bar = 3000"))).message
        .hasPrefix("\(file):1: start-bar: bar 3000"))
  }

  @Test func `the command line overrides the file`() throws {
    let file = home(config: "bpm = 60\njson\nbars = 3\nsoundfont = a.sf2\n[live]\nquiet\nbpm = 70")
    #expect(try played([], file).tempo.milliBPM == 60_000)
    #expect(try played(["--profile", "live"], file).tempo.milliBPM == 70_000)
    #expect(try played(["--profile", "live"], file).form == .quiet)
    #expect(try played(["--profile", "live", "-b", "80"], file).tempo.milliBPM == 80_000)
    #expect(try played(["80"], file).tempo.milliBPM == 80_000)
    #expect(try played(["--plain"], file).form == .plain)
    #expect(try played(["--quiet"], file).form == .quiet)
    #expect(try played(["--no-ui"], file).form == .json)
    #expect(try played(["--dry-run"], file).isDryRun)
    #expect(!(try played(["--sound", "off"], file).sound.isRequired))
  }

  // MARK: Where it is

  @Test(
    arguments: [
      (nil, "/home/u", "/home/u/.config/midimetro/config"),
      ("/etc/xdg", "/home/u", "/etc/xdg/midimetro/config"),
      ("/etc/xdg", nil, "/etc/xdg/midimetro/config"),
      // Relative paths are ignored.
      ("xdg", "/home/u", "/home/u/.config/midimetro/config"),
      ("", "/home/u", "/home/u/.config/midimetro/config"),
      (nil, "", nil), (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func `the location of the file follows the environment`(
    xdg: String?, home: String?, path: String?
  ) {
    #expect(Environment(configHome: xdg, home: home).configPath == path)
  }

  @Test func `a missing file is an error only for a profile`() throws {
    #expect(refusal([]) == nil)
    #expect(
      try #require(refusal(["--profile", "live"])).message
        == "--profile: there is no config file /home/u/.config/midimetro/config with a profile"
        + " 'live'; write it, or leave --profile out")
    #expect(refusal([], Environment()) == nil)
    #expect(
      try #require(refusal(["--profile", "live"], Environment())).message
        == "--profile live: HOME is not set, so there is no config file")
  }

  @Test func `a file that cannot be read is an error of its own`() throws {
    let environment = Environment(
      home: "/home/u",
      contents: { _ throws(SystemError) in throw SystemError(operation: "open", code: 13) })
    let failure = try #require(refusal(["120"], environment))
    #expect(
      failure.message
        == "the config file /home/u/.config/midimetro/config cannot be read:"
        + " open: Permission denied; fix it or move it away")
    #expect(failure.status == .inputOutput)
  }

  @Test func `files are read whole, and folders and devices are refused`() throws {
    #expect(try TextFile.read("/nonexistent/x") == nil)
    #expect(try TextFile.read("/etc/passwd/x") == nil)
    #expect(throws: SystemError(operation: "read", code: 21)) { try TextFile.read("/etc") }
    #expect(throws: SystemError(operation: "read", code: 27)) { try TextFile.read("/dev/zero") }
    let text = try #require(try TextFile.read("/etc/passwd"))
    #expect(text.starts(with: "root:".utf8))
    #expect(text.last == UInt8(ascii: "\n"))
  }
}
