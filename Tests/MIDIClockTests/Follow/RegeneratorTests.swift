import Testing

@testable import MIDIClock

/// Drives a follower and a regenerator through a recorded clock.
private struct Bench: ~Copyable {
  struct Sent {
    let time: HostTime
    let message: MIDIMessage
    let route: Int
  }

  private var follower: ClockFollower
  private var regenerator: Regenerator
  private(set) var sent: [Sent] = []

  init(
    _ routes: [Route], policy: ClockPolicy = .always, pattern: ClickPattern = .common,
    repairs: Bool = false
  ) {
    self.init(routes, policy: policy, meters: MeterMap(pattern), repairs: repairs)
  }

  init(
    _ routes: [Route], policy: ClockPolicy = .always, meters: MeterMap, repairs: Bool = false
  ) {
    follower = ClockFollower(meters: meters, repairs: repairs)
    regenerator = Regenerator(routes: routes, policy: policy, meters: meters)
  }

  /// Receives `input`, ordered by stamp, and runs for one more second.
  mutating func run(_ input: [(MIDIMessage, Double)]) {
    let heard = input.enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
      .map { (message: $0.element.0, stamp: instant($0.element.1)) }
    guard let first = heard.first, let last = heard.last else { return }
    var now = first.stamp
    var place = 0
    while now < last.stamp + .seconds(1) {
      while place < heard.count, heard[place].stamp <= now {
        follower.receive(heard[place].message, at: heard[place].stamp)
        passReports()
        place += 1
      }
      follower.elapse(to: now)
      passReports()
      switch regenerator.step(now: now, &follower) {
      case .send(let message, let route):
        sent.append(Sent(time: now, message: message, route: route))
      case .wait(let until):
        var wake = max(until, now + HostTime.Span(nanoseconds: 1))
        if place < heard.count { wake = min(wake, max(heard[place].stamp, now)) }
        if let deadline = follower.deadline {
          wake = min(wake, max(deadline, now) + HostTime.Span(nanoseconds: 1))
        }
        now = min(wake, last.stamp + .seconds(1))
      }
    }
  }

  private mutating func passReports() {
    while let report = follower.nextReport() { regenerator.receive(report, &follower) }
  }

  func times(_ wanted: MIDIMessage, route: Int = 0) -> [Double] {
    sent.filter { $0.route == route && $0.message == wanted }
      .map { Double($0.time.nanoseconds) / 1e9 }
  }

  /// The position of a device on `route` that counts by the MIDI specification: its next pulse.
  func nextPulse(_ route: Int) -> Int64 {
    var next: Int64 = 0
    var isRolling = false
    for event in sent where event.route == route {
      switch event.message {
      case .clock: if isRolling { next += 1 }
      case .start:
        next = 0
        isRolling = true
      case .continue: isRolling = true
      case .stop: isRolling = false
      case .songPosition(let position): if !isRolling { next = Int64(position.midiBeats) * 6 }
      default: break
      }
    }
    return next
  }
}

private func deviation(_ values: [Double]) -> Double {
  let mean = values.reduce(0, +) / Double(values.count)
  return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
}

struct RegeneratorTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a millisecond of jitter is reduced to 0.15 ms, and no pulse is lost or added`(
    seed: UInt64
  ) {
    var random = Seeded(seed)
    let count = seed == 1 ? 28_800 : 4_800
    var input: [(MIDIMessage, Double)] = [(.start, -0.003)]
    for pulse in 0..<count {
      input.append((.clock, Double(pulse) / 48 + random.gaussian() * 0.001))
    }
    input.append((.stop, Double(count) / 48 - 0.01))
    var bench = Bench([Route(contents: [.clock, .transport])], policy: .rolling)
    bench.run(input)
    let sent = bench.times(.clock)
    #expect(sent.count == count)
    let errors = sent.enumerated().map { $1 - Double($0) / 48 }.dropFirst(96)
    let spread = deviation(Array(errors))
    #expect(spread <= 0.000_15, "\(spread * 1e6) us")
    #expect(errors.allSatisfy { abs($0) < 0.000_8 })
  }

  @Test(arguments: [0, 0.000_2])
  func `a tempo step is followed within a beat and back in phase within two`(jitter: Double) {
    var random = Seeded(7)
    var time = 0.0
    var ideal: [Double] = []
    for pulse in 0..<480 {
      ideal.append(time)
      time += pulse < 240 ? period(120) : period(126)
    }
    var bench = Bench([Route(contents: [.clock, .transport])], policy: .rolling)
    bench.run([(.start, -0.003)] + ideal.map { (.clock, $0 + random.gaussian() * jitter) })
    let sent = bench.times(.clock)
    #expect(sent.count >= 480)
    let bpm = 2.5 / ((sent[288] - sent[264]) / 24)
    #expect(abs(bpm - 126) < 0.6, "\(bpm)")
    for pulse in 288..<480 {
      #expect(abs(sent[pulse] - ideal[pulse]) < 0.000_3 + 3 * jitter, "\(pulse)")
    }
    let sorted = zip(sent.dropFirst(), sent).map { $0 - $1 }
    #expect(sorted.allSatisfy { $0 >= period(126) / 2 })
  }

  @Test(arguments: [
    (56.0, 80.0), (88, 120), (96, 136), (112, 88), (128, 176), (60, 180), (200, 50),
  ])
  func `a large step neither loses nor adds a pulse, and is back in phase within two beats`(
    old: Double, new: Double
  ) {
    for repairs in [false, true] {
      var time = 1.0
      var ideal: [Double] = []
      for pulse in 0..<240 {
        ideal.append(time)
        time += period(pulse < 96 ? old : new)
      }
      var bench = Bench(
        [Route(contents: [.clock, .transport])], policy: .rolling, repairs: repairs)
      bench.run(
        [(.start, 0.99)] + ideal.map { (.clock, $0) } + [(.stop, time - period(new) / 2)])
      let sent = bench.times(.clock)
      #expect(sent.count == 240)
      for pulse in 144..<min(sent.count, 240) {
        #expect(abs(sent[pulse] - ideal[pulse]) < 0.000_1, "\(pulse)")
      }
    }
  }

  @Test(arguments: Array(1...12) as [UInt64])
  func `counts stay equal over Stop, Continue, Start and Song Position in every order`(
    seed: UInt64
  ) {
    var random = Seeded(seed)
    let hasClockWhileStopped = seed % 2 == 0
    var input: [(MIDIMessage, Double)] = []
    var time = 0.0
    var next: Int64 = 0
    func run(_ pulses: Int, rolling: Bool) {
      for _ in 0..<pulses {
        input.append((.clock, time + max(-0.002, min(0.002, random.gaussian() * 0.000_5))))
        time += period(120)
        if rolling { next += 1 }
      }
    }
    if hasClockWhileStopped { run(50, rolling: false) }
    for round in 0..<12 {
      switch round == 0 ? 0 : Int(random.uniform() * 3) {
      case 0:
        input.append((.start, time - 0.006))
        next = 0
      case 1: input.append((.continue, time - 0.006))
      default:
        let beats = Int64(random.uniform() * 200)
        input.append(
          (
            .songPosition(SongPosition(midiBeats: beats) ?? .init(lowByte: 0, highByte: 0)),
            time - 0.009
          ))
        input.append((.continue, time - 0.006))
        next = beats * 6
      }
      run(30 + Int(random.uniform() * 90), rolling: true)
      input.append((.stop, time - 0.015 + random.uniform() * 0.006))
      if hasClockWhileStopped {
        run(20 + Int(random.uniform() * 40), rolling: false)
      } else {
        time += 0.2 + random.uniform() * 2
      }
    }
    let all: Route.Contents = [.clock, .transport, .position]
    let routes = [
      Route(contents: all), Route(contents: all, offset: .milliseconds(35)),
      Route(contents: all, offset: .milliseconds(-8)),
    ]
    var bench = Bench(routes, policy: hasClockWhileStopped ? .always : .rolling)
    bench.run(input)
    #expect(bench.nextPulse(0) == next)
    #expect(bench.nextPulse(1) == next)
    #expect((next...next + 1).contains(bench.nextPulse(2)))
    #expect(bench.times(.start).count == input.filter { $0.0 == .start }.count)
    #expect(bench.times(.stop, route: 1).count == 12)
  }

  @Test func `a pointer dragged while stopped reaches a late route at its final position`() {
    var input: [(MIDIMessage, Double)] = [(.start, -0.003)]
    input += pulses(96, bpm: 120).map { (.clock, $0) }
    input.append((.stop, 96 * period(120) - 0.005))
    for step in 0..<40 {
      input.append(
        (.songPosition(SongPosition(lowByte: UInt8(step), highByte: 0)), 2.2 + Double(step) * 0.01))
    }
    input.append((.continue, 2.61))
    input += pulses(100, bpm: 120, from: 2.615).map { (.clock, $0) }
    input.append((.stop, 2.615 + 99.5 * period(120)))
    let all: Route.Contents = [.clock, .transport, .position]
    var bench = Bench(
      [Route(contents: all), Route(contents: all, offset: .milliseconds(500))], policy: .rolling)
    bench.run(input)
    #expect(bench.times(.continue, route: 1).count == 1)
    for route in [0, 1] { #expect(bench.nextPulse(route) == 39 * 6 + 100) }
  }

  @Test func `a burst of transport messages ends in the leader's state`() {
    var input: [(MIDIMessage, Double)] = pulses(96, bpm: 120).map { (.clock, $0) }
    input.append((.start, 2.000_5))
    for round in 0..<30 {
      let time = 2.001 + Double(round) * 0.000_1
      input += [(.start, time), (.stop, time), (.continue, time)]
    }
    input += [(.stop, 2.005)]
    input += pulses(96, bpm: 120, from: 96 * period(120) + 0.01).map { (.clock, $0) }
    let all: Route.Contents = [.clock, .transport, .position]
    var bench = Bench(
      [Route(contents: all), Route(contents: all, offset: .milliseconds(500))])
    bench.run(input)
    for route in [0, 1] {
      let last = bench.sent.last {
        $0.route == route && [.start, .stop, .continue].contains($0.message)
      }
      #expect(last?.message == .stop, "route \(route)")
    }
  }

  @Test func `offsets shift everything, negative ones by prediction`() {
    let even = pulses(480, bpm: 120).map { (MIDIMessage.clock, $0) }
    let contents: Route.Contents = [.clock, .transport]
    var bench = Bench(
      [
        Route(contents: contents), Route(contents: contents, offset: .milliseconds(12)),
        Route(contents: contents, offset: .milliseconds(-7)),
      ], policy: .rolling)
    bench.run([(.start, -0.002)] + even)
    let straight = bench.times(.clock)
    for (route, offset) in [(1, 0.012), (2, -0.007)] {
      let moved = bench.times(.clock, route: route)
      for pulse in 48..<470 {
        #expect(abs(moved[pulse] - straight[pulse] - offset) < 0.000_02)
      }
    }
  }

  @Test func `pulses are divided and multiplied`() {
    let even = pulses(240, bpm: 120).map { (MIDIMessage.clock, $0) }
    let contents: Route.Contents = [.clock, .transport]
    var bench = Bench(
      [
        Route(contents: contents, divide: 6), Route(contents: contents, multiply: 4),
      ], policy: .rolling)
    bench.run([(.start, -0.002)] + even + [(.stop, 240 * period(120) - 0.000_01)])
    #expect(bench.times(.clock).count == 40)
    #expect((957...960).contains(bench.times(.clock, route: 1).count))
    let fast = bench.times(.clock, route: 1)[100..<900]
    for (one, other) in zip(fast.dropFirst(), fast) {
      #expect(abs(one - other - period(120) / 4) < 0.000_02)
    }
  }

  @Test func `clicks fall on the even beat, after their pulse, and end before Stop`() throws {
    var random = Seeded(3)
    var input: [(MIDIMessage, Double)] = [(.start, -0.004)]
    for pulse in 0..<481 {
      input.append((.clock, Double(pulse) / 48 + random.gaussian() * 0.000_5))
    }
    input.append((.stop, 480.0 / 48 + 0.01))
    var bench = Bench([Route(), Route(contents: .click)])
    bench.run(input)
    for route in [0, 1] {
      let messages = bench.sent.filter { $0.route == route }
      let strikes = messages.filter { if case .noteOn = $0.message { true } else { false } }
      #expect(strikes.count == 21)
      for (beat, strike) in strikes.enumerated().dropFirst(4) {
        let error = Double(strike.time.nanoseconds) / 1e9 - Double(beat) / 2
        #expect(abs(error) < 0.000_4, "beat \(beat): \(error)")
      }
    }
    let clocked = bench.sent.filter { $0.route == 0 }
    let stop = try #require(clocked.firstIndex { $0.message == .stop })
    let end = try #require(
      clocked.lastIndex { if case .noteOff = $0.message { true } else { false } })
    #expect(end < stop)
    for (place, event) in clocked.enumerated() {
      guard case .noteOn = event.message else { continue }
      // The newest message other than note-offs is the click's own pulse.
      let before = clocked[..<place].last { if case .noteOff = $0.message { false } else { true } }
      #expect(before?.message == .clock)
    }
  }

  @Test func `clicks follow a score's meters, also after a Stop and from another position`() throws
  {
    let score = try ScoreReading(Array("1 3/4\n2 5/8=3+2 Xxmxx\n* 2/4 X.".utf8)).score
    let meters = try #require(MeterMap(score))
    var bench = Bench([Route()], meters: meters)
    var input: [(MIDIMessage, Double)] = [(.start, -0.005)]
    // 3/4, 5/8 twice, 2/4: 72 + 60 + 60 + 48 pulses of 20.8 ms.
    for pulse in 0..<100 { input.append((.clock, Double(pulse) / 48)) }
    input += [(.stop, 99.5 / 48), (.continue, 3.0)]
    for pulse in 0..<92 { input.append((.clock, Double(147 + pulse) / 48)) }
    // The second bar of 5/8.
    let place = SongPosition(lowByte: 22, highByte: 0)
    input += [(.stop, 238.5 / 48), (.songPosition(place), 5.1), (.continue, 5.2)]
    for pulse in 0..<80 { input.append((.clock, Double(253 + pulse) / 48)) }
    bench.run(input)
    let strong = Route().voice.strong
    let medium = Route().voice.medium
    let notes = bench.sent.compactMap { sent -> (beat: Double, letter: String)? in
      guard case .noteOn(_, let key, let velocity) = sent.message else { return nil }
      let letter =
        key == strong.key ? "X" : key == medium.key && velocity == medium.velocity ? "m" : "x"
      return (Double(sent.time.nanoseconds) / 1e9, letter)
    }
    // 3/4; 5/8, its last two beats after the Stop; 5/8; from the pointer 5/8 again, and 2/4.
    #expect(notes.map(\.letter).joined() == "XxxXxmxxXxmxxXxmxxX")
    // The pointer is at beat 1 of the second 5/8, eleven eighths from the top.
    #expect(abs(notes[13].beat - 253 / 48.0) < 0.001)
  }

  @Test(arguments: [MIDIMessage.start, .continue], [0.1, 0.2, 0.3, 0.45])
  func `when a leader that pauses its clock resumes soon, no pulse is sent ahead of its own`(
    message: MIDIMessage, pause: Double
  ) {
    var input: [(MIDIMessage, Double)] = [(.start, -0.005)]
    for pulse in 0..<96 { input.append((.clock, Double(pulse) / 48)) }
    let again = 95.0 / 48 + pause
    input += [(.stop, 95.5 / 48), (message, again - 0.005)]
    for pulse in 0..<96 { input.append((.clock, again + Double(pulse) / 48)) }
    input.append((.stop, again + 95.5 / 48))
    var bench = Bench([Route()], policy: .rolling)
    bench.run(input)
    let later = bench.sent.filter { $0.time > instant(again - 0.005) }
    let first = later.first { $0.message == .clock }
    let click = later.first { if case .noteOn = $0.message { true } else { false } }
    for sent in [first, click] {
      let after = sent.map { ($0.time - instant(again)).nanoseconds } ?? -1
      #expect((0...1_000_000).contains(after))
    }
    #expect(bench.sent.count { $0.message == .clock } == 192)
  }

  @Test func `a pulled cable stops the pulses, and they are sent when it is back`() {
    let before = pulses(240, bpm: 120).map { (MIDIMessage.clock, $0) }
    let after = pulses(240, bpm: 120, from: 20).map { (MIDIMessage.clock, $0) }
    var bench = Bench([Route(contents: [.clock, .transport])], policy: .rolling)
    bench.run([(.start, -0.002)] + before + after)
    let gap = bench.times(.clock).filter { $0 > 5.7 && $0 < 20 }
    #expect(gap.isEmpty)
    let total = bench.times(.clock).filter { $0 <= 20 + 239 * period(120) + 0.001 }.count
    #expect((479...481).contains(total), "\(total)")
  }

  @Test func `no two pulses are closer than half a period, even if the input bunches`() {
    var input: [(MIDIMessage, Double)] = [(.start, -0.002)]
    for pulse in 0..<48 { input.append((.clock, Double(pulse) / 48)) }
    for _ in 0..<13 { input.append((.clock, 1.25)) }
    for pulse in 61..<240 { input.append((.clock, Double(pulse) / 48)) }
    var bench = Bench([Route(contents: [.clock, .transport])], policy: .rolling)
    bench.run(input)
    let sent = bench.times(.clock)
    for (one, other) in zip(sent.dropFirst(), sent) { #expect(one - other > 0.009) }
    #expect(sent.filter { $0 < 239.5 / 48 }.count == 240)
  }

  @Test(arguments: [ClockPolicy.rolling, .always])
  func `the wait of a leader around its first Start does not delay the first beat`(
    policy: ClockPolicy
  ) {
    // midish: one pulse just before Start, the next a third of a second after it.
    let given = [0.3335, 0.3523, 0.3711, 0.3899, 0.4087, 0.4275, 0.4463].map { 1 + $0 }
    var input: [(MIDIMessage, Double)] = [(.clock, 0.999_87), (.start, 1)]
    input += given.map { (.clock, $0) }
    var bench = Bench([Route(contents: [.clock, .transport])], policy: policy)
    bench.run(input)
    let sent = bench.times(.clock).filter { $0 > 1.1 }
    for (one, other) in zip(sent, given) { #expect(abs(one - other) < 0.001) }
  }

  @Test(arguments: [5.0, 8, 420, 480, 960, 2_000])
  func `pulses and Stop are passed on in time at any speed`(bpm: Double) {
    let given = pulses(bpm < 10 ? 48 : 768, bpm: bpm)
    let end = (given.last ?? 0) + period(bpm) / 2
    var bench = Bench([Route(contents: [.clock, .transport])], policy: .rolling)
    bench.run([(.start, -0.001_2)] + given.map { (.clock, $0) } + [(.stop, end)])
    let sent = bench.times(.clock)
    #expect(sent.count == given.count)
    for (one, other) in zip(sent, given) { #expect(abs(one - other) < 0.001) }
    for stop in bench.times(.stop) { #expect(abs(stop - end) < 0.001) }
  }

  @Test(arguments: [0, 0.000_5])
  func `after the Stop of a leader that is silent while stopped, no pulse is sent`(jitter: Double) {
    var random = Seeded(11)
    for share in [0.1, 0.5, 0.9] {
      var input: [(MIDIMessage, Double)] = [(.start, -0.003)]
      for pulse in 0..<480 {
        input.append((.clock, Double(pulse) / 48 + jitter * random.gaussian()))
      }
      let stop = (479 + share) / 48
      input.append((.stop, stop))
      var bench = Bench([Route(contents: [.clock, .transport])])
      bench.run(input)
      #expect(bench.times(.clock).filter { $0 > stop + 0.000_1 }.isEmpty)
      #expect((480...481).contains(bench.times(.clock).count))
    }
  }

  @Test func `a leader that sends pulses while stopped is passed on without a gap`() {
    var random = Seeded(12)
    let given = pulses(960, bpm: 120).map { $0 + 0.000_3 * random.gaussian() }
    var bench = Bench([Route(contents: [.clock, .transport])])
    bench.run([(.start, -0.003)] + given.map { (.clock, $0) } + [(.stop, 479.5 / 48)])
    let sent = bench.times(.clock)
    for (one, other) in zip(sent.dropFirst(), sent) { #expect(abs(one - other - 1 / 48.0) < 0.004) }
    let errors = sent.prefix(960).enumerated().map { $1 - Double($0) / 48 }
    #expect(deviation(Array(errors.dropFirst(500))) < 0.000_1)
  }

  @Test func `when a stopped clock ends, at most one pulse is sent that the leader did not send`() {
    var bench = Bench([Route(contents: [.clock, .transport])])
    bench.run(pulses(480, bpm: 120).map { (.clock, $0) })
    #expect((480...481).contains(bench.times(.clock).count))
  }
}
