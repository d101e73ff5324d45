import Testing

@testable import midimetro

/// A log produced independently of the planner: lines at fractions of a second, ordered by the rule
/// for equal instants.
private struct GoldenLog {
  /// At the same instant the lower rank goes first; a Stop follows the notes it ends.
  private enum Rank: Int {
    case start, clock, noteOff, noteOn, stop
  }

  private var entries: [(nanoseconds: Int64, rank: Rank, text: String)] = []

  private mutating func add(_ seconds: Double, _ rank: Rank, _ port: Int?, _ bytes: String) {
    let nanoseconds = Int64((seconds * 1e9).rounded())
    let port = port.map { "@\($0) " } ?? ""
    entries.append((nanoseconds, rank, port + bytes))
  }

  /// Transport messages.
  mutating func start(_ bytes: String, at seconds: Double, port: Int? = nil) {
    add(seconds, .start, port, bytes)
  }

  mutating func stop(at seconds: Double, port: Int? = nil) { add(seconds, .stop, port, "FC") }

  /// Pulses `range` at `perQuarter` per quarter; pulse 0 is at `origin`.
  mutating func pulses(
    _ range: Range<Int>, bpm: Double, origin: Double = 0, perQuarter: Double = 24,
    port: Int? = nil
  ) {
    for index in range {
      add(origin + Double(index) * 60 / (bpm * perQuarter), .clock, port, "F8")
    }
  }

  /// A click on channel 10 that sounds for `gate` seconds.
  mutating func click(
    _ key: String, _ velocity: String, at seconds: Double, gate: Double = 0.04, port: Int? = nil
  ) {
    add(seconds, .noteOn, port, "99 \(key) \(velocity)")
    add(seconds + gate, .noteOff, port, "89 \(key) 40")
  }

  var lines: [String] {
    entries.sorted { ($0.nanoseconds, $0.rank.rawValue) < ($1.nanoseconds, $1.rank.rawValue) }
      .map { entry in
        let digits = String(entry.nanoseconds.magnitude)
        let padded = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
        let sign = entry.nanoseconds < 0 ? "-" : ""
        return "\(sign)\(padded.dropLast(9)).\(padded.suffix(9)) \(entry.text)"
      }
  }
}

struct DryRunTests {
  @Test func `a name with a line break stays in its comment`() throws {
    let log = try dryRun("--bars", "1", "--to", "a\nb", "--to", "c\u{1B}[31m")
    #expect(log.prefix(2) == ["# @1 = a\u{FFFD}b", "# @2 = c\u{FFFD}[31m"])
  }

  @Test func `one bar at 133.7 is on its grid to the nanosecond`() throws {
    let log = try dryRun("133.7", "--bars", "1")
    // Computed by hand: a pulse is 60 / (133.7 x 24) s = 18.698 578 908 ms, a beat 448.765 893 792
    // ms.
    #expect(
      log.prefix(6) == [
        "-0.001000000 FA", "0.000000000 F8", "0.000000000 99 22 7F", "0.018698579 F8",
        "0.037397158 F8", "0.040000000 89 22 40",
      ])
    #expect(log.filter { $0.hasSuffix(" 99 21 50") }.first == "0.448765894 99 21 50")
    #expect(log.suffix(2) == ["1.776364996 F8", "1.795063575 FC"])

    var golden = GoldenLog()
    golden.start("FA", at: -0.001)
    golden.pulses(0..<96, bpm: 133.7)
    for beat in 0..<4 {
      let time = Double(beat) * 60 / 133.7
      golden.click(beat == 0 ? "22" : "21", beat == 0 ? "7F" : "50", at: time)
    }
    golden.stop(at: 4 * 60 / 133.7)
    #expect(log == golden.lines)
  }

  @Test func `seven eighths with swung subdivisions`() throws {
    let log = try dryRun("150", "-m", "7/8", "--subdivide", "2", "--swing", "60", "--bars", "2")
    var golden = GoldenLog()
    golden.start("FA", at: -0.001)
    // An eighth is 200 ms and 12 pulses; the second click of each falls at 60 % of it.
    golden.pulses(0..<168, bpm: 150)
    for beat in 0..<14 {
      let velocity: String
      switch beat % 7 {
      case 0: velocity = "7F"
      case 2, 4: velocity = "64"
      default: velocity = "50"
      }
      golden.click(beat % 7 == 0 ? "22" : "21", velocity, at: 0.2 * Double(beat))
      golden.click("21", "50", at: 0.2 * Double(beat) + 0.12)
    }
    golden.stop(at: 2.8)
    #expect(log == golden.lines)
  }

  @Test func `two destinations with offsets, division and selected messages`() throws {
    let log = try dryRun(
      "120", "--to", "A", "--offset", "-10", "--divide", "2", "--to", "B", "--offset", "2.5",
      "--send", "clock,transport", "--bars", "1")
    var golden = GoldenLog()
    golden.start("FA", at: -0.011, port: 1)
    golden.pulses(0..<48, bpm: 120, origin: -0.01, perQuarter: 12, port: 1)
    for beat in 0..<4 {
      golden.click(
        beat == 0 ? "22" : "21", beat == 0 ? "7F" : "50", at: -0.01 + 0.5 * Double(beat), port: 1)
    }
    golden.stop(at: 1.99, port: 1)
    golden.start("FA", at: 0.0015, port: 2)
    golden.pulses(0..<96, bpm: 120, origin: 0.0025, port: 2)
    golden.stop(at: 2.0025, port: 2)
    #expect(log == ["# @1 = A", "# @2 = B"] + golden.lines)
  }

  @Test func `one route sends only multiplied pulses, another only clicks`() throws {
    let log = try dryRun(
      "120", "--to", "A", "--multiply", "2", "--send", "clock", "--to", "B", "--send", "click",
      "-m", "1/4", "--bars", "1")
    var golden = GoldenLog()
    golden.pulses(0..<48, bpm: 120, perQuarter: 48, port: 1)
    golden.click("22", "7F", at: 0, port: 2)
    #expect(log == ["# @1 = A", "# @2 = B"] + golden.lines)
  }

  @Test(arguments: [("always", true), ("rolling", false)])
  func `a bar of count-in comes before the start`(clock: String, hasPulses: Bool) throws {
    let log = try dryRun("120", "--count-in", "1", "--bars", "1", "--clock", clock)
    var golden = GoldenLog()
    golden.start("FA", at: -0.001)
    golden.pulses((hasPulses ? -96 : 0)..<96, bpm: 120)
    for beat in -4..<4 {
      let isDown = beat % 4 == 0
      golden.click(isDown ? "22" : "21", isDown ? "7F" : "50", at: 0.5 * Double(beat))
    }
    golden.stop(at: 2)
    #expect(log == golden.lines)
  }

  @Test func `bar 11 begins with Song Position and Continue`() throws {
    let log = try dryRun("120", "--start-bar", "11", "--bars", "1")
    var golden = GoldenLog()
    // Ten bars of 16 sixteenths are 160, which is 1 x 128 + 32: low seven bits first.
    golden.start("F2 20 01", at: -0.011)
    golden.start("FB", at: -0.001)
    golden.pulses(0..<96, bpm: 120)
    for beat in 0..<4 {
      golden.click(beat == 0 ? "22" : "21", beat == 0 ? "7F" : "50", at: 0.5 * Double(beat))
    }
    golden.stop(at: 2)
    #expect(log == golden.lines)
  }

  @Test func `at the same instant the order is pulse, note-off, note-on`()
    throws
  {
    let log = try dryRun(
      "120", "-m", "2/4", "--bars", "1", "--notes", "60,61,62", "--gate", "500")
    var golden = GoldenLog()
    golden.start("FA", at: -0.001)
    golden.pulses(0..<48, bpm: 120)
    golden.click("3C", "7F", at: 0, gate: 0.5)
    golden.click("3E", "50", at: 0.5, gate: 0.5)
    golden.stop(at: 1)
    #expect(log == golden.lines)
    #expect(
      log.filter { $0.hasPrefix("0.500000000") } == [
        "0.500000000 F8", "0.500000000 89 3C 40", "0.500000000 99 3E 50",
      ])
    #expect(log.suffix(2) == ["1.000000000 89 3E 40", "1.000000000 FC"])
  }

  // Also the last one, although the song is over when its key would be struck.
  @Test func `a note ends a millisecond before its key is struck again`() throws {
    let log = try dryRun("120", "-m", "1/4", "--bars", "2", "--gate", "5000")
    #expect(
      log.filter { !$0.hasSuffix("F8") } == [
        "-0.001000000 FA", "0.000000000 99 22 7F", "0.499000000 89 22 40",
        "0.500000000 99 22 7F", "0.999000000 89 22 40", "1.000000000 FC",
      ])
  }

  @Test func `accents, channel, notes and velocities are as requested`() throws {
    let log = try dryRun(
      "60", "-a", "x.Xm", "--channel", "1", "--notes", "1,2,3", "--velocities", "11,12,13",
      "--clock", "off", "--bars", "1", "--gate", "1")
    #expect(
      log == [
        "-0.001000000 FA",
        "0.000000000 90 03 0D", "0.001000000 80 03 40",
        "2.000000000 90 01 0B", "2.001000000 80 01 40",
        "3.000000000 90 02 0C", "3.001000000 80 02 40",
        "4.000000000 FC",
      ])
  }

  @Test func `a length in seconds ends the song between two pulses`() throws {
    let log = try dryRun("120", "--duration", "0.3")
    var golden = GoldenLog()
    golden.start("FA", at: -0.001)
    // Pulse 14 is at 291.7 ms, pulse 15 would be at 312.5 ms.
    golden.pulses(0..<15, bpm: 120)
    golden.click("22", "7F", at: 0)
    golden.stop(at: 0.3)
    #expect(log == golden.lines)
  }

  @Test(arguments: ["150.833", "q=127.3", "1/8=201", "3/8=80", "10", "400", "39.999"])
  func `every pulse of eight bars matches the formula`(tempo: String) throws {
    let quarters: [String: Double] = [
      "150.833": 150.833, "q=127.3": 127.3, "1/8=201": 100.5, "3/8=80": 120, "10": 10, "400": 400,
      "39.999": 39.999,
    ]
    let bpm = try #require(quarters[tempo])
    let log = try dryRun(tempo, "--bars", "8", "--send", "clock")
    var golden = GoldenLog()
    golden.pulses(0..<(8 * 96), bpm: bpm)
    #expect(log == golden.lines)
  }

  @Test func `the end of 24 bars keeps the tempo's decimals`() throws {
    // 96 quarters x 60 / 150.833 = 38.187 929 697 s; at 150 it would be 38.4.
    #expect(
      try dryRun("150.833", "--bars", "24", "--send", "transport") == [
        "-0.001000000 FA", "38.187929697 FC",
      ])
  }

  @Test func `the log ends when its reader closes the pipe`() throws {
    let options = try played(["--duration", "1000000", "--dry-run"])
    var count = 0
    DryRun.run(options) { _ in
      count += 1
      return count < 10
    }
    #expect(count == 10)
  }
}
