import MIDIClock
import Testing

@testable import MetronomeCore
@testable import midimetro

/// The lines that only a machine with a sequencer or a sound card would write.
struct JSONLinesTests {
  private static let origin = HostTime(nanoseconds: 5_000_000_000_123)
  private static let dispatch = DispatchSelection(
    mode: .precise, reason: .priority(50), warnings: [])

  @Test func `play begins with what it has opened`() throws {
    let line = PlayReporter.opening(
      Tempo(clamping: 133_700), .common, Self.dispatch, client: 128,
      destinations: ["TR-8S:\"A\"", "Volca:MIDI 1"], sources: ["LPD8:MIDI 1"],
      origin: Self.origin)
    #expect(
      line == #"{"type":"playing","bpm":133.7,"meter":"4/4","dispatch":"precise","#
        + #""reason":"our own thread has real-time priority 50","client":128,"#
        + #""destinations":["TR-8S:\"A\"","Volca:MIDI 1"],"sources":["LPD8:MIDI 1"],"#
        + #""origin_ns":5000000000123}"#)
    #expect(try StrictJSON.faults(in: line, of: .play) == [])
    let bare = PlayReporter.opening(
      .standard, .common,
      DispatchSelection(mode: .precise, reason: .noSequencer, warnings: []), client: nil,
      destinations: [], sources: [], origin: .zero)
    #expect(bare.contains(#""client":null,"destinations":[],"sources":[],"origin_ns":0}"#))
    #expect(try StrictJSON.faults(in: bare, of: .play) == [])
  }

  @Test func `follow begins with what it has opened`() throws {
    let reporter = FollowReporter(
      form: .json, origin: Self.origin,
      score: Score(pattern: .common, tempo: .standard))
    let line = reporter.opening(client: 129, destinations: ["TR-8S:MIDI 1"])
    #expect(
      line == #"{"type":"following","meter":"4/4","client":129,"#
        + #""destinations":["TR-8S:MIDI 1"],"origin_ns":5000000000123}"#)
    #expect(try StrictJSON.faults(in: line, of: .follow) == [])
  }

  private static let uses: [(PortInfo.Capabilities, String?)] = [
    ([.writable, .writeSubscribable], #"["to"]"#),
    ([.readable, .readSubscribable], #"["from"]"#),
    ([.readable, .readSubscribable, .writable, .writeSubscribable], #"["to","from"]"#),
    ([.readable, .writable], nil),
  ]

  @Test(arguments: uses)
  func `a port that can be connected has a line`(
    capabilities: PortInfo.Capabilities, uses: String?
  ) throws {
    let line = Ports.json(
      PortInfo(
        address: PortAddress(client: 24, port: 1), clientName: SequencerName("TR-8S"),
        name: SequencerName("MIDI\u{7}"), capabilities: capabilities))
    let wanted = uses.map {
      #"{"type":"port","address":"24:1","client":"TR-8S","port":"MIDI\#u{FFFD}","use":\#($0)}"#
    }
    #expect(line == wanted)
    if let line { #expect(try StrictJSON.faults(in: line, of: .ports) == []) }
  }

  @Test(arguments: [Verb.play, .follow, .tap])
  func `the sound says what it has opened and how it went`(verb: Verb) throws {
    let reporter = SoundReporter(form: .json)
    let opened = SoundOpened(
      driver: "alsa:hw:1", reason: .askedFor, sound: "wood", rate: 48_000, block: 256,
      buffer: 1_024, latency: HostTime.Span(nanoseconds: 21_333_333), delay: .zero)
    guard case .line(let line)? = reporter.say(.ready(opened)) else {
      throw Unexpected(text: "no line")
    }
    #expect(
      line == #"{"type":"sound","driver":"alsa:hw:1","reason":"asked for","sound":"wood","#
        + #""rate":48000,"block":256,"buffer":1024,"latency_ns":21333333,"delay_ns":0}"#)
    #expect(try StrictJSON.faults(in: line, of: verb) == [])
    var tally = SoundTally(clicks: 12, late: 1, missed: 2, interruptions: 3)
    #expect(reporter.summary(tally) == nil)
    tally.rate = .nan
    #expect(reporter.summary(tally) == nil)
    tally.rate = 47_999.98765
    let summary = try #require(reporter.summary(tally))
    #expect(
      summary == #"{"type":"sound_summary","clicks":12,"late":1,"missed":2,"interruptions":3,"#
        + #""rate":47999.988}"#)
    #expect(try StrictJSON.faults(in: summary, of: verb) == [])
  }

  private static let measured: [(stamps: [Int64], gap: HostTime.Span?)] = [
    ([0, 1_000_000, 1_999_000, 3_002_000], .zero), ([7, 1_000_007, 2_000_007], nil),
  ]

  @Test(arguments: measured)
  func `bench writes one line, whatever it measured`(
    micros: [Int64], gap: HostTime.Span?
  ) throws {
    let stamps = micros.map { HostTime(nanoseconds: $0 * 1_000) }
    let tempo = Tempo(clamping: 400_000)
    let statistics = try #require(GridStatistics(stamps, tempo: tempo))
    let options = try BenchOptions(Arguments.parse(["400", "--json"], for: .bench))
    var tally = EngineTally()
    tally.pulses = 5
    let text = Bench.json(
      statistics, options, tally, Self.dispatch, gap, 1)
    #expect(text.hasSuffix("\n"))
    let line = String(text.dropLast())
    #expect(try StrictJSON.faults(in: line, of: .bench) == [])
    let json = try StrictJSON.parse(line)
    #expect(json["bpm"] == .number("400.0"))
    #expect(json["pulses"] == .number("\(stamps.count)"))
    #expect(json["sent"] == .number("5") && json["overruns"] == .number("1"))
    #expect(json["start_gap_us"] == (gap == nil ? .null : .number("0.0")))
    #expect(
      json["interval_max_us"] == .number(micros.count == 4 ? "1003000.0" : "1000000.0"))
  }

  @Test func `a judge of lines that is itself judged`() throws {
    let good = #"{"type":"clock_lost","time":1.5}"#
    #expect(try StrictJSON.faults(in: good, of: .follow) == [])
    #expect(try !StrictJSON.faults(in: good, of: .play).isEmpty)
    for line in [
      #"{"type":"clock_lost"}"#, #"{"type":"clock_lost","time":"1.5"}"#,
      #"{"type":"clock_lost","time":null}"#, #"{"type":"clock_lost","time":1.5,"port":"x"}"#,
      #"{"time":1.5}"#, #"{"type":"x"}"#,
    ] {
      #expect(try !StrictJSON.faults(in: line, of: .follow).isEmpty, "\(line)")
    }
    let inner = #"{"type":"summary","pulses":1,"beats":1,"bpm":1.0,"missing":0,"extra":0,"#
    #expect(
      try StrictJSON.faults(
        in: inner + #""lateness_us":{"median":1.0,"p99":1.0,"max":1.0}}"#, of: .play) == [])
    #expect(
      try !StrictJSON.faults(in: inner + #""lateness_us":{"median":1.0,"p99":1.0}}"#, of: .play)
        .isEmpty)
  }
}
