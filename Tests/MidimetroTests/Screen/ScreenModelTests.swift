import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

struct ScreenModelTests {
  @Test func `a score's meters and names arrive with their beats`() throws {
    let reading = try ScoreReading(Array("A: 1 4/4 90\nB: 2 3/4 120".utf8))
    var desk = ScreenDriver(score: reading.score, waits: false)
    // Four beats of 667 ms from 1 s on, then beats of 500 ms.
    desk.advance(to: 3_100)
    #expect(desk.model.state.pattern.meter == .common)
    #expect(desk.model.state.position == Position(bar: 1, beat: 4))
    #expect(desk.text.contains(" A "))
    _ = desk.press(.character("a"), .right, .right, .right)
    #expect(desk.model.state.chosenBeat == 4)
    // The last pulse of A has left, and B is planned: it is not shown before its time.
    desk.advance(to: 3_660)
    #expect(desk.model.state.pattern.meter == .common)
    desk.advance(to: 3_700)
    #expect(desk.model.state.pattern.meter.description == "3/4")
    #expect(desk.text.contains(" B "))
    // The beat whose accent was being selected no longer exists.
    #expect((desk.model.state.chosenBeat ?? 1) <= 3)
    // What is set by hand holds until the next passage.
    _ = desk.press(.escape, .character("m"))
    let chosen = desk.model.state.pattern
    #expect(chosen.meter == .common)
    desk.advance(to: 4_200)
    #expect(desk.model.state.pattern == chosen)
    _ = desk.press(.character("s"), .character(" "))
    desk.advance(to: 4_300)
    #expect(desk.model.state.pattern.meter == .common)
    desk.advance(to: 6_600)
    #expect(desk.model.state.pattern.meter == .common)
    desk.advance(to: 7_100)
    #expect(desk.model.state.pattern.meter.description == "3/4")
  }

  @Test func `a beat is shown at its own instant, and for 150 ms`() {
    var desk = ScreenDriver(waits: false)
    desk.advance(to: 1_999)
    #expect(desk.model.state.litBeat == nil)
    // Reported ahead.
    for (beat, milliseconds) in [(Int64(3), Int64(2_000)), (4, 2_500)] {
      desk.model.take(
        .beat(
          PlanReport.Beat(
            position: Position(bar: 1, beat: beat), accent: .weak, pulse: 0, tempo: .standard,
            isCountIn: false)), at: HostTime(nanoseconds: milliseconds * 1_000_000))
    }
    #expect(desk.model.nextChange == HostTime(nanoseconds: 2_000_000_000))
    desk.advance(to: 2_000)
    #expect(desk.model.state.litBeat == 3)
    #expect(desk.model.state.position == Position(bar: 1, beat: 3))
    #expect(desk.model.nextChange == HostTime(nanoseconds: 2_150_000_000))
    desk.advance(to: 2_149)
    #expect(desk.model.state.litBeat == 3)
    desk.advance(to: 2_150)
    #expect(desk.model.state.litBeat == nil)
    desk.advance(to: 2_500)
    #expect(desk.model.state.litBeat == 4)
  }

  @Test func `the clicks between beats are counted on time`() throws {
    let score = Score(pattern: try ClickPattern(meter: .common, subdivision: 4), tempo: .standard)
    var desk = ScreenDriver(score: score, waits: false)
    let parts = [(2_000, 0), (2_124, 0), (2_126, 1), (2_260, 2), (2_380, 3)]
    for (time, part) in parts {
      desk.advance(to: Int64(time))
      #expect(desk.model.state.part == Int64(part), "\(time)")
    }
    desk.advance(to: 2_450)
    #expect(desk.model.state.litBeat == nil)
  }

  @Test func `a count-in counts down to the start`() {
    var desk = ScreenDriver(countInBars: 2, waits: false)
    // The song begins at 1 s, eight beats of 500 ms after the count-in.
    desk.advance(to: -2_990)
    #expect(desk.model.state.motion == .countingIn(8))
    desk.advance(to: 510)
    #expect(desk.model.state.motion == .countingIn(1))
    #expect(desk.text.contains("counting in: 1"))
    desk.advance(to: 1_000)
    #expect(desk.model.state.motion == .rolling)
  }

  @Test(
    arguments: [
      (Key.up, Int64(121_000)), (.down, 119_000), (.right, 120_100), (.left, 119_900),
      (.pageUp, 130_000), (.pageDown, 110_000), (.shiftRight, 130_000), (.shiftDown, 110_000),
      (.character("+"), 121_000), (.character("-"), 119_000), (.wheelUp, 121_000),
    ] as [(Key, Int64)])
  func `keys change the tempo`(key: Key, milliBPM: Int64) throws {
    for waits in [true, false] {
      var desk = ScreenDriver(waits: waits)
      desk.advance(to: 1_600)
      let tempo = try #require(Tempo(milliBPM: milliBPM))
      #expect(desk.press(key) == [.action(.tempoStep(milliBPM - 120_000))])
      #expect(desk.model.state.tempo == tempo)
      desk.advance(to: 2_100)
      #expect(desk.model.state.tempo == tempo)
    }
  }

  @Test func `the tempo stays within its range, and that is said`() {
    let score = Score(pattern: .common, tempo: Tempo(clamping: 399_950))
    var desk = ScreenDriver(score: score)
    _ = desk.press(.right)
    #expect(desk.model.state.tempo == Tempo(milliBPM: 400_000))
    #expect(desk.model.state.notice == nil)
    _ = desk.press(.right)
    #expect(desk.model.state.tempo == Tempo(milliBPM: 400_000))
    #expect(desk.text.contains("10 to 400"))
  }

  @Test func `space plays and pauses, s returns to the top`() {
    var desk = ScreenDriver()
    #expect(desk.press(.character(" ")) == [.action(.toggle)])
    desk.advance(to: 2_700)
    #expect(desk.model.state.motion == .rolling)
    #expect(desk.press(.character(" ")) == [.action(.toggle)])
    desk.advance(to: 2_800)
    #expect(desk.model.state.motion == .paused)
    #expect(desk.press(.character(" ")) == [.action(.toggle)])
    desk.advance(to: 3_500)
    #expect(desk.model.state.motion == .rolling)
    #expect(desk.sent == [.start, .stop, .continue])
    #expect(desk.press(.character("s")) == [.action(.stopToTop)])
    desk.advance(to: 3_600)
    #expect(desk.model.state.motion == .stopped)
    #expect(desk.model.state.position == Position(bar: 1, beat: 1))
    #expect(desk.press(.character("r")) == [.action(.start)])
    desk.advance(to: 3_700)
    #expect(desk.sent == [.start, .stop, .continue, .stop, .start])
  }

  @Test func `space starts where the song was to begin, and nothing is paused before`() {
    var desk = ScreenDriver(startBar: 5)
    desk.advance(to: 1_500)
    #expect(desk.model.state.motion == .stopped)
    _ = desk.press(.character(" "))
    desk.advance(to: 1_700)
    #expect(desk.sent == [.continue])
    #expect(desk.model.state.position == Position(bar: 5, beat: 1))
  }

  @Test func `a key pressed twice before the engine responds counts twice`() {
    var desk = ScreenDriver()
    _ = desk.press(.character(" "), .character(" "))
    desk.advance(to: 1_500)
    // Nothing of the Start had left.
    #expect(desk.sent == [])
    #expect(desk.model.state.motion == .stopped)
    _ = desk.press(.character(" "))
    desk.advance(to: 2_000)
    _ = desk.press(.character(" "))
    desk.advance(to: 2_500)
    #expect(desk.model.state.motion == .paused)
    _ = desk.press(.character(" "), .character(" "), .character(" "))
    desk.advance(to: 3_000)
    #expect(desk.sent == [.start, .stop, .continue])
    #expect(desk.model.state.motion == .rolling)
    var other = ScreenDriver()
    _ = other.press(.character("r"), .character("r"), .character("r"))
    other.advance(to: 4_000)
    #expect(other.sent == [.start])
  }

  @Test func `of keys that come at once the last value goes out, and every message`() {
    var model = ScreenModel(ScreenState())
    let layout = ScreenLayout(model.state, width: 80, height: 24, symbols: .ascii)
    var actions: [Action] = []
    func press(_ keys: Key...) {
      for key in keys {
        for case .action(let action) in model.press(key, on: layout, at: .zero) {
          actions.append(action)
        }
      }
    }
    for _ in 0..<400 { press(.up) }
    for _ in 0..<401 { press(.character("c")) }
    press(.character("]"), .character("]"), .character(" "), .character(" "))
    #expect(actions.count == 805)
    #expect(
      Action.merged(actions)
        == [.tempoStep(400_000), .clock, .nudge(5), .nudge(5), .toggle, .toggle])
    let offsets = [Action.offsetStep(0, 1), .offsetStep(1, 1), .mute(0), .mute(1)]
    #expect(Action.merged(offsets) == offsets)
    // At the end of a range the order counts.
    #expect(Action.merged([.tempoStep(1), .tempoStep(-1)]) == [.tempoStep(1), .tempoStep(-1)])
  }

  @Test func `r starts from the top also when paused`() {
    var desk = ScreenDriver(waits: false)
    desk.advance(to: 1_700)
    _ = desk.press(.character(" "))
    desk.advance(to: 2_000)
    #expect(desk.model.state.motion == .paused)
    #expect(desk.press(.character("r")) == [.action(.start)])
    desk.advance(to: 2_100)
    #expect(desk.sent == [.start, .stop, .start])
    #expect(desk.model.state.position == Position(bar: 1, beat: 1))
  }

  @Test func `s ends at the top and says stopped`() {
    var desk = ScreenDriver(waits: false)
    desk.advance(to: 1_700)
    _ = desk.press(.character("s"))
    desk.advance(to: 2_000)
    #expect(desk.model.state.motion == .stopped)
    _ = desk.press(.character(" "))
    desk.advance(to: 2_100)
    #expect(desk.sent == [.start, .stop, .start])
  }

  @Test func `a count-in is ended by a key though no Stop goes out, and begun again`() {
    var desk = ScreenDriver(countInBars: 2, waits: false)
    desk.advance(to: -2_900)
    _ = desk.press(.character("r"))
    desk.advance(to: -2_600)
    #expect(desk.model.state.motion == .countingIn(8))
    _ = desk.press(.character(" "))
    #expect(desk.model.state.motion == .stopped)
    desk.advance(to: -2_400)
    #expect(desk.model.state.motion == .stopped)
    #expect(desk.model.state.litBeat == nil)
    _ = desk.press(.character(" "))
    desk.advance(to: -2_200)
    #expect(desk.model.state.motion == .countingIn(8))
    desk.advance(to: -100)
    #expect(desk.model.state.motion == .countingIn(4))
    #expect(desk.sent == [])
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
    #expect(desk.type("97.5") == [.action(.tempo(Tempo(clamping: 97_500)))])
    #expect(desk.model.state.tempo == Tempo(milliBPM: 97_500))
    #expect(desk.type("3/8=80") == [.action(.tempo(Tempo(clamping: 120_000)))])
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
    _ = desk.press(.character(" "))
    desk.advance(to: 1_500)
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
    #expect(desk.press(.press(x: 2, y: 0)) == [.action(.toggle)])
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
    _ = desk.press(.character("g"))
    #expect(desk.model.state.pattern.swing == 50_000)
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
    #expect(desk.press(.tab, .character("u")) == [.action(.mute(1))])
    #expect(desk.model.state.lines.map(\.isMuted) == [false, true])
    #expect(desk.press(.character("u")) == [.action(.mute(1))])
    #expect(desk.model.state.lines.map(\.isMuted) == [false, false])
    let earlier = ScreenModel.Request.action(.offsetStep(1, -1))
    #expect(desk.press(.character("<")) == [earlier])
    #expect(desk.model.state.lines.map(\.offset) == [.zero, .milliseconds(-500)])
    #expect(desk.press(.character("<")) == [earlier])
    #expect(desk.model.state.lines.map(\.offset) == [.zero, .milliseconds(-500)])
    #expect(desk.text.contains("-500 to 500 ms"))
    desk.model.tell(.lost(name: "B"))
    #expect(desk.text.contains("gone"))
  }

  @Test func `an offset moves by whole milliseconds and keeps its fraction`() {
    var state = ScreenState()
    state.lines = [.init(name: "A", Route(offset: .microseconds(-12_500)))]
    var desk = ScreenDriver(state)
    #expect(desk.text.contains("all -12.5 ms"))
    #expect(desk.press(.character(">")) == [.action(.offsetStep(0, 1))])
    #expect(desk.model.state.lines[0].offset == .microseconds(-11_500))
    #expect(desk.text.contains("all -11.5 ms"))
    state.lines = [.init(name: "A", Route(offset: .microseconds(499_500)))]
    desk = ScreenDriver(state)
    _ = desk.press(.character(">"))
    #expect(desk.model.state.lines[0].offset == .milliseconds(500))
  }

  @Test func `a destination can start muted`() {
    var state = ScreenState()
    state.lines = [.init(name: "A", Route(isMuted: true))]
    var desk = ScreenDriver(state)
    #expect(desk.text.contains("all muted"))
    #expect(desk.press(.character("u")) == [.action(.mute(0))])
    #expect(!desk.model.state.lines[0].isMuted)
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
  func `a clock turned off and on again is what it was`(begun: ClockPolicy, on: ClockPolicy) {
    var desk = ScreenDriver(policy: begun)
    if begun != .off {
      #expect(desk.press(.character("c")) == [.action(.clock)])
      #expect(desk.model.state.policy == .off)
      #expect(desk.model.state.notice == "clock off")
    }
    for _ in 0..<2 {
      #expect(desk.press(.character("c")) == [.action(.clock)])
      #expect(desk.model.state.policy == on)
      #expect(desk.model.state.notice == "clock on")
      #expect(desk.press(.character("c")) == [.action(.clock)])
      #expect(desk.model.state.policy == .off)
    }
  }

  @Test func `what has to wait or was left out is said`() {
    var desk = ScreenDriver()
    let state = desk.session.state
    for (outcome, words) in [
      (ChangeOutcome(.toggle, .busy), "too many changes at once; the last one waits"),
      (ChangeOutcome(.shift(.milliseconds(5)), .ignored), "only what plays can be nudged"),
    ] {
      desk.model.take(.outcome(outcome, state), at: desk.now)
      #expect(desk.model.state.notice == words)
    }
    _ = desk.press(.character("]"))
    #expect(desk.model.state.notice == "only what plays can be nudged")
  }

  @Test func `a profile is named before it is saved`() {
    var desk = ScreenDriver()
    #expect(desk.press(.character("w")).isEmpty)
    #expect(desk.type("live 1") == [.action(.save("live 1"))])
    #expect(desk.press(.character("w"), .enter).isEmpty)
  }

  @Test func `keys do not change a tempo that comes from the source`() {
    var state = ScreenState()
    state.job = .follow
    var desk = ScreenDriver(state)
    #expect(desk.press(.up, .character(" "), .character("t")).isEmpty)
    #expect(desk.model.state.tempo == .standard)
    #expect(desk.press(.character("q")) == [.action(.quit)])
  }

  @Test func `every key with an effect has a line of help`() {
    for binding in KeyBinding.all where binding.text.isEmpty {
      // It belongs to the previous line, which does the opposite.
      #expect(!binding.keys.isEmpty)
    }
    for job in Job.allCases {
      let keys = KeyBinding.all.filter { $0.jobs.contains(job) }.flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "a key has one meaning in \(job)")
    }
  }

  @Test(arguments: [
    (Job.follow, ["v V", "b", "p", "tab", "x", "?", "q"]),
    (.tap, ["space", "t", "v V", "b", "?", "q"]), (.monitor, ["?", "q"]),
  ])
  func `the help has the keys that do something, and the others say so`(
    job: Job, names: [String]
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
        var desk = ScreenDriver(state)
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
