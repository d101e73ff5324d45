import TestSupport
import Testing

@testable import MIDIClock

struct ScoreTextTests {
  private func read(
    _ text: String, _ defaults: ScoreReading.Defaults = .init()
  ) throws -> ScoreReading {
    try ScoreReading(Array(text.utf8), defaults: defaults)
  }

  private func complaints(_ text: String) -> [String] {
    do throws(ScoreReading.Refusal) {
      _ = try ScoreReading(Array(text.utf8))
      return []
    } catch { return error.complaints.map(\.description) }
  }

  private func instant(_ reading: ScoreReading, bar: Int64) -> Double {
    let score = reading.score
    return Double(score.tempoMap().time(of: score.start(ofBar: bar)).nanoseconds) / 1e9
  }

  // MARK: Sections

  @Test func `bars, meter, tempo and accents persist when left out`() throws {
    let reading = try read(
      """
      # a song
      Intro: 2 3/4 q=90 Xmx   # three in a bar
      4 120
      Last verse : 1 7/8=2+2+3
      * 1/8=120
      """)
    let passages = reading.score.passages
    #expect(
      passages.map(\.span.pattern.meter.description) == ["3/4", "3/4", "7/8=2+2+3", "7/8=2+2+3"])
    #expect(passages.map(\.pace.tempo.description) == ["90", "120", "120", "60"])
    #expect(passages.map(\.span.bar) == [1, 3, 7, 8])
    #expect(passages.map { $0.span.pattern.accent(ofClick: 1).letter } == ["m", "m", "x", "x"])
    #expect(passages.map(\.start.count) == [0, 5_760, 17_280, 20_640])
    #expect(reading.score.end == nil)
    #expect(reading.score.parts == ["Intro", "Last verse"])
    #expect(passages.map(\.part?.index) == [0, 0, 1, 1])
    #expect(passages.map(\.part?.start.count) == [0, 0, 17_280, 17_280])
    #expect(reading.score.name(ofPartBegunAt: Tick(17_280)) == "Last verse")
    #expect(reading.score.name(ofPartBegunAt: Tick(20_640)) == nil)
    #expect(reading.score.part(at: Tick(10_000)).map { reading.score.parts[$0.index] } == "Intro")
    #expect(reading.score.part(at: Tick(-1)) == nil)
    #expect(reading.namesTempo && reading.namesMeter)
  }

  @Test func `F79 the first section defaults to 120 and 4/4`() throws {
    let reading = try read("4\n8 90")
    #expect(instant(reading, bar: 5) == 8)
    #expect(!reading.namesTempo && !reading.namesMeter)
    let other = try read("4", .init(tempo: Tempo(clamping: 60_000), meter: Meter(text: "3/4")))
    #expect(other.score.passages[0].pace == Pace(Tempo(clamping: 60_000)))
    #expect(other.score.end == Tick(4 * 3 * 960))
  }

  // F72, F73 and F78 are about times after earlier changes.
  @Test func `F78 a bar comes when all before it have passed`() throws {
    let reading = try read("3 55\n9 95")
    #expect(abs(instant(reading, bar: 4) - 13.090_909) < 1e-6)
    let length = instant(reading, bar: 5) - instant(reading, bar: 4)
    #expect(abs(length - 2.526_316) < 1e-6)
  }

  @Test func `clicks per beat and swing apply to all sections`() throws {
    let reading = try read(
      "4\n4 3/4 XxxxXx", .init(subdivision: 2, swing: 60_000))
    #expect(reading.score.passages.allSatisfy { $0.span.pattern.subdivision == 2 })
    #expect(reading.score.passages.allSatisfy { $0.span.pattern.swing == 60_000 })
    #expect(reading.score.passages[1].span.pattern.accent(ofClick: 4) == .strong)
  }

  // MARK: Ramps and changes inside

  @Test func `F74 a ramp is linear in beats, reaches its tempo, and the next section keeps it`()
    throws
  {
    let reading = try read("1 60-120\n1")
    let map = reading.score.tempoMap()
    let end = Double(map.time(of: Tick(3_840)).nanoseconds) / 1e9
    #expect(abs(end - 2.772_588_722) < 1e-8)
    #expect(reading.score.passages[1].pace == Pace(Tempo(clamping: 120_000)))
    #expect(map.segment(at: Tick(1_920)).tempo(at: Tick(1_920)) == Tempo(clamping: 90_000))
  }

  @Test func `the second tempo of a ramp has the unit of the first, or its own`() throws {
    for text in ["2 1/8=120-240", "2 1/8=120-q=120", "2 60-1/8=240"] {
      let passage = try read(text).score.passages[0]
      #expect(passage.pace == Pace(Tempo(clamping: 60_000)))
      #expect(passage.ramp == TempoMap.Ramp(target: Tempo(clamping: 120_000), ticks: 7_680))
    }
    #expect(try read("2 90-90").score.passages[0].ramp == nil)
  }

  @Test func `a change inside a section can be in the middle of a beat`() throws {
    let reading = try read("4 120\nat 2:3.5 150\nat 4:1 150-100\n2")
    let passages = reading.score.passages
    #expect(passages.map(\.start.count) == [0, 6_240, 11_520, 15_360])
    #expect(passages.map(\.span.bar) == [1, 1, 1, 5])
    #expect(passages[2].ramp == TempoMap.Ramp(target: Tempo(clamping: 100_000), ticks: 3_840))
    #expect(passages[3].pace == Pace(Tempo(clamping: 100_000)))
    // 6.5 quarters at 120, 5.5 at 150.
    let wanted: Double = 3.25 + 2.2
    #expect(abs(instant(reading, bar: 4) - wanted) < 1e-8)
  }

  @Test func `a section's ramp ends at the first change inside it`() throws {
    let passages = try read("4 60-120\nat 3:1 100").score.passages
    #expect(passages[0].ramp?.ticks == Int64(7_680))
  }

  @Test func `beats are in the meter's unit`() throws {
    let passages = try read("4 6/8\nat 2:4 100").score.passages
    #expect(passages[1].start.count == 4_320)
  }

  @Test func `the plan of a score keeps its count, and every pulse is on time`() throws {
    let reading = try read("1 3/4 90-150\n2 7/8 100\nat 3:2.25 200-60\n1 4/4")
    let score = reading.score
    var plan = Planner(score: score, routes: [Route(), .observer])
    let events = plan.take(untilMilliseconds: 60_000)
    let map = score.tempoMap()
    let last = try #require(score.end).count / 40
    let wanted = (0..<last).map { map.time(of: Tick(pulse: $0)).nanoseconds }
    #expect(Array(events.pulses().prefix(Int(last))) == wanted)
    #expect(events.heard().faults.isEmpty)
    #expect(
      events.beats.map(\.beat.position.description).prefix(5) == [
        "1|1|0", "1|2|0", "1|3|0", "2|1|0", "2|2|0",
      ])
    #expect(events.beats.last?.beat.position == Position(bar: 4, beat: 4))
  }

  // MARK: What is wrong

  @Test func `F84 a byte-order mark, tabs, CRLF, no final newline, and a bad line reported`() {
    let text =
      "\u{FEFF}# map\r\n\r\n1\t4/4\t120\r\n2 100 # slower\r\n\t\r\n3 3/4\r\n9 4/4 abc"
    #expect(
      complaints(text) == [
        "line 7: 'abc' is neither a meter (7/8), nor a tempo (120, 90-120), nor accents (XxmX.)"
      ])
    #expect(complaints(String(text.dropLast(4))).isEmpty)
  }

  // F82, too.
  @Test func `F83 all malformed tempos are reported with their lines`() {
    let told = complaints("4 0\n4 -5\n4 1e9\n4 12x\n4 120,5\n4 9\n4 120.0005\n4 100-500\n4 nan")
    #expect(told.count == 9)
    for (index, line) in told.enumerated() { #expect(line.hasPrefix("line \(index + 1): ")) }
    #expect(told[5].hasSuffix("10 to 400 quarter notes per minute"))
  }

  @Test(
    arguments: [
      ("x 120", "line 1: 'x' is not a number of bars"), ("0 120", "line 1: '0' is not a number of"),
      ("4 3/4 4/4", "line 1: '4/4' is a second meter"),
      ("4 90 100", "line 1: '100' is a second tempo"),
      ("Verse:", "line 1: how many bars?"), (": 4", "line 1: there is no name before the colon"),
      ("a\u{1B}[2J: 4", "line 1: there are control characters in its name"),
      ("* 90\n4 100", "line 2: line 1 goes on until stopped"),
      ("* 90-100", "line 1: a ramp needs a number of bars"),
      ("4 3/4 Xx", "line 1: 3/4: 2 accents for 3 beats"),
      ("at 2:1 90", "line 1: there is no section above it"),
      (
        "4 90\nat 5:1 90",
        "line 2: bar 5 is not in the section of line 1, which has the bars 1 to 4"
      ),
      ("4 90\nat 2:5 90", "line 2: a bar of 4/4 has 4 beats, so there is no beat 5"),
      ("4 90\nat 2:0.5 90", "line 2: '2:0.5' is not a place"),
      ("4 90\nat 2:2 95\nat 2:1 90", "line 3: it comes before the place of line 2"),
      ("4 90\nat 2:2 95\nat 2:2 90", "line 3: line 2 is for the same place"),
      ("4 90\nat 1:1 95", "line 2: the section of line 1 says the tempo of that place"),
      ("* 90\nat 3:1 95-100", "line 2: a ramp needs an end"),
      ("at 2:1", "line 1: write: at BAR:BEAT"),
      ("", "there is no section in it"), ("# nothing", "there is no section in it"),
      ("600000\n600000", "line 2: more than 1000000 bars in all"),
    ])
  func `a bad line is reported with what to write`(text: String, wanted: String) {
    let told = complaints(text)
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix(wanted) == true, "\(told)")
  }

  @Test func `a bad section causes no errors in the changes below it`() {
    #expect(complaints("4 90\n4 abc\nat 6:1 100\n4 100").count == 1)
  }

  @Test func `invalid UTF-8 is reported with its line`() {
    let bytes = Array("4 90\n4 ".utf8) + [0xFF, 0x0A]
    do throws(ScoreReading.Refusal) {
      _ = try ScoreReading(bytes)
      Issue.record("it was taken")
    } catch { #expect(error.complaints.map(\.line) == [2]) }
  }

  @Test func `F80 repeating the current tempo is not an error, and reading twice gives the same`()
    throws
  {
    let text = "4 100\n4 100\nat 6:1 100"
    #expect(try read(text).score == read(text).score)
  }

  // MARK: Typography and fractions

  @Test(
    arguments: [
      "4\u{A0}4/4\u{A0}90\u{2013}120", "4\u{2009}4/4\u{3000}90\u{2014}120", "4 4/4 90\u{2192}120",
      "4 4\u{2044}4 90\u{2212}120", "4 4/4 90->120", "4 4/4 \u{2669}=90\u{2011}120",
      "\u{FF14} \u{FF14}\u{FF0F}\u{FF14} \u{FF19}\u{FF10}\u{FF0D}120",
      "4\u{200B} 4/4 90-120\u{FEFF}",
      "4 4/4 \u{266A}=180-240", "4 4/4 90--120",
    ])
  func `N13 other blanks and dashes are read as what they show`(text: String) throws {
    #expect(try read(text).score == read("4 4/4 90-120").score)
  }

  @Test func `N13 a name keeps its characters, and a wide colon ends it`() throws {
    let score = try read("Re\u{2013}frain\u{A0}2\u{FF1A} 4 4/4 90").score
    #expect(score.parts == ["Re\u{2013}frain 2"])
  }

  @Test func `a meter in one group is a meter`() throws {
    let passage = try read("2 12/8=12 90").score.passages[0]
    #expect(passage.span.pattern.meter == (try Meter(text: "12/8=12")))
    #expect(passage.pace == Pace(Tempo(clamping: 90_000)))
    #expect(try read("2 4/4=4 100").score.passages[0].pace == Pace(Tempo(clamping: 100_000)))
    // Other numbers are tempos.
    #expect(try read("2 3/8=80").score.passages[0].pace == Pace(Tempo(clamping: 120_000)))
  }

  @Test func `a change can be at a fraction of a beat`() throws {
    let passages = try read("30 120\nat 25:3+1/3 100\nat 25:3+2/3 90\nat 26:4+959/960 80").score
      .passages
    let bar = Int64(24 * 3_840)
    #expect(passages.map(\.start.count) == [0, bar + 2_240, bar + 2_560, bar + 7_679])
    // To the nearest tick: a fifth of a sixteenth is 48 of 240.
    #expect(try read("2 6/16 120\nat 1:2+1/7 90").score.passages[1].start.count == 240 + 34)
    for place in ["2:3+1/0", "2:3+3/3", "2:3+1/961", "2:0+1/2", "2:3+1", "2:3.5+1/2", "2:3+-1/2"] {
      #expect(complaints("4 90\nat \(place) 100").first?.contains("is not a place") == true)
    }
  }

  @Test func `a ramp that is cut ends at its full target`() throws {
    let passages = try read("4 60-120\nat 2:1 100-140\nat 3:1 80").score.passages
    #expect(passages.map { $0.ramp?.ticks } == [3_840, 3_840, nil])
    #expect(passages.map { $0.ramp?.target.tempo.milliBPM } == [120_000, 140_000, nil])
    // Without an end of the section, the next change ends the ramp.
    let open = try read("* 90\nat 3:1 95-100\nat 5:1 80").score.passages
    #expect(open[1].ramp?.ticks == Int64(2 * 3_840))
  }

  @Test func `100 000 sections are read in linear time`() throws {
    func time(_ count: Int) throws -> Duration {
      let text = Array((0..<count).map { "1 1/4 \(100 + $0 % 50)\n" }.joined().utf8)
      let clock = ContinuousClock()
      return try clock.measure { _ = try ScoreReading(text) }
    }
    _ = try time(1_000)
    let few = try time(10_000)
    // Ten times as much work, with a margin for a busy machine; quadratic work would take 100 times.
    #expect(try time(100_000) < few * 40)
  }

  @Test func `random text never traps, and errors name their lines`() {
    var generator = SeededGenerator(seed: 28)
    let words = [
      "4", "*", "4/4", "7/8=2+2+3", "12/8=12", "90-120", "q=90", "1/8=100", "XxmX", "at", "2:3+1/3",
      "1:1", "Name:", "#", "\n", "\n", "\r\n", "\u{A0}", "\u{2013}", "999999", "0", "-", "=", "+",
      "/",
      "120.0005", "400", "10", "\u{2669}=", ":", "at 3:2.5 100-90",
    ]
    for _ in 0..<4_000 {
      let text = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
        words[Int.random(in: 0..<words.count, using: &generator)]
          + (Bool.random(using: &generator) ? " " : "")
      }.joined()
      do throws(ScoreReading.Refusal) {
        let score = try ScoreReading(Array(text.utf8)).score
        #expect(zip(score.passages, score.passages.dropFirst()).allSatisfy { $0.start < $1.start })
        _ = score.tempoMap().time(of: score.end ?? Tick(1_000_000))
      } catch {
        let count = text.utf8.count { $0 == 0x0A } + 1
        #expect(!error.complaints.isEmpty)
        #expect(error.complaints.allSatisfy { (1...count).contains($0.line ?? 1) })
      }
    }
    for _ in 0..<4_000 {
      var bytes = Array("Verse: 8 4/4 120\nat 2:3.5 100-90\n4 7/8=2+2+3 q=90 XxxxxxX\n".utf8)
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = try? ScoreReading(bytes)
    }
  }
}
