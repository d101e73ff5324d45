import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

/// The output of `tap` for taps in a log.
private struct Heard {
  let text: [String]
  private let isJSON: Bool

  /// Reads `lines` with the options `words`.
  init(_ lines: [String], _ words: [String] = ["--json"]) throws {
    let command: Command
    do throws(Failure) {
      command = try Command(["tap", "--replay", "x"] + words, environment: plainHome)
    } catch { throw Unexpected(text: error.message) }
    let options: TapOptions = try options(of: command)
    var session = TapSession(options, origin: .zero, sources: options.sources)
    var said: [String] = []
    for line in lines {
      guard let message = try LogLine.parse(Array(line.utf8)[...]) else { continue }
      session.take(message, &said)
    }
    session.end(&said)
    text = said
    isJSON = words.contains("--json")
  }

  /// Reads taps on key 36 at `milliseconds`.
  init(taps milliseconds: [Int64], _ words: [String] = ["--json"]) throws {
    try self.init(
      milliseconds.map { "\(LogLine.seconds(.zero + .milliseconds($0))) 99 24 60" }, words)
  }

  private func all(_ type: String) throws -> [StrictJSON.Value] {
    try text.map(StrictJSON.parse).filter { $0["type"] == .string(type) }
  }

  /// The tempo after each tap; `nil` if unknown.
  func tempos() throws -> [Double?] {
    try all("tap").map { if case .number(let bpm)? = $0["bpm"] { Double(bpm) } else { nil } }
  }

  func reasons() throws -> [String] {
    try all("ignored").map { if case .string(let reason)? = $0["reason"] { reason } else { "" } }
  }

  func warnings() throws -> Int { try all("warning").count }
}

struct TapReplayTests {
  @Test func `a port that the log does not have is refused, with a list of those it has`() throws {
    let log = ["0 @a 99 24 60", "0.5 @b 99 24 60", "1 99 24 60"]
    let heard = try Heard(log, ["--json", "--from", "c"])
    #expect(heard.text.first?.contains("nothing in the log is from @c; it has @a, @b") == true)
    #expect(try heard.warnings() == 1)
    #expect(try Heard(log, ["--json", "--from", "b"]).warnings() == 0)
    #expect(try Heard(["0 @b 89 24 60"], ["--json", "--from", "b"]).warnings() == 0)
  }

  @Test func `the JSON lines match the contract`() throws {
    let heard = try Heard([
      "# a pad", "0.0 @24:0 99 24 60", "0.02 @24:0 99 24 30", "0.3 @24:0 89 24 00",
      "0.625 @24:0 99 24 60", "0.7 @24:0 99 24 00", "1.25 @24:0 99 24 60", "1.3 @24:0 FE",
    ])
    #expect(
      heard.text.map { $0.split(separator: ",\"uncertainty").first.map(String.init) ?? "" } == [
        #"{"type":"source","time":0.0,"port":"24:0","name":"24:0"}"#,
        #"{"type":"tap","time":0.0,"taps":1,"bpm":null,"spread_ms":null"#,
        #"{"type":"ignored","time":0.02,"reason":"bounce"}"#,
        #"{"type":"ignored","time":0.3,"reason":"release"}"#,
        #"{"type":"tap","time":0.625,"taps":2,"bpm":96.0,"spread_ms":null"#,
        #"{"type":"ignored","time":0.7,"reason":"release"}"#,
        #"{"type":"tap","time":1.25,"taps":3,"bpm":96.0,"spread_ms":0.0"#,
        #"{"type":"summary","pulses":0,"beats":3,"bpm":96.0,"missing":0,"extra":1,"taps":3,"ignored":3}"#,
      ])
    #expect(heard.text.count == 8)
  }

  @Test func `F55 three taps in a second are 120, and so are seven in three`() throws {
    #expect(try Heard(taps: [0, 500, 1_000]).tempos() == [nil, 120, 120])
    #expect(try Heard(taps: [0, 500, 1_000, 1_500, 2_000, 2_500, 3_000]).tempos().last == 120)
  }

  @Test func `F56 a real change of tempo takes over`() throws {
    let tempos = try Heard(taps: [0, 500, 1_000, 1_500, 2_500, 3_500, 4_500, 5_500]).tempos()
    #expect((tempos[6] ?? 0) < 90)
    #expect(((tempos[7] ?? 0) - 60).magnitude <= 1)
  }

  @Test func `F57 a late first tap does not bias the tempo`() throws {
    let tempo = try #require(Heard(taps: [120, 500, 1_000, 1_500, 2_000]).tempos().last ?? nil)
    #expect((tempo - 120).magnitude <= 1.5)
  }

  @Test(
    arguments: [([0, 667, 1_333, 2_000], 90), ([0, 1_500, 3_000, 4_500], 40)] as [([Int64], Double)]
  )
  func `F58 slow tempos can be tapped`(taps: [Int64], bpm: Double) throws {
    let tempo = try #require(Heard(taps: taps).tempos().last ?? nil)
    #expect((tempo - bpm).magnitude <= 0.2)
  }

  @Test func `F59 a gap out of range starts a new first tap`() throws {
    #expect(try Heard(taps: [0, 5_000, 5_500]).tempos() == [nil, nil, 120])
  }

  @Test func `F91 note-ons alone tap, a note-off alone does not`() throws {
    #expect(try Heard(taps: [0, 500, 1_000]).tempos().last == 120)
    let heard = try Heard(["0 89 24 00", "0.5 89 24 00"])
    #expect(try heard.tempos().isEmpty)
    #expect(try heard.reasons() == ["release", "release"])
  }

  @Test func `a pedal taps by its edge`() throws {
    let heard = try Heard([
      "0 B0 40 7F", "0.2 B0 40 00", "0.5 B0 40 40", "0.52 B0 40 7F", "0.7 B0 40 3F", "1 B0 40 50",
    ])
    #expect(try heard.tempos() == [nil, 120, 120])
    #expect(try heard.reasons() == ["release", "release"])
  }

  @Test func `only selected controls tap; the rest is reported as filtered`() throws {
    let heard = try Heard(
      ["0 99 24 60", "0.5 99 26 60", "0.5 90 24 60", "0.6 99 24 10", "0.75 99 24 60"],
      ["--json", "--tap-note", "36", "--tap-channel", "10", "--tap-velocity", "17"])
    #expect(try heard.tempos() == [nil, 80])
    #expect(try heard.reasons() == ["filtered", "filtered", "filtered"])
  }

  @Test func `the first port that taps is chosen; another is reported once and ignored`() throws {
    let lines = ["0 @1:0 99 24 60", "0.2 @2:0 99 24 60", "0.5 @1:0 99 24 60", "0.6 @2:0 99 24 60"]
    let heard = try Heard(lines)
    #expect(try heard.tempos() == [nil, 120])
    #expect(try heard.warnings() == 1)
    let named = try Heard(lines, ["--json", "--from", "2:0"])
    #expect(try named.tempos() == [nil, 150])
    #expect(try named.warnings() == 0)
    let both = try Heard(
      ["0 @1:0 99 24 60", "0.5 @2:0 99 24 60"], ["--json", "--from", "1:0", "--from", "2:0"])
    #expect(try both.tempos() == [nil, 120])
  }

  @Test func `tempos are rounded and units applied as requested`() throws {
    let taps: [Int64] = [0, 497, 1_003, 1_500]
    #expect(try Heard(taps: taps, ["--json", "--tap-round", "1"]).tempos().last == 120)
    let dotted = try Heard(taps: [0, 750, 1_500], ["--json", "--tap-unit", "3/8"])
    #expect(try dotted.tempos().last == 120)
  }

  @Test func `plain lines report taps and attempts to tap`() throws {
    let heard = try Heard(
      [
        "0 99 24 60", "0.03 99 24 40", "0.3 89 24 00", "0.5 99 24 60", "1 99 24 60", "1.1 99 30 60",
      ],
      ["--tap-note", "36"])
    #expect(
      heard.text == [
        "tap 1", "ignored: bounce", "tap 2  q=120.0",
        "tap 3  q=120.0  +-2.08, taps within 0.0 ms", "3 taps; q=120.0; 1 ignored",
      ])
  }

  @Test func `a hit is learned, its release is not`() throws {
    let heard = try Heard(["0 89 26 00", "1 @LPD8 99 26 50", "2 99 27 50"], ["--learn"])
    #expect(
      heard.text == [
        "\"LPD8\" sends note 38 on channel 10",
        "to tap on it:        midimetro play --tap-from LPD8 --tap-note 38 --tap-channel 10",
        "to see its tempo:    midimetro tap --from LPD8 --tap-note 38 --tap-channel 10",
        "to play and stop:    midimetro play --tap-from LPD8 --control note:38@10=toggle",
      ])
    let pedal = try Heard(["0 B3 40 7F"], ["--learn", "--json"])
    #expect(
      pedal.text == [
        #"{"type":"learned","time":0.0,"port":"","name":"","cc":64,"channel":4,"strength":127,"#
          + #""tap":"--tap-cc 64 --tap-channel 4","control":"--control cc:64@4=toggle"}"#
      ])
  }
}

/// The effects of the options about taps.
struct TapOptionsTests {
  @Test func `pads, their filter and their functions`() throws {
    let options = try played([
      "--tap-from", "LPD8", "--tap-note", "36", "--tap-min", "3", "--tap-phase", "--tap-round",
      "0.5", "--control", "note:37=toggle", "--control-from", "Pedal", "--control", "cc:64@2=stop",
    ])
    #expect(
      options.settings.sources == [
        .init(address: "LPD8", canTap: true), .init(address: "Pedal", canTap: false),
      ])
    #expect(!options.settings.waits)
    #expect(options.tapping.steering.least == 3)
    #expect(options.tapping.steering.setsPhase)
    #expect(options.tapping.steering.step == 500)
    #expect(
      options.tapping.controls.bindings == [
        .init(kind: .note(37), channel: nil, action: .toggle),
        .init(kind: .controller(64), channel: 1, action: .stop),
      ])
    let tap = PadHit(kind: .note(36), channel: 5, isPress: true, strength: 1)
    #expect(options.tapping.filter.judge(tap) == .tap)
  }

  @Test func `F60 the default is four taps`() throws {
    #expect(try played(["--tap-from", "x"]).tapping.steering.least == 4)
    #expect(try played([]).settings.sources.isEmpty)
  }

  @Test func `a tapped start waits`() throws {
    let options = try played(["--tap-from", "x", "--start-on-tap", "4"])
    #expect(options.settings.waits)
    #expect(options.tapping.steering.startTaps == 4)
  }

  @Test func `pads on the command line replace those of the config file`() throws {
    let environment = home(config: "tap-from = A\ntap-note = 36\ntap-min = 8\n")
    let options = try played(["--tap-from", "B", "--tap-note", "40"], environment)
    #expect(options.settings.sources == [.init(address: "B", canTap: true)])
    #expect(options.tapping.steering.least == 8)
    let old = PadHit(kind: .note(36), channel: 9, isPress: true, strength: 100)
    #expect(options.tapping.filter.judge(old) == .filtered)
  }

  @Test(arguments: [
    (["--tap-note", "36"], "--tap-note needs --tap-from ADDR: where the pad or pedal is"),
    (["--tap-phase"], "--tap-phase needs --tap-from ADDR: where the pad or pedal is"),
    (["--start-on-tap", "4"], "--start-on-tap needs --tap-from ADDR: where the pad or pedal is"),
    (
      ["--control", "cc:64=stop"],
      "--control needs --tap-from ADDR or --control-from ADDR: where the pad or pedal is"
    ),
    (
      ["--control-from", "x"], "--control-from needs --control, such as --control note:37=toggle"
    ),
    (
      ["--tap-from", "x", "--start-on-tap", "4", "--count-in", "1"],
      "--start-on-tap and --count-in contradict each other; give one of them"
    ),
    (
      ["--tap-from", "x", "--dry-run", "--bars", "1"],
      "--dry-run opens nothing, so --tap-from cannot be listened to; leave one out"
    ),
    (["--tap-from", " "], "--tap-from: ' ' names no source"),
    (
      ["--tap-from", "x", "--tap-note", "128"],
      "--tap-note: '128' is not a whole number from 0 to 127"
    ),
    (["--tap-from", "x", "--tap-min", "1"], "--tap-min: '1' is not a whole number from 2 to 32"),
    (
      ["--tap-from", "x", "--tap-unit", "1/7"],
      "--tap-unit: '1/7' is not a note value, such as 1/4, 1/8 or 3/8"
    ),
    (
      ["--tap-from", "x", "--control", "note:37"],
      "--control: 'note:37' binds no pad: write note:37=toggle, note:37@10=stop (channel 10) or"
        + " cc:64=restart; the actions are toggle, stop, continue, restart, tap"
    ),
    (
      ["follow", "--tap-from", "x"],
      "midimetro follow does not take --tap-from, since the clock that is followed sets the"
        + " tempo; taps steer midimetro play"
    ),
    (["tap", "120"], "unexpected argument '120'; see midimetro help tap"),
    (
      ["tap", "--replay", "x", "--log", "y"],
      "--replay and --log contradict each other; give one of them"
    ),
  ])
  func `an impossible combination is refused before anything is opened`(
    words: [String], message: String
  ) {
    #expect(refusal(words)?.message == message)
    #expect(refusal(words)?.status == .usage)
  }
}

/// The effects of pads on a program that plays.
struct PlayPadsTests {
  private func pads(_ words: String...) throws -> PlayPads {
    PlayPads(try played(["--tap-from", "x", "--json"] + words), origin: .zero)
  }

  private func hit(_ key: UInt8, _ seconds: Double, canTap: Bool = true) -> PlaySession.Hearing {
    // In the future, so that nothing counts as older than the pads.
    PlaySession.Hearing(
      time: SystemClock.now + .seconds(100) + .microseconds(Int64(seconds * 1e6)),
      message: .noteOn(channel: 9, key: key, velocity: 100),
      source: PortAddress(client: 128, port: 0), canTap: canTap)
  }

  private func hits(_ key: UInt8, _ seconds: [Double]) -> [PlaySession.Hearing] {
    let base = SystemClock.now + .seconds(100)
    return seconds.map {
      var hearing = hit(key, 0)
      hearing = PlaySession.Hearing(
        time: base + .microseconds(Int64(($0 * 1e6).rounded())), message: hearing.message,
        source: hearing.source, canTap: true)
      return hearing
    }
  }

  @Test func `F60 on stage one, two and three taps change nothing`() throws {
    var pads = try pads()
    let changes = hits(36, [0, 0.5, 1, 1.5]).map { pads.receive($0).changes }
    #expect(changes == [[], [], [], [.tempo(.standard)]])
  }

  @Test func `a pad on a click's key is reported once, with the reason why it does not tap`() throws
  {
    var pads = try pads("--tap-note", "34")
    let lines = hits(34, [0, 0.5, 1]).map { pads.receive($0).line ?? "" }
    #expect(lines[0].contains("\"warning\"") && lines[0].contains("note 34 on channel 10"))
    #expect(lines.dropFirst().allSatisfy { $0.contains("\"filtered\"") })
    // With the clicks on other keys, it taps.
    var other = try self.pads("--tap-note", "34", "--channel", "16")
    #expect(hits(34, [0]).map { other.receive($0).line ?? "" }[0].contains("\"tap\""))
  }

  @Test func `F92 hits before the start or a pause are discarded`() throws {
    var pads = try pads()
    let early = PlaySession.Hearing(
      time: SystemClock.now - .seconds(10), message: .noteOn(channel: 9, key: 36, velocity: 9),
      source: PortAddress(client: 128, port: 0), canTap: true)
    for _ in 0..<5 {
      let (changes, line) = pads.receive(early)
      #expect(changes.isEmpty && line == nil)
    }
    let taps = hits(36, [0, 0.5, 1, 1.5, 2])
    for tap in taps.prefix(3) { _ = pads.receive(tap) }
    pads.forget(before: taps[3].time)
    #expect(pads.receive(taps[2]).line == nil)
    #expect(pads.receive(taps[3]).changes.isEmpty)
    #expect(pads.receive(taps[4]).changes.isEmpty)
  }

  @Test func `toggle stops and continues, restart goes to the top, each is reported`() throws {
    var pads = try pads("--control", "note:40=toggle", "--control", "note:41=restart")
    #expect(pads.receive(hit(40, 0)).changes == [.transport(.stop)])
    #expect(!pads.isPlaying)
    let (changes, line) = pads.receive(hit(40, 1))
    #expect(changes == [.transport(.continue)])
    #expect(line?.contains(#""type":"control""#) == true)
    #expect(line?.contains(#""action":"toggle""#) == true)
    #expect(pads.receive(hit(41, 2)).changes == [.transport(.start)])
  }

  @Test func `four taps count in the first song and, after a stop, the next`() throws {
    var pads = try pads("--start-on-tap", "4", "--control", "note:40=stop")
    let taps = hits(36, [0, 0.5, 1, 1.5, 5, 5.5, 6, 6.5])
    for tap in taps.prefix(3) { #expect(pads.receive(tap).changes.isEmpty) }
    #expect(!pads.isPlaying)
    let next = taps[3].time + .milliseconds(500)
    #expect(pads.receive(taps[3]).changes == [.startOnBeat(.standard, at: next)])
    #expect(pads.isPlaying)
    #expect(pads.receive(hit(40, 2)).changes == [.transport(.stop)])
    for tap in taps[4..<7] { #expect(pads.receive(tap).changes.isEmpty) }
    #expect(
      pads.receive(taps[7]).changes
        == [.startOnBeat(.standard, at: taps[7].time + .milliseconds(500))])
  }

  @Test func `a port named only for its controls does not tap`() throws {
    var pads = try pads()
    for seconds in [0, 0.5, 1, 1.5, 2] {
      let (changes, line) = pads.receive(hit(36, seconds, canTap: false))
      #expect(changes.isEmpty && line == nil)
    }
  }
}
