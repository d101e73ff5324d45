import MIDIClock
import Testing

@testable import midimetro

struct ScreenLayoutTests {
  private static var state: ScreenState {
    var state = ScreenState()
    state.motion = .rolling
    state.position = Position(bar: 12, beat: 3)
    state.litBeat = 3
    state.tempo = Tempo(milliBPM: 133_700)
    state.lines = [
      .init(name: "TR-8S:MIDI 1", Route(offset: .milliseconds(-10))),
      .init(name: "Volca Beats:MIDI 1", route: 1, Route(contents: .clock)),
    ]
    state.lateness = [4, 21, 51]
    return state
  }

  private func drawn(_ state: ScreenState, _ width: Int, _ height: Int) -> String {
    ScreenLayout(state, width: width, height: height, symbols: .ascii).canvas.lines
      .joined(separator: "\n")
  }

  @Test func `the screen of 60 by 20`() {
    let text = drawn(Self.state, 60, 20)
    #expect(text == Self.expected)
  }

  @Test func `typed text is visible even with few rows`() {
    var state = Self.state
    state.entry = "97.5"
    for height in [1, 2, 3, 4, 5, 7, 8, 12] {
      #expect(drawn(state, 30, height).contains("> 97.5"), "\(height) rows")
    }
  }

  @Test func `the response to a key is visible in spite of a warning`() {
    var state = Self.state
    state.warnings = ["no real-time priority"]
    state.notice = "kept: midimetro --profile live"
    #expect(drawn(state, 60, 20).contains("kept"))
    state.notice = nil
    #expect(drawn(state, 60, 20).contains("no real-time priority"))
  }

  @Test(arguments: [(40, 12), (40, 9), (30, 8), (60, 15), (80, 24)])
  func `responses and warnings are visible on every full screen`(width: Int, height: Int) {
    var state = Self.state
    state.warnings = ["no real-time priority"]
    #expect(drawn(state, width, height).contains("! no real-time priority"))
    state.notice = "kept: --profile live"
    #expect(drawn(state, width, height).contains("kept: --profile live"))
    state.entry = "97.5"
    #expect(drawn(state, width, height).contains("> 97.5"))
  }

  @Test func `a long number is shown in full, without the buttons if space is short`() {
    var state = Self.state
    let narrow = ScreenLayout(state, width: 42, height: 12, symbols: .ascii)
    #expect(!narrow.canvas.lines.contains { $0.contains("[ + ]") })
    #expect(!narrow.targets.contains { $0.intent == .action(.tempoStep(1_000)) })
    #expect(drawn(state, 60, 20).contains("[ + ]"))
    // Every part of a number stays clear of everything else.
    for milliBPM in [10_000, 120_000, 133_700, 133_750, 133_789] as [Int64] {
      for width in 24...60 {
        state.tempo = Tempo(milliBPM: milliBPM)
        let layout = ScreenLayout(state, width: width, height: 12, symbols: .ascii)
        for row in layout.canvas.lines where row.contains("[ + ]") {
          #expect(row.hasSuffix(" [ + ]"), "\(milliBPM) in \(width) columns: \(row)")
          #expect(row.hasPrefix(" [ - ] "), "\(milliBPM) in \(width) columns: \(row)")
        }
      }
    }
  }

  @Test func `destinations without a row are counted beside the last one, not over it`() throws {
    var state = Self.state
    state.lines += (2..<9).map { .init(name: "Box \($0):MIDI 1", route: $0, Route()) }
    let rows = drawn(state, 60, 15).split(separator: "\n").filter { $0.contains("-> ") }
    let last = try #require(rows.last)
    #expect(last.hasSuffix("  +\(state.lines.count - rows.count)"), "\(last)")
  }

  @Test func `letters missing in a locale become question marks, one per column`() {
    var canvas = Canvas(width: 12, height: 1)
    canvas.put("J\u{F6}rg \u{65E5}x", x: 0, y: 0)
    #expect(canvas.runs(row: 0, in: 0..<12, isASCII: true).map(\.text) == ["J?rg ??x    "])
    #expect(canvas.runs(row: 0, in: 0..<12).map(\.text) == ["J\u{F6}rg \u{65E5}x    "])
  }

  private static let expected = """
     > playing                                    bar 12 beat 3

       ::::::::::::
       ::::::::::::      ::::        ########        ::::
       ::::::::::::      ::::        ########        ::::
       ::::::::::::                  ########
            1             2             3             4

                ##   #####  #####      #####   Allegro
                 #       #      #          #   q=133.7
     [ - ]       #    ####   ####         #               [ + ]
                 #       #      #        #
                ###  #####  #####  ##    #
     40 -----------------------O--------------------------- 240

      1/4  2/4  3/4 [4/4] 3/8  6/8=3+3
     -> TR-8S:MIDI 1                                 all -10 ms
     -> Volca Beats:MIDI 1                                clock
     own lateness 0.4 2.1 5.1 us              median, p99, most
     space play  p connect  s stop  t tap  ? help  q quit
    """

  @Test(arguments: [(40, 12), (60, 20), (80, 24), (200, 60), (132, 43)])
  func `the essentials are on every screen from 40 by 12 on`(width: Int, height: Int) {
    let text = drawn(Self.state, width, height)
    for part in ["playing", "bar 12 beat 3", "[4/4]", "TR-8S", "? help", "q quit", "40 -"] {
      #expect(text.contains(part), "\(part) at \(width) x \(height)")
    }
    // The tempo is drawn large: the top of the digit 7.
    #expect(text.contains("#####"))
  }

  /// The rows of a dot of the number, and the rows of a spot.
  @Test(arguments: [
    (80, 24, 1, 8), (132, 43, 3, 16), (200, 60, 5, 24), (300, 100, 8, 37), (80, 100, 1, 11),
  ])
  func `the number and the spots use the available space`(
    width: Int, height: Int, tall: Int, spots: Int
  ) throws {
    let layout = ScreenLayout(Self.state, width: width, height: height, symbols: .ascii)
    let lines = layout.canvas.lines
    let spot = try #require(
      layout.targets.first { if case .action(.accent) = $0.intent { true } else { false } })
    #expect(spot.height == spots + 1)
    let slider = try #require(lines.firstIndex { $0.hasPrefix(" 40 -") })
    let numbers = try #require(lines.firstIndex { $0.contains("Allegro") })
    #expect(slider - numbers == 5 * tall)
    #expect(lines[numbers..<slider].allSatisfy { $0.contains("#") })
  }

  @Test func `a number does not change its size at a tenth`() throws {
    var state = Self.state
    state.tempo = Tempo(milliBPM: 120_000)
    let whole = drawn(state, 200, 60)
    state.tempo = Tempo(milliBPM: 120_100)
    let tenth = drawn(state, 200, 60)
    // The bar at the top of the 0, as wide in both.
    let bars = [whole, tenth].map { text in
      text.split(separator: "\n").filter { $0.contains("Allegro") }.joined()
        .split(separator: " ").map(\.count).max()
    }
    #expect(bars[0] == bars[1] && bars[0] ?? 0 >= 20)
  }

  @Test(arguments: Array(0...70))
  func `no size is too small, and nothing is drawn outside`(size: Int) {
    for height in [0, 1, 2, 3, 5, 8, 12, 25] {
      var state = Self.state
      for job in [Job.play, .follow, .tap, .monitor] {
        state.job = job
        let layout = ScreenLayout(state, width: size, height: height, symbols: .unicode)
        #expect(layout.canvas.lines.count == height)
        for line in layout.canvas.lines { #expect(Canvas.columns(of: line) <= size) }
        for target in layout.targets { #expect(target.x >= 0 || target.width >= 0) }
      }
      state.helpPage = 0
      _ = ScreenLayout(state, width: size, height: height, symbols: .ascii)
    }
  }

  @Test func `one row shows what counts`() {
    #expect(drawn(Self.state, 30, 1) == "> 133.7 4/4 12|3")
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 32])
  func `every beat has a spot`(beats: Int64) throws {
    var state = Self.state
    state.litBeat = nil
    state.pattern = ClickPattern(plain: try Meter(text: "\(beats)/16"))
    let layout = ScreenLayout(state, width: 80, height: 24, symbols: .ascii)
    let spots = layout.targets.filter {
      if case .action(.accent) = $0.intent { true } else { false }
    }
    #expect(spots.count == Int(beats))
    for (left, right) in zip(spots, spots.dropFirst()) { #expect(left.x + left.width <= right.x) }
  }

  @Test(arguments: [
    ("e", 1), ("\u{301}", 0), ("e\u{301}", 1), ("\u{E9}", 1), ("\u{26A1}", 2), ("\u{231A}", 2),
    ("\u{26BD}", 2), ("\u{2705}", 2), ("\u{1F321}", 1), ("\u{1F3B9}", 2), ("\u{65E5}", 2),
    ("\u{D55C}", 2), ("\u{FF21}", 2), ("\u{200D}", 0), ("\u{2192}", 1), ("\u{2588}", 1),
    ("\u{7}", 0), ("\u{85}", 0), ("\u{2028}", 0),
  ])
  func `letters take the columns that curses gives them, whatever the locale`(
    text: String, columns: Int
  ) {
    // The tests run in the C locale, whose wcwidth knows only ASCII.
    #expect(Canvas.columns(of: text) == columns)
  }

  @Test func `a port with an emoji in its name does not misalign its row`() {
    var state = Self.state
    state.lines = [.init(name: "\u{26A1} Synth", Route()), .init(name: "Plain", Route())]
    let layout = ScreenLayout(state, width: 80, height: 24, symbols: .ascii)
    let rows = layout.canvas.lines.filter { $0.contains("Synth") || $0.contains("Plain") }
    #expect(rows.count == 2)
    #expect(Set(rows.map { Canvas.columns(of: $0) }).count == 1)
  }

  @Test func `wide letters take two columns, control characters none`() {
    #expect(Canvas.columns(of: "日本") == 4)
    #expect(Canvas.columns(of: "a\u{1B}[31m") == 5)
    var canvas = Canvas(width: 5, height: 1)
    canvas.put("日本語", x: 0, y: 0)
    #expect(canvas.lines == ["日本"])
    #expect(Canvas.fit("Prøve 日本:1", 9, mark: "~") == "Prøve 日~")
  }

  @Test(arguments: [
    (Int64(10_000), "Grave"), (39_999, "Grave"), (40_000, "Largo"), (60_000, "Larghetto"),
    (66_000, "Adagio"), (76_000, "Andante"), (107_999, "Andante"), (108_000, "Moderato"),
    (120_000, "Allegro"), (168_000, "Presto"), (200_000, "Prestissimo"), (400_000, "Prestissimo"),
  ])
  func `tempos have their Italian names`(milliBPM: Int64, name: String) {
    #expect(Tempo(clamping: milliBPM).italianName == name)
  }
}
