import Testing

@testable import MIDIClock

@Suite("The follower's lock and transport")
struct ClockFollowerStateTests {
  enum Event: CaseIterable {
    case pulse, shortSilence, longSilence, start, `continue`, stop, position, note
  }

  /// A follower in `state` with the last pulse at second 10 and the transport stopped.
  static func session(in state: ClockFollower.LockState) -> Session {
    var session = Session()
    let steady = pulses(48, bpm: 120, from: 10 - 47 * period(120))
    switch state {
    case .idle: break
    case .learning: session.receive(pulses: [9.98, 10])
    case .locked: session.receive(pulses: steady)
    case .freewheeling:
      session.receive(pulses: steady)
      session.elapse(to: 10 + 2 * period(120))
    case .lost:
      session.receive(pulses: steady)
      session.elapse(to: 10.51)
    }
    #expect(session.follower.state == state)
    return session
  }

  static func apply(_ event: Event, to session: inout Session) throws {
    let next = 10 + period(120)
    switch event {
    case .pulse:
      // On the grid, after the silence of each state.
      let periods: [ClockFollower.LockState: Double] = [.freewheeling: 3, .lost: 30]
      session.receive(.clock, at: 10 + (periods[session.follower.state] ?? 1) * period(120))
    case .shortSilence: session.elapse(to: 10 + 1.6 * period(120))
    case .longSilence: session.elapse(to: 10.6)
    case .start: session.receive(.start, at: next)
    case .continue: session.receive(.continue, at: next)
    case .stop: session.receive(.stop, at: next)
    case .position:
      session.receive(.songPosition(try #require(SongPosition(midiBeats: 1))), at: next)
    case .note: session.receive(.noteOn(channel: 0, key: 60, velocity: 1), at: next)
    }
  }

  static let lockTable: [ClockFollower.LockState: [Event: ClockFollower.LockState]] = [
    .idle: [.pulse: .learning],
    .learning: [.longSilence: .lost],
    .locked: [.shortSilence: .freewheeling, .longSilence: .lost],
    .freewheeling: [.pulse: .locked, .longSilence: .lost],
    .lost: [.pulse: .learning],
  ]

  @Test(arguments: ClockFollower.LockState.allCases, Event.allCases)
  func `Every lock state handles every message as in the table`(
    state: ClockFollower.LockState, event: Event
  ) throws {
    var session = Self.session(in: state)
    let before = session.events.count
    try Self.apply(event, to: &session)
    let after = Self.lockTable[state]?[event] ?? state
    #expect(session.follower.state == after)
    let news = session.events.dropFirst(before)
    let found = news.contains { if case .found = $0 { true } else { false } }
    let lost = news.contains { if case .lost = $0 { true } else { false } }
    #expect(found == (event == .pulse && [.idle, .lost].contains(state)))
    #expect(lost == (after == .lost && state != .lost))
  }

  static let transportTable: [Transport: [Event: Transport]] = [
    .stopped: [.start: .armed, .continue: .armed],
    .armed: [.stop: .stopped, .pulse: .rolling],
    .rolling: [.start: .armed, .stop: .stopped],
  ]

  @Test(arguments: [Transport.stopped, .armed, .rolling], Event.allCases)
  func `Every transport state handles every message as in the table`(
    state: Transport, event: Event
  ) throws {
    var session = Session()
    session.receive(pulses: pulses(47, bpm: 120, from: 10 - 47 * period(120)))
    switch state {
    case .stopped: session.receive(.clock, at: 10)
    case .armed:
      session.receive(.clock, at: 10)
      session.receive(.start, at: 10.001)
    case .rolling:
      session.receive(.start, at: 9.999)
      session.receive(.clock, at: 10)
    }
    #expect(session.follower.transport == state)
    let before = session.follower.pulse
    try Self.apply(event, to: &session)
    #expect(session.follower.transport == Self.transportTable[state]?[event] ?? state)
    switch (state, event) {
    case (.stopped, .position): #expect(session.follower.pulse == 6)
    case (.stopped, .start), (.stopped, .continue), (.armed, .pulse), (.rolling, .start):
      #expect(session.follower.pulse == 0)
    case (.rolling, .pulse), (.rolling, .stop): #expect(session.follower.pulse == 1)
    default: #expect(session.follower.pulse == before)
    }
  }

  @Test
  func
    `A lost clock is reported once, with the time of the loss, and is back with its second pulse`()
  {
    var session = Session()
    session.receive(pulses: pulses(96, bpm: 120))
    let last = 95 * period(120)
    #expect(session.follower.deadline == instant(last + 1.5 * period(120)))
    session.elapse(to: last + 1.5 * period(120) + 1e-6)
    #expect(session.follower.state == .freewheeling)
    #expect(session.follower.bpm != nil)
    #expect(session.follower.deadline == instant(last + 0.5))
    session.elapse(to: last + 0.5)
    #expect(session.follower.state == .freewheeling)
    session.elapse(to: 3)
    session.elapse(to: 4)
    #expect(session.follower.state == .lost)
    #expect(session.follower.deadline == nil)
    #expect(session.follower.bpm == nil)
    #expect(session.follower.isLive == false)
    let readings = session.readings.count
    session.receive(.clock, at: 5)
    #expect(session.follower.state == .learning)
    #expect(session.bpm == nil)
    #expect(session.follower.reading == nil)
    #expect(session.follower.isLive == false)
    #expect(session.readings.count == readings)
    session.receive(.clock, at: 5 + period(120))
    #expect(session.follower.state == .locked)
    #expect(session.bpm == 120)
    #expect(
      session.events.suffix(3)
        == [
          .lost(at: instant(last + 0.5)), .found(at: instant(5)),
          .withoutStart(at: instant(5 + period(120))),
        ])
    session.receive(pulses: pulses(47, bpm: 120, from: 5 + 2 * period(120)))
    #expect(session.bpm == 120)
    #expect(session.events.count == 5)
  }

  @Test
  func `A clock that comes back at another tempo shows it immediately`() {
    var session = Session()
    session.receive(pulses: pulses(96, bpm: 120))
    session.receive(pulses: pulses(3, bpm: 90, from: 7))
    #expect(session.bpm == 90)
    session.receive(pulses: pulses(96, bpm: 122, from: 17))
    #expect(session.bpm == 122)
  }

  @Test(arguments: [40.0, 97, 99, 99.5, 101, 103, 140, 240])
  func `After a loss the old tempo is not shown, not even once`(bpm: Double) {
    var session = Session()
    session.receive(.start, at: -0.001)
    session.receive(pulses: pulses(240, bpm: 100))
    let readings = session.readings.count
    session.receive(pulses: pulses(48, bpm: bpm, from: 20))
    #expect(session.beats[10].bpm == nil)
    for reading in session.readings.dropFirst(readings) {
      #expect((reading.bpm - bpm).magnitude < 0.01)
    }
    #expect(session.readings.count == readings + 47)
    #expect(session.bpm == bpm)
  }

  @Test
  func `A tempo that is back after a loss is known again with the second pulse, also with jitter`()
  {
    for seed in UInt64(0)..<20 {
      var random = Seeded(seed)
      var session = Session()
      session.receive(pulses: pulses(480, bpm: 120).map { $0 + 0.000_5 * random.gaussian() })
      let later = pulses(48, bpm: 120, from: 20).map { $0 + 0.000_5 * random.gaussian() }
      session.receive(.clock, at: later[0])
      session.receive(.clock, at: later[1])
      #expect(session.follower.state == .locked)
      #expect(((session.bpm ?? 0) - 120).magnitude < 0.1)
    }
  }

  @Test
  func `A pause with Start in it is neither a tempo nor a loss`() {
    for repairs in [false, true] {
      for pause in [0.03, 0.1, 0.2, 0.3, 0.45, 1] {
        for message in [MIDIMessage.start, .continue] {
          var session = Session(repairs: repairs)
          session.receive(.start, at: -0.001)
          session.receive(pulses: pulses(96, bpm: 120))
          session.receive(.stop, at: 95.5 * period(120))
          let again = 95 * period(120) + pause
          session.receive(message, at: again - 0.005)
          session.receive(pulses: pulses(96, bpm: 120, from: again))
          let first: Int64 = message == .start ? 0 : 96
          #expect(session.follower.pulse == first + 95, "\(pause) s")
          #expect(session.follower.missing == 0 && session.follower.extra == 0)
          for reading in session.readings { #expect((reading.bpm - 120).magnitude < 0.01) }
        }
      }
    }
  }

  @Test(arguments: [60.0, 90, 133, 240], [0.1, 1 / 3.0, 2])
  func `The wait of a leader around its first Start is not a tempo`(bpm: Double, wait: Double) {
    for early in [0.000_13, 0.01] {
      var session = Session()
      session.receive(.clock, at: 1 - early)
      session.receive(.start, at: 1)
      session.receive(pulses: pulses(96, bpm: bpm, from: 1 + wait))
      for reading in session.readings { #expect((reading.bpm - bpm).magnitude < 0.01) }
      #expect(session.beats.first?.bpm == nil)
      #expect(session.follower.pulse == 95)
      #expect(session.bpm == bpm)
    }
  }

  @Test
  func `A gap among the first pulses is not a tempo`() {
    for count in 1...4 {
      for gap in [0.3, 0.45, 3] {
        var session = Session()
        session.receive(pulses: pulses(count, bpm: 120))
        session.receive(pulses: pulses(48, bpm: 120, from: Double(count - 1) * period(120) + gap))
        for reading in session.readings { #expect((reading.bpm - 120).magnitude < 0.01) }
      }
    }
  }

  @Test(arguments: [3.0, 5, 8, 9.5, 420, 480, 600, 1_000, 2_000])
  func `A clock outside 10 to 400 is counted and its tempo known`(bpm: Double) {
    var session = Session()
    session.receive(.start, at: -0.000_5)
    session.receive(pulses: pulses(240, bpm: bpm))
    #expect(session.follower.pulse == 239)
    #expect(session.beats.count == 10)
    #expect(((session.follower.bpm ?? 0) - bpm).magnitude < 0.001)
    let found = session.events.filter { if case .found = $0 { true } else { false } }
    #expect(found.count <= 4)
  }

  @Test(arguments: [2, 3, 4, 8] as [Int64])
  func `A source of more than 24 PPQN is counted rightly`(divisor: Int64) {
    var session = Session(divisor: divisor)
    let fast = 120 * Double(divisor)
    // Running before Start, which does not fall on a counted pulse.
    session.receive(pulses: pulses(97, bpm: fast))
    let start = 97 * period(fast)
    session.receive(.start, at: start - 0.000_5)
    let count = Int(divisor) * 48 + 1
    session.receive(pulses: pulses(count, bpm: fast, from: start))
    #expect(session.places == ["1|1|0@0", "1|2|0@24", "1|3|0@48"])
    #expect(session.bpm == 120)
    for reading in session.readings { #expect((reading.bpm - 120).magnitude < 0.01) }
    #expect(session.follower.missing == 0 && session.follower.extra == 0)
    // A Stop just after a counted pulse, whose other pulses come with Continue.
    session.receive(.stop, at: start + (Double(count) - 0.5) * period(fast))
    session.receive(pulses: pulses(7, bpm: fast, from: start + Double(count) * period(fast)))
    let again = start + Double(count + 7) * period(fast)
    session.receive(.continue, at: again - 0.000_1)
    session.receive(pulses: pulses(24 * Int(divisor), bpm: fast, from: again))
    #expect(session.beats.last?.pulse == 72)
    let last = session.beats.last?.stamp ?? .zero
    let due = again + Double(24 * divisor - 1) * period(fast)
    #expect((last - instant(due)).nanoseconds.magnitude < 2)
  }

  @Test
  func `Other messages do not keep a stopped clock alive`() {
    var session = Session()
    session.receive(pulses: pulses(420, bpm: 105))
    #expect(session.bpm == 105)
    let last = 419 * period(105)
    for number in 1...20 {
      session.receive(
        .control(channel: 0, controller: 1, value: 1), at: last + Double(number) * 0.27)
    }
    #expect(session.events.last == .lost(at: instant(last + 0.5)))
    #expect(session.follower.state == .lost)
  }

  @Test
  func `Slow clocks are lost after four periods, or after the given silence`() {
    var slow = Session()
    slow.receive(pulses: pulses(10, bpm: 10))
    slow.elapse(to: 9 * 0.25 + 0.99)
    #expect(slow.follower.state == .freewheeling)
    slow.elapse(to: 9 * 0.25 + 1.01)
    #expect(slow.follower.state == .lost)
    // With less than two periods, every pulse would be reported as lost and found.
    var tooShort = Session(lostAfter: .milliseconds(10))
    tooShort.receive(pulses: pulses(48, bpm: 60))
    #expect(!tooShort.events.contains { if case .lost = $0 { true } else { false } })
    var asked = Session(lostAfter: .milliseconds(100))
    asked.receive(pulses: pulses(48, bpm: 120))
    asked.elapse(to: 47 * period(120) + 0.101)
    #expect(asked.events.last == .lost(at: instant(47 * period(120) + 0.1)))
  }

  @Test
  func `The count continues when a lost clock comes back without Start`() {
    var session = Session()
    session.receive(.start, at: 0)
    session.receive(pulses: pulses(30, bpm: 120, from: 0.001))
    session.receive(pulses: pulses(20, bpm: 120, from: 10))
    #expect(session.follower.pulse == 49)
    #expect(session.places == ["1|1|0@0", "1|2|0@24", "1|3|0@48"])
  }

  @Test
  func `Untaken reports are dropped oldest first; the count is not affected`() {
    var follower = ClockFollower()
    follower.receive(.start, at: .zero)
    for pulse in 0..<1_000 {
      follower.receive(.clock, at: instant(0.001 + Double(pulse) * period(120)))
    }
    #expect(follower.pulse == 999)
    var count = 0
    while follower.nextReport() != nil { count += 1 }
    #expect(count == 16)
  }
}
