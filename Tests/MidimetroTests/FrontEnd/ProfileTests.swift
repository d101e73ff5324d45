import ClickSound
import MetronomeCore
import MIDIClock
import Testing

@testable import midimetro

struct ProfileTests {
  @Test(arguments: [
    ("", "[live]\nbpm = 97\n"),
    ("bpm = 60\n", "bpm = 60\n\n[live]\nbpm = 97\n"),
    ("bpm = 60", "bpm = 60\n\n[live]\nbpm = 97\n"),
    ("[live]\nbpm = 1\nto = A\n", "[live]\nbpm = 97\n"),
    ("[ live ]\r\nbpm = 1\r\n[b]\nbpm = 2\n", "[live]\nbpm = 97\n[b]\nbpm = 2\n"),
    // Comments before the next section stay with it.
    ("[live]\nbpm = 1\n\n# of b\n[b]\n", "[live]\nbpm = 97\n\n# of b\n[b]\n"),
    ("[a]\nx\n[live]\nbpm = 1\n[b]\ny\n[live]\nto = Z\n", "[a]\nx\n[live]\nbpm = 97\n[b]\ny\n"),
  ])
  func `a section replaces the previous one, and nothing else changes`(
    text: String, expected: String
  ) {
    #expect(Profile.put(["bpm = 97"], as: "live", in: text) == expected)
  }

  @Test(arguments: [
    ("live", "live"), ("\u{FC}ben-2.b", "\u{FC}ben-2.b"), ("my set", "'my set'"),
    ("#x", "'#x'"), ("it's", "'it'\\''s'"), ("$HOME", "'$HOME'"), ("~", "'~'"),
  ])
  func `a name that the shell would split is quoted`(name: String, expected: String) {
    #expect(Words.shellQuoted(name) == expected)
  }

  @Test(arguments: [
    ("TR-8S:MIDI 1", true), ("Box #2", true), ("a = b", true), ("\u{65E5}", true),
    (" lead:in 0", false), ("end ", false), ("\"a:b\"", false), ("a\nto = b", false),
    ("a\u{85}b", false), ("", false),
  ])
  func `a destination is written only if it is read back the same`(
    address: String, isKept: Bool
  ) {
    #expect(Profile.isKept(address) == isKept)
    #expect(Profile.lines(to: address, Route()) == (isKept ? ["to = \(address)"] : []))
  }

  @Test func `written settings are read back`() throws {
    let pattern = try ClickPattern(
      meter: Meter(text: "7/8=2+2+3"), accents: AccentPattern(text: "Xx.xmxx"), subdivision: 2,
      swing: 58_000)
    let route = Route(contents: [.clock, .click], offset: .microseconds(-12_500), divide: 2)
    let song = Profile.lines(tempo: try #require(Tempo(milliBPM: 133_725)), pattern: pattern)
    let lines =
      song + ["clock = rolling"] + Profile.lines(to: "Box #2:MIDI 1", route)
      + Profile.lines(to: "B", Route())
    let file = home(config: Profile.put(lines, as: "live", in: "# mine\n"))
    let options = try played(["--profile", "live"], file)
    #expect(options.tempo == Tempo(milliBPM: 133_725))
    let read = options.settings.score.passages[0].span.pattern
    #expect(read.meter == pattern.meter)
    for click in 0..<pattern.clicksPerBar {
      #expect(read.accent(ofClick: click) == pattern.accent(ofClick: click))
    }
    #expect(read.subdivision == 2 && read.swing == 58_000)
    #expect(options.settings.policy == .rolling)
    #expect(options.settings.destinations.map(\.address) == ["Box #2:MIDI 1", "B"])
    let sent = options.settings.destinations[0].route
    #expect(sent.contents == [.clock, .click])
    #expect(sent.offset == .microseconds(-12_500) && sent.divide == 2)
    #expect(options.settings.destinations[1].route.offset == .zero)
  }

  @Test func `a bar of more clicks than letters is kept by its beats`() throws {
    let pattern = try ClickPattern(
      meter: Meter(text: "32/8"),
      accents: AccentPattern(text: "Xx.mXx.mXx.mXx.mXx.mXx.mXx.mXx.m"), subdivision: 24)
    let lines = Profile.lines(tempo: .standard, pattern: pattern)
    let options = try played(
      ["--profile", "live"], home(config: Profile.put(lines, as: "live", in: "")))
    #expect(options.settings.score.passages[0].span.pattern == pattern)
  }

  @Test func `what an option's row writes is what it reads`() throws {
    var values = OptionValues()
    values.accents = AccentPattern(text: "Xx.m")
    var count = 0
    for row in OptionSpec.all {
      guard let text = row.kept?(values) else { continue }
      count += 1
      var read = OptionValues()
      try read.take(GivenOption(name: row.name, value: text, place: row.spelled))
      #expect(row.kept?(read) == text, "\(row.spelled)")
    }
    #expect(count == 15)
  }

  @Test func `the sound, and the offset for whoever connects, are kept too`() throws {
    let lines =
      Profile.lines(volume: 65, soundSet: ClickSet.allCases[1].rawValue)
      + Profile.lines(ofEvery: Route(offset: .milliseconds(-7)))
    let file = home(config: Profile.put(lines, as: "live", in: ""))
    let options = try played(["--profile", "live"], file)
    #expect(options.sound.settings.volume == 65)
    #expect(options.sound.settings.set == ClickSet.allCases[1])
    #expect(options.settings.general.offset == .milliseconds(-7))
    #expect(Profile.lines(volume: nil, soundSet: nil).isEmpty)
  }
}

extension ProfileTests {
  @Test func `of a score the path of the file is kept, not its contents`() throws {
    let environment = Environment(contents: { path in
      path == "song" ? Array("4 3/4 90\n4 7/8 120".utf8) : nil
    })
    let options = try played(["--score", "song", "--subdivide", "2"], environment)
    var state = ScreenState()
    state.pattern = options.opening.span.pattern
    let lines = Profile.lines(of: state, options, present: [], added: [], isSounding: false)
    #expect(lines.first == "score = \(Environment.absolute("song"))")
    #expect(lines.first?.hasSuffix("/song") == true)
    #expect(lines.contains("subdivide = 2"))
    #expect(!lines.contains { $0.hasPrefix("bpm") || $0.hasPrefix("meter") || $0.hasPrefix("acc") })
  }

  @Test func `contents are spelled in the form of --send`() throws {
    for raw in UInt8(1)...15 {
      let contents = Route.Contents(rawValue: raw)
      let options = try played(["--to", "A", "--send", contents.spelled])
      #expect(options.settings.destinations[0].route.contents == contents)
    }
  }

  @Test func `a route is kept as displayed, to the microsecond`() {
    var state = ScreenState()
    let fine = Route(offset: .microseconds(-12_500))
    state.lines = [.init(name: "A", route: 0, fine)]
    #expect(state.moved(fine, number: 0) == fine)
    state.lines[0].offset = .microseconds(-13_500)
    state.lines[0].isMuted = true
    #expect(
      state.moved(fine, number: 0) == Route(offset: .microseconds(-13_500), isMuted: true))
    #expect(state.moved(fine, number: 1) == fine)
  }

  /// Starts a screen, changes it, and plays what was kept of it.
  private func again(
    _ words: [String], present: [Bool], added: [String] = [], isSounding: Bool = false,
    _ change: (inout ScreenState) -> Void = { _ in }
  ) throws -> PlayOptions {
    let options = try played(words)
    let settings = options.settings
    var state = ScreenState()
    state.pattern = settings.score.passages[0].span.pattern
    state.tempo = options.tempo
    state.policy = settings.policy
    for (number, destination) in settings.destinations.enumerated() {
      state.lines.append(.init(name: destination.address, route: number, destination.route))
    }
    state.addGeneral(
      .init(name: "", route: settings.destinations.count, settings.general), client: 128)
    if isSounding {
      state.soundSet = options.sound.settings.set.rawValue
      state.volume = options.sound.settings.volume
      state.lines.append(
        .init(
          name: "sound here", route: settings.destinations.count + 1,
          Route(offset: options.sound.settings.offset)))
      state.soundLine = state.lines.count - 1
    }
    change(&state)
    let lines = Profile.lines(
      of: state, options, present: present, added: added, isSounding: isSounding)
    return try played(["--profile", "x"], home(config: Profile.put(lines, as: "x", in: "")))
  }

  @Test func `every destination is kept with its route, including those connected live`()
    throws
  {
    let options = try again(
      [
        "97.5", "-m", "6/8", "--offset", "-2.5", "--mute", "--send", "clock,click", "--to", "A",
        "--to", "B", "--divide", "2", "--send", "all", "--channel", "3", "--notes", "1,2,3",
        "--gate", "12.5",
      ],
      present: [true, true], added: ["TR-8S:MIDI 1"]
    ) {
      $0.lines[0].isMuted = false
      $0.lines[0].offset = .zero
      $0.lines[2].offset = .microseconds(500)
    }
    var voice = ClickVoice.standard
    voice.channel = 2
    (voice.strong.key, voice.medium.key, voice.weak.key) = (1, 2, 3)
    voice.gate = .microseconds(12_500)
    let general = Route(
      contents: [.clock, .click], offset: .microseconds(500), voice: voice, isMuted: true)
    let routes = options.settings.destinations
    #expect(routes.map(\.address) == ["A", "B", "TR-8S:MIDI 1"])
    #expect(routes[0].route == Route(contents: [.clock, .click], voice: voice))
    #expect(
      routes[1].route
        == Route(offset: .microseconds(-2_500), divide: 2, voice: voice, isMuted: true))
    #expect(routes[2].route == general)
    #expect(options.settings.general == general)
    #expect(options.tempo == Tempo(milliBPM: 97_500))
  }

  @Test func `disconnected destinations are not kept, and one named twice is kept twice`() throws {
    let options = try again(
      ["--to", "A", "--to", "B", "--send", "clock", "--to", "B", "--send", "click", "--mute"],
      present: [false, true, true])
    #expect(options.settings.destinations.map(\.address) == ["B", "B"])
    #expect(options.settings.destinations.map(\.route.isMuted) == [false, true])
    #expect(!options.settings.general.isMuted)
  }

  @Test func `the sound is kept: set, volume and offset, or that there is none`() throws {
    let sounding = try again(
      ["--sound", "rim", "--volume", "65", "--audio-offset", "-3.5"], present: [],
      isSounding: true)
    #expect(sounding.sound.choice == .set(.rim))
    #expect(sounding.sound.settings.volume == 65)
    #expect(sounding.sound.settings.offset == .microseconds(-3_500))
    let muted = try again([], present: [], isSounding: true) { $0.lines[1].isMuted = true }
    #expect(muted.sound.settings.volume == 0)
    #expect(try again(["--sound", "off"], present: []).sound.choice == .off)
    #expect(try again(["--to", "A"], present: [true]).sound.choice == .auto)
  }
}

struct LastProfileTests {
  private static let path = "/home/u/.local/state/midimetro/last"

  private func home(_ files: [String: String]) -> Environment {
    Environment(
      home: "/home/u", contents: { path in files[path].map { Array($0.utf8) } })
  }

  private static let config = "/home/u/.config/midimetro/config"

  @Test func `it is loaded only on request`() throws {
    let environment = home([Self.path: "[last]\nbpm = 97\nto = A\nmute = yes\n"])
    #expect(try played([], environment).tempo == .standard)
    let last = try played(["--profile", "last"], environment)
    #expect(last.tempo == Tempo(milliBPM: 97_000))
    #expect(last.settings.destinations.map(\.address) == ["A"])
    #expect(last.settings.destinations[0].route.isMuted)
    #expect(try played(["--profile", "last", "80"], environment).tempo == Tempo(milliBPM: 80_000))
  }

  @Test func `the general lines precede it, except for their destinations`() throws {
    let environment = home([
      Self.path: "[last]\nbpm = 97\n",
      Self.config: "bpm = 60\nquiet\noffset = -3\nto = A\ndivide = 2\n[live]\nbpm = 70\n",
    ])
    let last = try played(["--profile", "last"], environment)
    #expect(last.tempo == Tempo(milliBPM: 97_000))
    #expect(last.form == .quiet)
    // It was left without a destination.
    #expect(last.settings.destinations.isEmpty)
    #expect(last.settings.general.offset == .milliseconds(-3))
    #expect(last.settings.general.divide == 1)
  }

  @Test func `a profile of that name in the config file has precedence`() throws {
    let environment = home([
      Self.path: "[last]\nbpm = 97\n", Self.config: "[last]\nbpm = 70\n",
    ])
    #expect(try played(["--profile", "last"], environment).tempo == Tempo(milliBPM: 70_000))
  }

  @Test func `a missing profile and a faulty one are reported`() throws {
    #expect(
      try #require(refusal(["--profile", "last"], home([:]))).message
        == "--profile last: no settings have been kept in \(Self.path) yet; they are when the screen"
        + " of play is left")
    #expect(
      try #require(refusal(["--profile", "last"], home([Self.path: "[last]\nbpm = 9\n"]))).message
        .hasPrefix("\(Self.path):2: bpm: "))
    #expect(
      try #require(refusal(["--profile", "last"], Environment())).message
        == "--profile last: HOME is not set, so no settings have been kept")
  }

  @Test(
    arguments: [
      (nil, "/home/u", "/home/u/.local/state/midimetro/last"),
      ("/var/s", "/home/u", "/var/s/midimetro/last"), ("/var/s", nil, "/var/s/midimetro/last"),
      // Relative paths are ignored.
      ("s", "/home/u", "/home/u/.local/state/midimetro/last"), (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func `its location follows the environment`(xdg: String?, home: String?, path: String?) {
    #expect(Environment(stateHome: xdg, home: home).lastPath == path)
  }
}
