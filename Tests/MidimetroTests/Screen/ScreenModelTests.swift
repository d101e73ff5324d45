import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

/// A screen of 80 x 24 with simulated keys and time.
private struct ScreenDriver {
  var model: ScreenModel
  var now = HostTime(nanoseconds: 1_000_000_000)

  init(_ state: ScreenState = ScreenState(), soundSets: [String] = []) {
    model = ScreenModel(state, soundSets: soundSets)
  }

  var layout: ScreenLayout { ScreenLayout(model.state, width: 80, height: 24, symbols: .ascii) }

  mutating func press(_ keys: Key...) -> [ScreenModel.Request] {
    var requests: [ScreenModel.Request] = []
    for key in keys { requests += model.press(key, on: layout, at: now) }
    return requests
  }

  mutating func type(_ text: String) -> [ScreenModel.Request] {
    var requests: [ScreenModel.Request] = []
    for letter in text { requests += press(.character(letter)) }
    return requests + press(.enter)
  }

  mutating func beat(_ beat: Int64, at milliseconds: Int64, bar: Int64 = 1, countIn: Bool = false) {
    model.take(
      .beat(
        PlanReport.Beat(
          position: Position(bar: bar, beat: beat), accent: .weak, pulse: 0, tempo: .standard,
          isCountIn: countIn)), at: HostTime(nanoseconds: milliseconds * 1_000_000))
  }

  mutating func advance(to milliseconds: Int64) {
    now = HostTime(nanoseconds: milliseconds * 1_000_000)
    model.advance(to: now)
  }

  var text: String { layout.canvas.lines.joined(separator: "\n") }
}

struct ScreenModelTests {
  @Test func `a score's meters and names arrive with their beats`() throws {
    let reading = try ScoreReading(Array("A: 1 4/4 90\nB: 2 3/4 120".utf8))
    var state = ScreenState()
    state.pattern = reading.score.passages[0].span.pattern
    var desk = ScreenDriver(state)
    desk.model.show(reading.score, from: .zero)
    func beat(_ beat: Int64, pulse: Int64, at milliseconds: Int64) {
      desk.model.take(
        .beat(
          PlanReport.Beat(
            position: Position(bar: pulse < 96 ? 1 : 2, beat: beat), accent: .weak, pulse: pulse,
            tempo: .standard, isCountIn: false,
            part: reading.score.part(at: Tick(pulse: pulse)))),
        at: HostTime(nanoseconds: milliseconds * 1_000_000))
      desk.advance(to: milliseconds)
    }
    beat(4, pulse: 72, at: 1_000)
    #expect(desk.model.state.pattern.meter == .common)
    #expect(desk.text.contains(" A "))
    _ = desk.press(.character("a"), .right, .right, .right)
    beat(1, pulse: 96, at: 1_500)
    #expect(desk.model.state.pattern.meter.description == "3/4")
    #expect(desk.text.contains(" B "))
    // The beat whose accent was being selected no longer exists.
    #expect((desk.model.state.chosenBeat ?? 1) <= 3)
    // A manual setting applies until the next passage.
    _ = desk.press(.character("m"))
    let chosen = desk.model.state.pattern
    beat(2, pulse: 120, at: 2_000)
    #expect(desk.model.state.pattern == chosen)
    beat(1, pulse: 0, at: 2_500)
    #expect(desk.model.state.pattern.meter == .common)
  }

  @Test func `a beat is shown at its own instant, and for 150 ms`() {
    var desk = ScreenDriver()
    desk.beat(1, at: 2_000)
    desk.beat(2, at: 2_500)
    desk.advance(to: 1_999)
    #expect(desk.model.state.litBeat == nil)
    #expect(desk.model.nextChange == HostTime(nanoseconds: 2_000_000_000))
    desk.advance(to: 2_000)
    #expect(desk.model.state.litBeat == 1)
    #expect(desk.model.state.position == Position(bar: 1, beat: 1))
    #expect(desk.model.nextChange == HostTime(nanoseconds: 2_150_000_000))
    desk.advance(to: 2_149)
    #expect(desk.model.state.litBeat == 1)
    desk.advance(to: 2_150)
    #expect(desk.model.state.litBeat == nil)
    desk.advance(to: 2_500)
    #expect(desk.model.state.litBeat == 2)
  }

  @Test func `the clicks between beats are counted on time`() throws {
    var state = ScreenState()
    state.pattern = try ClickPattern(meter: .common, subdivision: 4)
    var desk = ScreenDriver(state)
    desk.beat(1, at: 2_000)
    let parts = [(2_000, 0), (2_124, 0), (2_126, 1), (2_260, 2), (2_380, 3)]
    for (time, part) in parts {
      desk.advance(to: Int64(time))
      #expect(desk.model.state.part == Int64(part), "\(time)")
    }
    desk.advance(to: 2_450)
    #expect(desk.model.state.litBeat == nil)
  }

  @Test func `a count-in counts down to the start`() {
    var desk = ScreenDriver()
    desk.beat(1, at: 1_000, bar: -1, countIn: true)
    desk.advance(to: 1_000)
    #expect(desk.model.state.motion == .countingIn(8))
    desk.beat(4, at: 1_500, bar: 0, countIn: true)
    desk.advance(to: 1_500)
    #expect(desk.model.state.motion == .countingIn(1))
    #expect(desk.text.contains("counting in: 1"))
    desk.beat(1, at: 2_000)
    desk.advance(to: 2_000)
    #expect(desk.model.state.motion == .rolling)
  }

  @Test(
    arguments: [
      (Key.up, Int64(121_000)), (.down, 119_000), (.right, 120_100), (.left, 119_900),
      (.pageUp, 130_000), (.pageDown, 110_000), (.shiftRight, 130_000), (.shiftDown, 110_000),
      (.character("+"), 121_000), (.character("-"), 119_000), (.wheelUp, 121_000),
    ] as [(Key, Int64)])
  func `keys change the tempo`(key: Key, milliBPM: Int64) throws {
    var desk = ScreenDriver()
    let tempo = try #require(Tempo(milliBPM: milliBPM))
    #expect(desk.press(key) == [.change(.tempo(tempo))])
    #expect(desk.model.state.tempo == tempo)
  }

  @Test func `the tempo stays within its range`() {
    var state = ScreenState()
    state.tempo = Tempo(milliBPM: 399_950)
    var desk = ScreenDriver(state)
    _ = desk.press(.right)
    #expect(desk.model.state.tempo == Tempo(milliBPM: 400_000))
  }

  @Test func `space plays and pauses, s returns to the top`() {
    var desk = ScreenDriver()
    #expect(desk.press(.character(" ")) == [.change(.transport(.start))])
    desk.model.take(.start, at: desk.now)
    desk.advance(to: 1_000)
    #expect(desk.press(.character(" ")) == [.change(.transport(.stop))])
    desk.model.take(.stop, at: desk.now)
    desk.advance(to: 1_000)
    #expect(desk.model.state.motion == .paused)
    #expect(desk.press(.character(" ")) == [.change(.transport(.continue))])
    desk.model.take(.continue, at: desk.now)
    desk.advance(to: 1_000)
    #expect(
      desk.press(.character("s"))
        == [.change(.transport(.stop)), .change(.transport(.locate(.zero)))])
    #expect(desk.press(.character("r")) == [.change(.transport(.start))])
  }

  @Test func `a key pressed twice before the engine responds counts twice`() {
    var desk = ScreenDriver()
    #expect(
      desk.press(.character(" "), .character(" "))
        == [.change(.transport(.start)), .change(.transport(.stop))])
    desk.model.take(.start, at: desk.now)
    desk.model.take(.stop, at: desk.now)
    desk.advance(to: 1_000)
    #expect(desk.model.state.motion == .paused)
    #expect(
      desk.press(.character(" "), .character(" "), .character(" "))
        == [
          .change(.transport(.continue)), .change(.transport(.stop)),
          .change(.transport(.continue)),
        ])
    var other = ScreenDriver()
    #expect(
      other.press(.character("r"), .character("r"), .character("r"))
        == [.change(.transport(.start))])
  }

  @Test func `of simultaneous keys the last value is sent, and every message`() {
    var desk = ScreenDriver()
    var requests: [ScreenModel.Request] = []
    for _ in 0..<400 { requests += desk.press(.up) }
    for _ in 0..<401 { requests += desk.press(.character("c")) }
    requests += desk.press(.character("]"), .character("]"), .character(" "), .character(" "))
    #expect(requests.count == 805)
    #expect(
      ScreenModel.Request.merged(requests)
        == [
          .change(.tempo(Tempo(clamping: 400_000))), .change(.policy(.off)),
          .change(.shift(.milliseconds(5))), .change(.shift(.milliseconds(5))),
          .change(.transport(.start)), .change(.transport(.stop)),
        ])
    let offsets: [ScreenModel.Request] = [
      .change(.offset(route: 0, .zero)), .change(.offset(route: 1, .zero)),
    ]
    #expect(ScreenModel.Request.merged(offsets) == offsets)
  }

  @Test func `r starts from the top, even when paused`() {
    var desk = ScreenDriver()
    desk.model.take(.stop, at: desk.now)
    desk.advance(to: 1_000)
    #expect(desk.model.state.motion == .paused)
    #expect(desk.press(.character("r")) == [.change(.transport(.start))])
  }

  @Test func `s ends at the top and shows stopped`() {
    var desk = ScreenDriver()
    desk.model.take(.start, at: desk.now)
    desk.advance(to: 1_000)
    _ = desk.press(.character("s"))
    desk.model.take(.stop, at: desk.now)
    desk.advance(to: 1_000)
    #expect(desk.model.state.motion == .stopped)
    #expect(desk.press(.character(" ")) == [.change(.transport(.start))])
  }

  @Test func `a key ends a count-in though no Stop is sent, and starts it again`() {
    var desk = ScreenDriver()
    desk.beat(1, at: 1_000, bar: -1, countIn: true)
    desk.beat(2, at: 1_500, bar: -1, countIn: true)
    desk.advance(to: 1_000)
    #expect(desk.press(.character("r")).isEmpty)
    #expect(desk.press(.character(" ")) == [.change(.transport(.stop))])
    #expect(desk.model.state.motion == .stopped)
    // One that was under way.
    desk.advance(to: 1_500)
    #expect(desk.model.state.motion == .stopped)
    #expect(desk.press(.character(" ")) == [.change(.transport(.start))])
    desk.beat(1, at: 2_000, bar: 0, countIn: true)
    desk.advance(to: 2_000)
    #expect(desk.model.state.motion == .countingIn(4))
  }

  @Test func `typing or selecting closes the help, so that it is visible`() {
    for key in [Key.character("9"), .character("a"), .character("w")] {
      var desk = ScreenDriver()
      _ = desk.press(.character("?"))
      #expect(desk.model.state.helpPage == 0)
      _ = desk.press(key)
      #expect(desk.model.state.helpPage == nil)
    }
  }

  @Test func `meters cycle, and others can be typed`() throws {
    var desk = ScreenDriver()
    var seen: [String] = []
    for _ in 0..<6 {
      _ = desk.press(.character("m"))
      seen.append(desk.model.state.pattern.meter.description)
    }
    #expect(seen == ["3/8", "6/8=3+3", "1/4", "2/4", "3/4", "4/4"])
    let requests = desk.type("7/8=2+2+3")
    #expect(requests.count == 1)
    #expect(desk.model.state.pattern.meter.description == "7/8=2+2+3")
    #expect(desk.text.contains("[7/8=2+2+3]"))
  }

  @Test func `a tempo is typed, and a malformed one is reported`() {
    var desk = ScreenDriver()
    #expect(desk.type("97.5") == [.change(.tempo(Tempo(clamping: 97_500)))])
    #expect(desk.type("3/8=80") == [.change(.tempo(Tempo(clamping: 120_000)))])
    #expect(desk.type("999").isEmpty)
    #expect(desk.text.contains("10 to 400"))
    #expect(desk.type("5/7").isEmpty)
    #expect(desk.text.contains("5/7"))
    _ = desk.press(.character("1"))
    #expect(desk.text.contains("> 1_"))
    #expect(desk.press(.escape).isEmpty)
    #expect(desk.model.state.entry == nil)
    // Erasing all of it ends the entry.
    _ = desk.press(.character("1"), .backspace)
    #expect(desk.model.state.entry == nil)
  }

  @Test func `accents are selected by arrows and by clicking a spot`() throws {
    var desk = ScreenDriver()
    _ = desk.press(.character("a"), .right, .up)
    #expect(desk.model.state.pattern.accent(ofClick: 1) == .medium)
    _ = desk.press(.up)
    #expect(desk.model.state.pattern.accent(ofClick: 1) == .strong)
    _ = desk.press(.left, .left)
    #expect(desk.model.state.chosenBeat == 4)
    _ = desk.press(.escape)
    #expect(desk.model.state.chosenBeat == nil)
    // The third spot of four is to the right of the middle.
    let requests = desk.press(.press(x: 45, y: 5))
    #expect(requests.count == 1)
    #expect(desk.model.state.pattern.accent(ofClick: 2) == .silent)
  }

  @Test func `a typed name accepts no control characters`() {
    var desk = ScreenDriver()
    _ = desk.press(.character("w"), .character("a"), .character("\u{85}"), .character("b"))
    #expect(desk.model.state.entry == "ab")
  }

  @Test func `while stopped, it shows that taps start`() {
    var state = ScreenState()
    state.startTaps = 4
    var desk = ScreenDriver(state)
    #expect(desk.text.contains("stopped; 4 taps start"))
    desk.beat(1, at: 1_000)
    desk.advance(to: 1_000)
    #expect(!desk.text.contains("4 taps"))
  }

  @Test func `a new accent is shown`() {
    var desk = ScreenDriver()
    _ = desk.press(.character("a"), .right, .down)
    #expect(desk.model.state.notice == "beat 2: silent")
  }

  @Test func `taps are counted until they have an effect, and after that too`() {
    var model = ScreenModel(ScreenState())
    model.tell(taps: 0, of: 4, for: "a tempo", at: .zero)
    #expect(model.state.notice == nil)
    model.tell(taps: 1, of: 4, for: "a tempo", at: .zero)
    #expect(model.state.notice == "tap 1; 3 more for a tempo")
    model.say("something else", at: .zero)
    model.tell(taps: 1, of: 4, for: "a tempo", at: .zero)
    #expect(model.state.notice == "something else")
    model.tell(taps: 4, of: 4, for: "a tempo", at: .zero)
    #expect(model.state.notice == "tap 4")
  }

  @Test func `switch, slider and buttons can be clicked`() {
    var desk = ScreenDriver()
    #expect(desk.press(.press(x: 2, y: 0)) == [.change(.transport(.start))])
    let row = desk.layout.canvas.lines.firstIndex { $0.hasPrefix(" 40 -") } ?? 0
    _ = desk.press(.press(x: 4, y: row))
    #expect(desk.model.state.tempo == Tempo(milliBPM: 40_000))
    _ = desk.press(.press(x: 74, y: row))
    #expect(desk.model.state.tempo == Tempo(milliBPM: 240_000))
    let buttons = desk.layout.canvas.lines.firstIndex { $0.contains("[ + ]") } ?? 0
    _ = desk.press(.press(x: 77, y: buttons))
    #expect(desk.model.state.tempo == Tempo(milliBPM: 241_000))
  }

  @Test func `swing needs an even subdivision, and an odd one resets it`() {
    var desk = ScreenDriver()
    #expect(desk.press(.character("g")).isEmpty)
    #expect(desk.text.contains("even number"))
    _ = desk.press(.character("d"), .character("g"), .character("g"))
    #expect(desk.model.state.pattern.subdivision == 2)
    #expect(desk.model.state.pattern.swing == 52_000)
    _ = desk.press(.character("d"))
    #expect(desk.model.state.pattern.swing == 50_000)
  }

  @Test func `destinations are selected, muted and moved`() {
    var state = ScreenState()
    state.lines = [
      .init(name: "A", Route()), .init(name: "B", route: 1, Route(offset: .milliseconds(-499))),
    ]
    var desk = ScreenDriver(state)
    #expect(desk.press(.tab, .character("u")) == [.change(.mute(route: 1, true))])
    #expect(desk.press(.character("u")) == [.change(.mute(route: 1, false))])
    #expect(
      desk.press(.character("<"), .character("<")) == [
        .change(.offset(route: 1, .milliseconds(-500))),
        .change(.offset(route: 1, .milliseconds(-500))),
      ])
    desk.model.tell(.lost(name: "B"))
    #expect(desk.text.contains("gone"))
  }

  @Test func `an offset moves by whole milliseconds and keeps its fraction`() {
    var state = ScreenState()
    state.lines = [.init(name: "A", Route(offset: .microseconds(-12_500)))]
    var desk = ScreenDriver(state)
    #expect(desk.text.contains("all -12.5 ms"))
    #expect(
      desk.press(.character(">")) == [.change(.offset(route: 0, .microseconds(-11_500)))])
    #expect(desk.text.contains("all -11.5 ms"))
    state.lines = [.init(name: "A", Route(offset: .microseconds(499_500)))]
    desk = ScreenDriver(state)
    #expect(desk.press(.character(">")) == [.change(.offset(route: 0, .milliseconds(500)))])
  }

  @Test func `a destination can start muted`() {
    var state = ScreenState()
    state.lines = [.init(name: "A", Route(isMuted: true))]
    var desk = ScreenDriver(state)
    #expect(desk.text.contains("all muted"))
    #expect(desk.press(.character("u")) == [.change(.mute(route: 0, false))])
  }

  @Test func `help takes as many pages as it needs`() {
    var desk = ScreenDriver()
    _ = desk.press(.character("?"))
    #expect(desk.text.contains("play, pause"))
    _ = desk.press(.character("?"))
    #expect(desk.model.state.helpPage == nil)
    let small = ScreenLayout(desk.model.state, width: 40, height: 12, symbols: .ascii)
    #expect(small.helpPages == 3)
  }

  @Test(arguments: [
    (ClockPolicy.rolling, ClockPolicy.rolling), (.always, .always), (.off, .always),
  ])
  func `a clock turned off and on again is unchanged`(begun: ClockPolicy, on: ClockPolicy) {
    var state = ScreenState()
    state.policy = begun
    var desk = ScreenDriver(state)
    if begun != .off { #expect(desk.press(.character("c")) == [.change(.policy(.off))]) }
    for _ in 0..<2 {
      #expect(desk.press(.character("c")) == [.change(.policy(on))])
      #expect(desk.model.state.policy == on)
      #expect(desk.press(.character("c")) == [.change(.policy(.off))])
    }
  }

  @Test func `a profile is named before it is saved`() {
    var desk = ScreenDriver()
    #expect(desk.press(.character("w")).isEmpty)
    #expect(desk.type("live 1") == [.save("live 1")])
    #expect(desk.press(.character("w"), .enter).isEmpty)
  }

  @Test func `keys do not change a tempo that comes from the source`() {
    var state = ScreenState()
    state.job = .follow
    var desk = ScreenDriver(state)
    #expect(desk.press(.up, .character(" "), .character("t")).isEmpty)
    #expect(desk.model.state.tempo == .standard)
    #expect(desk.press(.character("q")) == [.quit])
  }

  @Test func `every key with an effect has a line of help`() {
    for binding in KeyBinding.all where binding.text.isEmpty {
      // It belongs to the previous line, which does the opposite.
      #expect(!binding.keys.isEmpty)
    }
    for job in ScreenState.Job.allCases {
      let keys = KeyBinding.all.filter { $0.jobs.contains(job) }.flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "a key has one meaning in \(job)")
    }
  }

  @Test(arguments: [
    (ScreenState.Job.follow, ["v V", "b", "p", "tab", "x", "?", "q"]),
    (.tap, ["space", "t", "v V", "b", "?", "q"]), (.monitor, ["?", "q"]),
  ])
  func `the help lists the keys with an effect, and the others respond`(
    job: ScreenState.Job, names: [String]
  ) {
    var state = ScreenState()
    state.job = job
    state.generalLine = job == .follow ? 0 : nil
    state.volume = job == .monitor ? nil : 100
    state.soundSet = "wood"
    let part = ScreenState.Line(name: "A", Route())
    state.lines = [part, part]
    for binding in KeyBinding.all {
      for key in binding.keys where KeyBinding.intent(of: key, in: job) == binding.intent {
        var desk = ScreenDriver(state, soundSets: ["wood", "beep"])
        let before = desk.model.state
        let asked = desk.press(key)
        let isListed = binding.jobs.contains(job)
        let isAnswered = desk.model.state.notice != nil
        let doesSomething = !asked.isEmpty || desk.model.state != before
        if isListed { #expect(doesSomething, "\(key)") }
        if !isListed { #expect(asked.isEmpty && isAnswered, "\(key)") }
      }
    }
    #expect(KeyBinding.help(in: job).map(\.name) == names)
    var desk = ScreenDriver(state)
    _ = desk.press(.character("?"))
    #expect(desk.text.contains("play, pause") == false)
    for name in names { #expect(desk.text.contains(" \(name) "), "\(name)") }
  }
}
