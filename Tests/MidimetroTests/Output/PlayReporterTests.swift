import MIDIClock
import Testing

@testable import MetronomeCore
@testable import midimetro

struct PlayReporterTests {
  private static let origin = HostTime(nanoseconds: 5_000_000_000_000)
  private static let tempo = Tempo(clamping: 133_700)

  private static func beat(
    _ bar: Int64, _ beat: Int64, _ accent: Accent, pulse: Int64, isCountIn: Bool = false,
    part: PlayedPart? = nil
  ) -> EngineReport.Kind {
    .plan(
      .beat(
        PlanReport.Beat(
          position: Position(bar: bar, beat: beat), accent: accent, pulse: pulse, tempo: tempo,
          isCountIn: isCountIn, part: part)))
  }

  private static let place = SongPosition(lowByte: 0x20, highByte: 0x01)

  /// Reports this many microseconds after pulse 0, in words and as JSON.
  private static let told: [(Int64, EngineReport.Kind, String?, String?)] = [
    (0, .plan(.pulse(isRolling: true)), nil, nil),
    (-1_000, .plan(.start), "start", #"{"type":"start","time":-0.001}"#),
    (250, .plan(.continue), "continue", #"{"type":"continue","time":0.00025}"#),
    (2_000_000, .plan(.stop), "stop", #"{"type":"stop","time":2.0}"#),
    (
      -11_000, .plan(.position(place, Position(bar: 11, beat: 1))), "position: bar 11, beat 1",
      #"{"type":"position","time":-0.011,"sixteenths":160,"bar":11,"beat":1}"#
    ),
    (
      500_000, .plan(.tempo(Tempo(clamping: 97_500))), "tempo: q=97.5",
      #"{"type":"tempo","time":0.5,"bpm":97.5}"#
    ),
    (
      0, beat(1, 1, .strong, pulse: 0), "1|1 strong",
      #"{"type":"beat","time":0.0,"bar":1,"beat":1,"accent":"strong","pulse":0,"bpm":133.7}"#
    ),
    (
      448_765, beat(1, 2, .weak, pulse: 24), "1|2",
      #"{"type":"beat","time":0.448765,"bar":1,"beat":2,"accent":"weak","pulse":24,"bpm":133.7}"#
    ),
    (
      1, beat(12, 3, .medium, pulse: 48), "12|3 medium",
      #"{"type":"beat","time":0.000001,"bar":12,"beat":3,"accent":"medium","pulse":48,"bpm":133.7}"#
    ),
    (
      1, beat(2, 4, .silent, pulse: 72), "2|4 silent",
      #"{"type":"beat","time":0.000001,"bar":2,"beat":4,"accent":"silent","pulse":72,"bpm":133.7}"#
    ),
    (
      -2_000_000, beat(0, 1, .strong, pulse: -96, isCountIn: true), "count-in 0|1 strong",
      #"{"type":"beat","time":-2.0,"bar":0,"beat":1,"accent":"strong","pulse":null,"bpm":133.7,"#
        + #""count_in":true}"#
    ),
    (0, .finished, nil, nil),
    (0, .refused(route: 0, code: -11), nil, nil),
  ]

  @Test(arguments: told.indices)
  func `events are reported in words or as JSON, or not at all`(index: Int) throws {
    let (time, kind, plain, json) = Self.told[index]
    let report = EngineReport(time: Self.origin + .microseconds(time), kind: kind)
    func line(_ form: OutputForm) -> String? {
      var reporter = PlayReporter(form: form, origin: Self.origin)
      return reporter.line(.engine(report.kind), at: report.time)
    }
    #expect(line(.plain) == plain)
    #expect(line(.json) == json)
    #expect(line(.quiet) == nil)
    if let json { _ = try StrictJSON.parse(json) }
  }

  @Test func `what becomes of a destination is a warning`() throws {
    var reporter = PlayReporter(form: .json, origin: Self.origin)
    let address = PortAddress(client: 24, port: 1)
    let error = ALSAError(operation: "snd_seq_subscribe_port", code: -16)
    let notices: [(ConnectionNotice, String)] = [
      (
        .lost(name: "A \"b\""),
        #"A \"b\" is gone; the rest plays on, and it is connected when it returns"#
      ),
      (.found(name: "A", address: address), "A is back at 24:1 and connected"),
      (.released(name: "A"), "A was disconnected by another program"),
      (
        .failed(name: "A", error),
        "A is back but cannot be connected: snd_seq_subscribe_port: Device or resource busy"
      ),
    ]
    for (notice, message) in notices {
      let said = reporter.line(.connection(notice, .destination), at: Self.origin + .seconds(3))
      let line = try #require(said)
      #expect(line == #"{"type":"warning","time":3.0,"message":"\#(message)"}"#)
      _ = try StrictJSON.parse(line)
    }
  }

  @Test func `a stall that was not caught up with is a warning`() throws {
    var reporter = PlayReporter(form: .json, origin: Self.origin)
    let report = EngineReport(
      time: Self.origin + .seconds(1), kind: .postpone(.milliseconds(5_250)))
    #expect(
      reporter.line(.engine(report.kind), at: report.time)
        == #"{"type":"warning","time":1.0,"message":"held up for 5.25 s;"#
        + #" going on from where it was, without catching up"}"#)
  }

  private static let dispatch = DispatchSelection(mode: .precise, reason: .askedFor, warnings: [])

  private static var tally: EngineTally {
    var tally = EngineTally()
    tally.pulses = 320
    tally.beats = 14
    tally.postponements = 1
    tally.refused = 2
    for late in [1, 2, 3, 4, 90] as [Int64] { tally.lateness.record(.microseconds(late)) }
    return tally
  }

  @Test func `the last line sums up`() throws {
    func summary(_ form: OutputForm, _ tally: EngineTally) -> String? {
      PlayReporter(form: form, origin: Self.origin)
        .summary(tally, Self.dispatch, Self.tempo)
    }
    #expect(summary(.quiet, Self.tally) == nil)
    #expect(summary(.plain, EngineTally()) == "0 pulses, 0 beats")
    let plain = try #require(summary(.plain, Self.tally))
    #expect(plain.hasPrefix("320 pulses, 14 beats; own lateness: median 3."))
    #expect(plain.hasSuffix(" us, max 90.0 us"))

    let json = try StrictJSON.parse(try #require(summary(.json, Self.tally)))
    #expect(json["type"] == .string("summary"))
    #expect(json["pulses"] == .number("320"))
    #expect(json["beats"] == .number("14"))
    #expect(json["bpm"] == .number("133.7"))
    #expect(json["missing"] == .number("0"))
    #expect(json["extra"] == .number("0"))
    #expect(json["dispatch"] == .string("precise"))
    #expect(json["put_off"] == .number("1"))
    #expect(json["refused"] == .number("2"))
    #expect(json["lateness_us"]?["max"] == .number("90.0"))
    let nothing = try StrictJSON.parse(try #require(summary(.json, EngineTally())))
    #expect(nothing["lateness_us"] == nil)
  }

  @Test func `the summary has the tempo last told`() throws {
    let planner = Planner(
      score: Score(pattern: .common, tempo: Self.tempo), routes: [.observer])
    var plan = planner.copy()
    var performed = PlanSnapshot.Performed(before: plan.planned)
    performed.take(.tempo(Tempo(clamping: 60_000)), at: Self.origin, pattern: nil)
    let line = try #require(
      PlayReporter(form: .json, origin: Self.origin)
        .summary(Self.tally, Self.dispatch, performed.tempo))
    #expect(try StrictJSON.parse(line)["bpm"] == .number("60.0"))
  }

  @Test func `the first beat of a named part gives its name`() {
    let part = PlayedPart(index: 0, pass: 2, start: Tick(pulse: 96))
    for (form, wanted) in [
      (OutputForm.plain, "2|1 strong Verse"),
      (
        .json,
        #"{"type":"beat","time":0.0,"bar":2,"beat":1,"accent":"strong","pulse":96,"bpm":133.7,"#
          + #""section":"Verse"}"#
      ),
    ] {
      var reporter = PlayReporter(
        form: form, origin: Self.origin, parts: ["Verse"])
      func line(_ kind: EngineReport.Kind) -> String? {
        reporter.line(.engine(kind), at: Self.origin)
      }
      #expect(line(Self.beat(2, 1, .strong, pulse: 96, part: part)) == wanted)
      #expect(line(Self.beat(2, 2, .weak, pulse: 120, part: part))?.contains("Verse") == false)
      #expect(
        line(Self.beat(0, 1, .strong, pulse: 96, isCountIn: true, part: part))?.contains("Verse")
          == false)
    }
  }

  @Test func `singular and plural agree with the count`() {
    #expect(Words.count(1, "pulse") == "1 pulse")
    #expect(Words.count(0, "pulse") == "0 pulses" && Words.count(-1, "beat") == "-1 beats")
  }
}
