import Testing

@testable import MIDIClock

@Suite("The follower's song position")
struct ClockFollowerPositionTests {
  @Test
  func `Beat 1 is reported with the first pulse after Start, before the tempo is known`() {
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(25, bpm: 120, from: 0.001))
    #expect(session.places == ["1|1|0@0", "1|2|0@24"])
    #expect(session.beats[0].stamp == instant(0.001))
    #expect(session.beats[0].bpm == nil)
    #expect(session.beats[0].accent == .strong)
    #expect(session.readings.count == 24)
    for reading in session.readings { #expect((119.0...121).contains(reading.bpm)) }
    #expect(session.bpm == 120)
  }

  @Test
  func `A clock without Start has a tempo, and reports that it has no position`() {
    var session = Session()
    session.receive(pulses: pulses(240, bpm: 120))
    #expect(session.bpm == 120)
    #expect(session.follower.position == nil)
    #expect(session.follower.transport == .stopped)
    #expect(session.beats.isEmpty)
    #expect(
      session.events == [.found(at: .zero), .withoutStart(at: instant(5 * period(120)))])
  }

  @Test
  func `Start after Stop goes to the top, regardless of the count`() {
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(60, bpm: 120, from: 0.001))
    session.receive(.stop, at: 1.25)
    #expect(session.follower.pulse == 60)
    session.receive(.start, at: 1.3)
    session.receive(.clock, at: 1.301)
    #expect(session.follower.pulse == 0)
    #expect(session.follower.position == Position(bar: 1, beat: 1))
    #expect(session.places.last == "1|1|0@0")
  }

  @Test
  func `Continue resumes at the pulse where Stop left off`() {
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(36, bpm: 120, from: 0.001))
    session.receive(.stop, at: 0.75)
    session.receive(.continue, at: 2.75)
    session.receive(.clock, at: 2.751)
    #expect(session.follower.pulse == 36)
    #expect(session.follower.position == Position(bar: 1, beat: 2, tick: 480))
    session.receive(pulses: pulses(23, bpm: 120, from: 2.751 + period(120)))
    #expect(session.places == ["1|1|0@0", "1|2|0@24", "1|3|0@48"])
    #expect(session.beats[2].stamp == instant(2.751 + 12 * period(120)))
    #expect(session.follower.pulse == 59)
  }

  @Test
  func `A Song Position counts sixteenths, assembled once from its two bytes`() throws {
    let message = try #require(MIDIMessage(bytes: [0xF2, 0x65, 0x02]))
    var session = Session()
    session.receive(message, at: 0)
    #expect(session.follower.pulse == 2_142)
    #expect(session.follower.position == Position(bar: 23, beat: 2, tick: 240))
    session.receive(.continue, at: 0.01)
    session.receive(.clock, at: 0.011)
    #expect(session.follower.pulse == 2_142)
  }

  @Test
  func `Stop while stopped does not start`() throws {
    var session = Session()
    session.receive(.stop, at: 0)
    session.receive(pulses: pulses(48, bpm: 120, from: 0.001))
    #expect(session.follower.transport == .stopped)
    #expect(session.beats.isEmpty)
    #expect(session.bpm == 120)
    #expect(session.events.first == .ignored(at: .zero, .stop))
    // Song Position 0 and Continue are equivalent to Start.
    let top = try #require(SongPosition(midiBeats: 0))
    session.receive(.songPosition(top), at: 1.001)
    session.receive(.continue, at: 1.0015)
    session.receive(.clock, at: 1.002)
    #expect(session.places == ["1|1|0@0"])
  }

  @Test(arguments: [(MIDIMessage.continue, "2|1|0@96"), (.start, "1|1|0@0")])
  func `Stop keeps the position; Start and Continue decide`(message: MIDIMessage, place: String) {
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(96, bpm: 120, from: 0.001))
    session.receive(.stop, at: 2)
    #expect(session.follower.pulse == 96)
    #expect(session.follower.position == Position(bar: 2, beat: 1))
    session.receive(message, at: 2.0005)
    session.receive(.clock, at: 2.001)
    #expect(session.places.last == place)
  }

  @Test
  func `A loop from the second half of beat 1 repeats at the same position`() throws {
    let eighth = try #require(SongPosition(midiBeats: 2))
    var session = Session()
    var time = 0.0
    for _ in 0..<4 {
      session.receive(.stop, at: time)
      session.receive(.songPosition(eighth), at: time + 0.0002)
      session.receive(.continue, at: time + 0.0004)
      session.receive(.clock, at: time + 0.002)
      #expect(session.follower.pulse == 12)
      session.receive(pulses: pulses(23, bpm: 120, from: time + 0.002 + period(120)))
      #expect(session.follower.pulse == 35)
      time += 24 * period(120)
    }
    #expect(session.places == Array(repeating: "1|2|0@24", count: 4))
    #expect(session.beats[1].stamp == instant(24 * period(120) + 0.002 + 12 * period(120)))
  }

  @Test
  func `The later of two Song Positions applies, and controllers do not cancel it`() throws {
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(10, bpm: 120, from: 0.001))
    session.receive(.stop, at: 0.21)
    session.receive(.songPosition(try #require(SongPosition(midiBeats: 0))), at: 0.22)
    session.receive(.songPosition(try #require(SongPosition(midiBeats: 16))), at: 0.23)
    for channel in UInt8(0)..<16 {
      session.receive(.control(channel: channel, controller: 120, value: 0), at: 0.24)
      session.receive(.control(channel: channel, controller: 123, value: 0), at: 0.24)
    }
    session.receive(.continue, at: 0.25)
    session.receive(pulses: pulses(24, bpm: 120, from: 0.26))
    #expect(session.places == ["1|1|0@0", "2|1|0@96"])
    session.receive(.clock, at: 0.26 + 24 * period(120))
    #expect(session.places.last == "2|2|0@120")
  }

  @Test
  func `A Song Position while rolling is noted and has no effect`() throws {
    let pointer = try #require(SongPosition(midiBeats: 40))
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(30, bpm: 120, from: 0.001))
    session.receive(.songPosition(pointer), at: 0.62)
    session.receive(.continue, at: 0.621)
    session.receive(pulses: pulses(20, bpm: 120, from: 0.001 + 30 * period(120)))
    #expect(session.follower.pulse == 49)
    #expect(session.places == ["1|1|0@0", "1|2|0@24", "1|3|0@48"])
    #expect(session.events.contains(.ignored(at: instant(0.62), .position(pointer))))
    #expect(session.events.contains(.ignored(at: instant(0.621), .continue)))
    // Nor does it apply to the next Continue.
    session.receive(.stop, at: 1.04)
    session.receive(.continue, at: 1.041)
    #expect(session.events.last == .continue(at: instant(1.041), pulse: 50))
  }

  @Test
  func `Start while rolling restarts at the top`() {
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(30, bpm: 120, from: 0.001))
    session.receive(.start, at: 0.62)
    session.receive(.clock, at: 0.001 + 30 * period(120))
    #expect(session.follower.pulse == 0)
    #expect(session.places == ["1|1|0@0", "1|2|0@24", "1|1|0@0"])
    #expect(session.follower.pulses == 1)
  }

  @Test
  func `Any gap between Start and its pulse is accepted, and a pulse just before Start`() {
    for gap in [0, 0.000_02, 0.001, 0.333_67] {
      var session = Session()
      session.receive(.clock, at: 1 - 0.000_025)
      session.receive(.start, at: 1)
      session.receive(pulses: pulses(49, bpm: 133, from: 1 + gap))
      #expect(session.places == ["1|1|0@0", "1|2|0@24", "1|3|0@48"])
      #expect(session.beats[0].stamp == instant(1 + gap))
    }
  }

  @Test
  func `Five hundred beats are reported once each while the pulses wobble`() {
    var session = Session()
    session.receive(.start, at: 0)
    for pulse in 0..<12_000 {
      let wobble = pulse % 2 == 0 ? 0.001 : -0.001
      session.receive(.clock, at: 1 + Double(pulse) * period(120) + wobble)
    }
    #expect(session.beats.map(\.pulse) == (0..<500).map { $0 * 24 })
    #expect(session.beats.last?.position == Position(bar: 125, beat: 4))
  }

  @Test
  func `Sixteen bars end at bar 17`() {
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(1_536, bpm: 120, from: 0.001))
    session.receive(.stop, at: 32.0005)
    #expect(session.follower.pulse == 1_536)
    #expect(session.follower.position == Position(bar: 17, beat: 1))
    #expect(session.follower.pulses == 1_536)
    #expect(session.follower.beats == 64)
  }

  @Test
  func `After three minutes the beat is at its pulse's grid time, with or without jitter`() {
    for jitter in [0, 0.001] {
      var random = Seeded(52)
      var session = Session()
      session.receive(.start, at: 0.999)
      for pulse in 0...8_640 {
        let scatter = jitter * random.gaussian()
        session.receive(.clock, at: 1 + Double(pulse) * period(120) + scatter)
      }
      #expect(session.beats.count == 361)
      for (number, beat) in session.beats.enumerated().dropFirst(4) {
        let error = (beat.time - instant(1 + Double(number) / 2)).nanoseconds
        #expect(error.magnitude < (jitter == 0 ? 1_000 : 700_000))
      }
      let last = (session.beats[360].time - instant(181)).nanoseconds
      #expect(last.magnitude < (jitter == 0 ? 1_000 : 400_000))
    }
  }

  @Test
  func `Meters count their own unit and accent their own groups`() throws {
    let meter = try Meter(text: "7/8=2+2+3")
    var session = Session(try ClickPattern(meter: meter))
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(85, bpm: 120, from: 0.001))
    #expect(
      session.places
        == [
          "1|1|0@0", "1|2|0@12", "1|3|0@24", "1|4|0@36", "1|5|0@48", "1|6|0@60", "1|7|0@72",
          "2|1|0@84",
        ])
    #expect(
      session.beats.map(\.accent)
        == [.strong, .weak, .medium, .weak, .medium, .weak, .weak, .strong])
  }
}
