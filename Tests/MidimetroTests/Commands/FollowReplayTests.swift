import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

/// The options of a `follow` command line.
private func followed(
  _ words: [String], _ environment: Environment = plainHome
) throws -> FollowOptions {
  let command: Command
  do throws(Failure) {
    command = try Command(["follow"] + words, environment: environment)
  } catch { throw Unexpected(text: error.message) }
  return try options(of: command)
}

/// Builds a log.
private struct Log {
  var lines: [String] = []
  var time = 0.0

  /// Adds `hex` at `time`, in seconds.
  mutating func add(_ hex: String, at time: Double? = nil, port: String? = nil) {
    let stamp = LogLine.seconds(
      HostTime(nanoseconds: Int64(((time ?? self.time) * 1e9).rounded())))
    lines.append("\(stamp) \(port.map { "@\($0) " } ?? "")\(hex)")
  }

  /// Adds `count` pulses at `bpm` from `time` on, each delayed by `late`.
  mutating func clock(
    _ count: Int, bpm: Double = 120, port: String? = nil, late: (Int) -> Double = { _ in 0 }
  ) {
    for pulse in 0..<count {
      add("F8", at: time + late(pulse), port: port)
      time += 2.5 / bpm
    }
  }
}

/// The output of a replay.
private struct Said {
  let lines: [StrictJSON.Value]

  init(_ log: [String], _ words: String...) throws {
    var replay = FollowReplay(try followed(["--replay", "x", "--json"] + words))
    var text: [String] = []
    for line in log {
      guard let message = try LogLine.parse(Array(line.utf8)[...]) else { continue }
      replay.take(message, &text)
    }
    replay.end(&text)
    lines = try text.map(StrictJSON.parse)
  }

  func all(_ type: String) -> [StrictJSON.Value] {
    lines.filter { $0["type"] == .string(type) }
  }

  /// The beats as `bar|beat@pulse`.
  var beats: [String] {
    all("beat").map { "\(number($0["bar"]))|\(number($0["beat"]))@\(number($0["pulse"]))" }
  }

  /// The tempos reported.
  var tempos: [Double] { all("tempo").compactMap { Double(number($0["bpm"])) } }

  /// The tempos reported from `time` on.
  func tempos(from time: Double) -> [Double] {
    all("tempo").filter { Double(number($0["time"])) ?? 0 >= time }
      .compactMap { Double(number($0["bpm"])) }
  }

  var summary: StrictJSON.Value? { lines.last }

  func number(_ value: StrictJSON.Value?) -> String {
    if case .number(let text)? = value { return text }
    return "none"
  }

  func pulses() -> String { number(summary?["pulses"]) }
}

struct FollowReplayTests {
  @Test func `a score's meters are counted and its parts named`() throws {
    let song = Environment(contents: { path in
      path == "song" ? Array("A: 1 3/4\nB: 2 4/4 XxxX".utf8) : nil
    })
    var replay = FollowReplay(
      try followed(["--replay", "x", "--json", "--score", "song"], song))
    var log = Log()
    log.add("FA")
    log.time = 0.001
    log.clock(24 * 8)
    var text: [String] = []
    for line in log.lines {
      if let read = try LogLine.parse(Array(line.utf8)[...]) { replay.take(read, &text) }
    }
    let beats = text.filter { $0.contains(#""type":"beat""#) }
    let places = ["1,\"beat\":1", "1,\"beat\":2", "1,\"beat\":3", "2,\"beat\":1"]
    for (beat, place) in zip(beats, places) { #expect(beat.contains("\"bar\":" + place)) }
    #expect(beats.count == 8)
    #expect(
      beats.map { $0.contains(#""accent":"strong""#) } == [
        true, false, false, true, false, false, true, true,
      ])
    #expect(beats[0].hasSuffix(#""section":"A"}"#) && beats[3].hasSuffix(#""section":"B"}"#))
    #expect(!beats[1].contains("section"))
    #expect(throws: Unexpected.self) { try followed(["--score", "none"], song) }
  }

  @Test func `F05: beat 1 does not wait for the tempo`() throws {
    var log = Log()
    log.add("FA")
    log.time = 0.001
    log.clock(49)
    let said = try Said(log.lines)
    let first = try #require(said.all("beat").first)
    #expect(first["time"] == .number("0.001"))
    #expect(first["bpm"] == .null)
    #expect(said.beats == ["1|1@0", "1|2@24", "1|3@48"])
    #expect(said.tempos.allSatisfy { (119...121).contains($0) })
    #expect(said.tempos.last.map { abs($0 - 120) < 0.5 } == true)
  }

  @Test func `F08: a clock without Start has a tempo and no position`() throws {
    var log = Log()
    log.clock(240)
    let said = try Said(log.lines)
    #expect(said.beats.isEmpty)
    #expect(said.tempos == [120])
    #expect(said.all("warning").count == 1)
    #expect(said.pulses() == "0")
  }

  @Test func `F10, F16: Start goes to the top, Continue resumes`() throws {
    var log = Log()
    log.add("FA")
    log.clock(96)
    log.add("FC")
    var other = log
    log.add("FB")
    log.clock(1)
    #expect(try Said(log.lines).beats.last == "2|1@96")
    other.add("FA")
    other.clock(1)
    #expect(try Said(other.lines).beats.last == "1|1@0")
  }

  @Test func `F11: Continue after a pause resumes between two beats`() throws {
    var log = Log()
    log.add("FA")
    log.clock(36)
    log.add("FC")
    log.time += 2
    log.add("FB")
    let resumed = log.time
    log.clock(24)
    let said = try Said(log.lines)
    #expect(said.beats == ["1|1@0", "1|2@24", "1|3@48"])
    #expect(said.all("beat").last?["time"] == .number(JSON.rounded(resumed + 0.25, places: 9)))
    #expect(said.pulses() == "60")
  }

  @Test func `F14: Song Position has fourteen bits, low ones first`() throws {
    let said = try Said(["0 F2 65 02"])
    let silent = try Said(["0 @a F2 65 02"], "--from", "a")
    #expect(said.all("position").isEmpty)
    let position = try #require(silent.all("position").first)
    #expect(position["sixteenths"] == .number("357"))
    #expect(position["bar"] == .number("23"))
    #expect(position["beat"] == .number("2"))
  }

  @Test func `F15: Stop is not a toggle, and a pointer to the top is a start`() throws {
    var log = Log()
    log.add("FC")
    log.clock(48)
    let stopped = try Said(log.lines)
    #expect(stopped.beats.isEmpty)
    #expect(stopped.pulses() == "0")
    log.add("F2 00 00")
    log.add("FB")
    log.clock(1)
    #expect(try Said(log.lines).beats == ["1|1@0"])
  }

  @Test func `F17: pointers while rolling are noted but not followed`() throws {
    var log = Log()
    log.add("FA")
    for sixteenth in 0..<16 {
      log.add("F2 0\(String(sixteenth, radix: 16)) 00")
      log.clock(6)
    }
    let said = try Said(log.lines)
    #expect(said.beats == ["1|1@0", "1|2@24", "1|3@48", "1|4@72"])
    #expect(said.all("ignored").count == 16)
    #expect(said.all("position").isEmpty)
  }

  @Test func `F18, F19: loops and a real locate`() throws {
    var log = Log()
    for _ in 0..<3 {
      log.add("FC")
      log.add("F2 02 00")
      log.add("FB")
      log.clock(13)
    }
    #expect(try Said(log.lines).beats == ["1|2@24", "1|2@24", "1|2@24"])
    log = Log()
    log.add("FA")
    log.clock(10)
    for hex in ["FC", "F2 00 00", "F2 10 00"] { log.add(hex) }
    for channel in 0..<16 {
      let digit = String(channel, radix: 16)
      log.add("B\(digit) 78 00")
      log.add("B\(digit) 7B 00")
    }
    log.add("FB")
    log.clock(25)
    #expect(try Said(log.lines).beats == ["1|1@0", "2|1@96", "2|2@120"])
  }

  @Test func `F21, F35: a tempo change is shown within a beat, stopped or rolling`() throws {
    for (isRolling, from, to) in [(false, 120.0, 130.0), (true, 120, 100), (true, 100, 120)] {
      var log = Log()
      if isRolling { log.add("FA") }
      log.clock(96, bpm: from)
      let change = log.time
      log.clock(96, bpm: to)
      let said = try Said(log.lines)
      let low = min(from, to) - 0.5
      let high = max(from, to) + 0.5
      #expect(said.tempos.allSatisfy { (low...high).contains($0) }, "\(said.tempos)")
      let later = said.tempos(from: change + 60 / to)
      #expect(later.allSatisfy { abs($0 - to) < 0.5 }, "\(later)")
      #expect(said.number(said.summary?["bpm"]) == "\(to)")
      #expect(said.pulses() == (isRolling ? "192" : "0"))
    }
  }

  @Test func `F23: one clock on three ports is one clock`() throws {
    var log = Log()
    for port in 1...3 { log.add("FA", port: "P\(port)") }
    for pulse in 0..<144 {
      let time = 0.01 + Double(pulse) * 2.5 / 90
      for (port, late) in [("P1", 0), ("P2", 0.0004), ("P3", 0.0009)] {
        log.add("F8", at: time + late, port: port)
      }
    }
    let said = try Said(log.lines)
    #expect(said.all("source").map { $0["port"] } == [.string("P1")])
    #expect(said.all("start").count == 1)
    #expect(said.pulses() == "144")
    #expect(said.beats.count == 6)
    #expect(said.tempos == [90])
    #expect(said.all("warning").count == 2)
    let third = try Said(log.lines, "--from", "P3")
    #expect(third.all("source").map { $0["port"] } == [.string("P3")])
    #expect(third.pulses() == "144")
    #expect(try Said(log.lines, "--from", "@P2").pulses() == "144")
    #expect(try Said(log.lines, "--from", "nobody").all("warning").count == 4)
  }

  @Test func `F25: two cables are never merged`() throws {
    var log = Log()
    for pulse in 0..<240 {
      log.add("F8", at: Double(pulse) * 0.025, port: "A")
      log.add("F8", at: 0.003 + Double(pulse) * 0.02501, port: "B")
    }
    let said = try Said(log.lines)
    #expect(said.tempos == [100])
    #expect(try Said(log.lines, "--from", "B").tempos == [99.96])
  }

  @Test func `F27: 500 beats of an uneven clock, once each`() throws {
    var log = Log()
    log.add("FA", at: -0.01)
    log.clock(12_000) { $0 % 2 == 0 ? 0.001 : -0.001 }
    let said = try Said(log.lines)
    #expect(said.beats == (0..<500).map { "\($0 / 4 + 1)|\($0 % 4 + 1)@\($0 * 24)" })
  }

  @Test func `F28, F29, F33, F34: the displayed tempo is right and steady`() throws {
    var even = Log()
    even.clock(240)
    #expect(try Said(even.lines).tempos == [120])
    var alternating = Log()
    for interval in 0..<400 {
      alternating.add("F8")
      alternating.time += interval % 2 == 0 ? 0.0198333 : 0.0218333
    }
    let flutter = try Said(alternating.lines)
    let settled = flutter.tempos(from: 1)
    #expect(settled.allSatisfy { abs($0 - 120) <= 0.1 }, "\(settled)")
    var rounded = Log()
    for pulse in 0..<97 { rounded.add("F8", at: (Double(pulse) / 48 * 1_000).rounded() / 1_000) }
    let whole = try Said(rounded.lines)
    #expect(whole.tempos(from: 0.5).allSatisfy { abs($0 - 120) < 0.2 }, "\(whole.tempos)")
    #expect(abs((Double(whole.number(whole.summary?["bpm"])) ?? 0) - 120) < 0.05)
    var jittered = Log()
    jittered.clock(480, bpm: 126.5) { Double($0 * 7_919 % 401 - 200) * 1e-6 }
    let steady = try Said(jittered.lines)
    #expect(steady.tempos(from: 2).allSatisfy { abs($0 - 126.5) < 0.05 })
  }

  @Test func `F32: no value between the default and the right one is ever displayed`() throws {
    var log = Log()
    log.add("FA")
    log.clock(60, bpm: 140)
    let said = try Said(log.lines)
    #expect(said.tempos.allSatisfy { abs($0 - 140) < 0.3 }, "\(said.tempos)")
  }

  @Test func `F36, F37: bursts are counted and do not inflate the tempo`() throws {
    var log = Log()
    log.add("FA", at: -0.001)
    log.clock(48)
    for _ in 0..<13 { log.add("F8", at: 1.25) }
    log.time = 61 * 2.5 / 120
    log.clock(60)
    let said = try Said(log.lines)
    #expect(said.pulses() == "121")
    #expect(said.beats == ["1|1@0", "1|2@24", "1|3@48", "1|4@72", "2|1@96", "2|2@120"])
    #expect(said.tempos.allSatisfy { $0 < 300 })
    #expect(said.number(said.summary?["bpm"]) == "120.0")
    var pairs = Log()
    pairs.add("FA")
    for pair in 1...96 {
      pairs.add("F8", at: Double(pair) * 2.5 / 60)
      pairs.add("F8", at: Double(pair) * 2.5 / 60)
    }
    let glued = try Said(pairs.lines)
    #expect(glued.pulses() == "192")
    #expect(glued.tempos(from: 2).allSatisfy { (115...125).contains($0) }, "\(glued.tempos)")
  }

  @Test func `F38: Active Sensing is not a clock and keeps none alive`() throws {
    var log = Log()
    log.clock(420, bpm: 105)
    let end = log.time
    for count in 1..<50 { log.add("FE", at: Double(count) * 0.27) }
    let sorted = log.lines.sorted {
      (Double($0.prefix { $0 != " " }) ?? 0) < (Double($1.prefix { $0 != " " }) ?? 0)
    }
    let said = try Said(sorted)
    #expect(said.tempos == [105])
    let lost = said.all("clock_lost")
    #expect(lost.count == 1)
    let time = lost.first.flatMap { Double(said.number($0["time"])) } ?? 0
    #expect(abs(time - (end - 2.5 / 105 + 0.5)) < 0.001)
    #expect(try Said(sorted, "--lost-after", "2").all("clock_lost").count == 1)
    #expect(try Said(sorted, "--lost-after", "9").all("clock_lost").isEmpty)
  }

  @Test func `F39: five milliseconds of jitter do not affect the count`() throws {
    var random = 12_345
    var log = Log()
    log.add("FA", at: -0.02)
    log.clock(960) { _ in
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      return Double(random) / 2_147_483_648 * 0.01 - 0.005
    }
    let said = try Said(log.lines)
    #expect(said.pulses() == "960")
    #expect(said.beats.count == 40)
    #expect(said.tempos(from: 4).allSatisfy { abs($0 - 120) < 0.6 }, "\(said.tempos)")
  }

  @Test func `the wait of midish before its first beat is not a tempo`() throws {
    let stamps = ["0.99987 F8", "1 FA", "1.3335 F8", "1.3523 F8", "1.3711 F8", "1.3899 F8"]
    let said = try Said(stamps)
    #expect(said.beats == ["1|1@0"])
    #expect(said.all("beat").first?["bpm"] == .null)
    #expect(said.tempos.allSatisfy { abs($0 - 133) < 0.1 }, "\(said.tempos)")
    #expect(!said.tempos.isEmpty)
  }

  @Test func `N12: a clock at 480 is shown as that, or counted as one of 48 PPQN`() throws {
    var log = Log()
    log.add("FA")
    log.time = 0.001
    log.clock(768, bpm: 480)
    log.add("FC")
    let fast = try Said(log.lines)
    #expect(fast.pulses() == "768")
    #expect(fast.number(fast.summary?["bpm"]) == "480.0")
    let halved = try Said(log.lines, "--source-ppqn", "48")
    #expect(halved.pulses() == "384")
    #expect(halved.beats.count == 16)
    #expect(halved.tempos == [240])
    #expect(throws: Unexpected.self) { try followed(["--source-ppqn", "47"]) }
  }

  @Test func `after clock_lost the tempo is null until the new one is measured`() throws {
    var log = Log()
    log.add("FA")
    log.time = 0.001
    log.clock(96, bpm: 100)
    log.time += 20
    log.clock(25, bpm: 140)
    let said = try Said(log.lines)
    #expect(said.tempos == [100, 140])
    #expect(
      said.all("beat").map { $0["bpm"] == .null } == [true, false, false, false, true, false])
    var replay = FollowReplay(try followed(["--replay", "x"]))
    var text: [String] = []
    for line in log.lines {
      if let read = try LogLine.parse(Array(line.utf8)[...]) { replay.take(read, &text) }
    }
    #expect(
      text == [
        "start", "1|1 strong", "tempo: q=100.0", "1|2  q=100.0", "1|3  q=100.0", "1|4  q=100.0",
        "clock lost", "clock found", "2|1 strong  q=-", "tempo: q=140.0", "2|2  q=140.0",
      ])
  }

  @Test func `a tempo step is not reported as a loss`() throws {
    var log = Log()
    log.add("FA")
    log.time = 0.001
    log.clock(96, bpm: 140)
    log.clock(192, bpm: 110)
    for words in [[], ["--repair"]] {
      var replay = FollowReplay(try followed(["--replay", "x", "--json"] + words))
      var text: [String] = []
      for line in log.lines {
        if let read = try LogLine.parse(Array(line.utf8)[...]) { replay.take(read, &text) }
      }
      replay.end(&text)
      #expect(!text.contains { $0.contains("warning") })
      #expect(text.last?.contains(#""pulses":288,"beats":12"#) == true)
      #expect(text.last?.contains(#""missing":0,"extra":0"#) == true)
    }
  }

  @Test func `a lost and found clock is reported once each, and shown again`() throws {
    var log = Log()
    log.clock(100)
    log.time += 3
    log.clock(100)
    let said = try Said(log.lines)
    #expect(said.all("clock_lost").count == 1)
    #expect(said.all("clock_found").count == 1)
    #expect(said.tempos == [120, 120])
  }

  @Test func `lost pulses are reported and, with repairs, made up for`() throws {
    var log = Log()
    log.add("FA", at: -0.002)
    log.clock(192)
    log.lines.remove(at: 100)
    let said = try Said(log.lines)
    #expect(said.pulses() == "191")
    #expect(said.all("warning").count == 1)
    #expect(said.all("beat").last?["pulse"] == .number("168"))
    let repaired = try Said(log.lines, "--repair")
    let last = repaired.all("beat").last
    #expect(last?["pulse"] == .number("168"))
    #expect(last?["time"] == .number("3.5"))
  }

  @Test func `meters and accents are as requested`() throws {
    var log = Log()
    log.add("FA", at: -0.002)
    log.clock(85)
    let said = try Said(log.lines, "-m", "7/8=2+2+3")
    #expect(
      said.beats == [
        "1|1@0", "1|2@12", "1|3@24", "1|4@36", "1|5@48", "1|6@60", "1|7@72", "2|1@84",
      ])
    let accents = said.all("beat").compactMap { $0["accent"] }
    #expect(
      accents.prefix(5)
        == [
          .string("strong"), .string("weak"), .string("medium"), .string("weak"), .string("medium"),
        ])
  }

  @Test func `tempo lines come at most ten a second and only when they differ`() throws {
    var log = Log()
    var bpm = 60.0
    for _ in 0..<480 {
      log.clock(1, bpm: bpm)
      bpm += 0.25
    }
    let said = try Said(log.lines)
    let times = said.all("tempo").compactMap { Double(said.number($0["time"])) }
    #expect(times.count > 20)
    for (one, other) in zip(times.dropFirst(), times) { #expect(one - other >= 0.1) }
    for (one, other) in zip(said.tempos.dropFirst(), said.tempos) { #expect(one != other) }
  }

  @Test func `the summary is the last line, even without input`() throws {
    let said = try Said([])
    #expect(said.lines.count == 1)
    #expect(
      said.summary
        == .object([
          "type": .string("summary"), "pulses": .number("0"), "beats": .number("0"), "bpm": .null,
          "missing": .number("0"), "extra": .number("0"),
        ]))
  }

  @Test(
    arguments: [
      (
        ["--replay", "x", "--to", "y"], "--replay and --to contradict each other; give one of them"
      ),
      (["--lost-after", "0"], nil), (["--from", " "], "--from: ' ' names no source"),
      (["--bpm", "120"], "midimetro follow does not take --bpm; see midimetro help follow"),
      (["--json", "--plain"], "--json and --plain contradict each other; give one of them"),
      (["-m", "4"], nil), (["120"], nil),
    ] as [([String], String?)])
  func `options that follow cannot honor are refused`(words: [String], message: String?) {
    let failure = refusal(["follow"] + words)
    #expect(failure?.status == .usage)
    if let message { #expect(failure?.message == message) }
  }

  @Test func `options reach the follower`() throws {
    let options = try followed([
      "-p", "Ardour", "--to", "A", "--offset", "-3", "--to", "B", "--divide", "2", "--clock",
      "rolling", "--repair", "--lost-after", "1.5", "--duration", "9", "-q",
    ])
    #expect(options.settings.source == "Ardour")
    #expect(options.settings.destinations.map(\.address) == ["A", "B"])
    #expect(options.settings.destinations[0].route.offset == .milliseconds(-3))
    #expect(options.settings.destinations[1].route.divide == 2)
    #expect(options.settings.policy == .rolling)
    #expect(options.settings.repairs)
    #expect(options.settings.lostAfter == .milliseconds(1_500))
    #expect(options.duration == .seconds(9))
  }

  @Test func `the config file's options come first, the command line's override them`() throws {
    let file = home(
      config: "bpm = 97\nfrom = Box\nmeter = 3/4\noffset = 2\nto = A\n[live]\nrepair\n")
    let plain = try followed([], file)
    #expect(plain.settings.source == "Box")
    #expect(plain.settings.destinations.map(\.address) == ["A"])
    #expect(plain.settings.destinations.first?.route.offset == .milliseconds(2))
    #expect(!plain.settings.repairs)
    #expect(try followed(["--profile", "live"], file).settings.repairs)
    let own = try followed(["--from", "Desk", "--to", "B"], file)
    #expect(own.settings.source == "Desk")
    #expect(own.settings.destinations.map(\.address) == ["B"])
    // A log has its own sources, and nothing is sent.
    let replay = try followed(["--replay", "x"], file)
    #expect(replay.settings.source == nil)
    #expect(replay.settings.destinations.isEmpty)
  }

  @Test func `plain output reports the same in words`() throws {
    var replay = FollowReplay(try followed(["--replay", "x"]))
    var lines: [String] = []
    var log = Log()
    log.add("FA", port: "Box")
    log.clock(25, port: "Box")
    log.add("FC", port: "Box")
    log.add("F2 10 00", port: "Box")
    log.add("FE", at: 3, port: "Box")
    for line in log.lines {
      let message = try #require(try LogLine.parse(Array(line.utf8)[...]))
      replay.take(message, &lines)
    }
    replay.end(&lines)
    #expect(
      lines == [
        "source: Box", "start", "1|1 strong", "tempo: q=120.0", "1|2  q=120.0", "stop",
        "position: bar 2, beat 1", "clock lost", "25 pulses, 2 beats; q=120.0",
      ])
  }
}
