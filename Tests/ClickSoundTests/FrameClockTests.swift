import MIDIClock
import Testing
import TestSupport

@testable import ClickSound

/// A simulated driver that feeds a free-running device.
private struct Device {
  var rate = 48_000.0
  /// How much faster than its nominal rate it runs, in parts per million.
  var partsPerMillion = 0.0
  var period = 256
  var periods = 4
  /// The time from the first callback until the device starts to play, in nanoseconds.
  var startDelay = 0.0
  /// The step by which the device's position advances, in nanoseconds; 0 for continuously.
  var step = 0.0
  /// The maximum lateness of a wake-up, in nanoseconds; mostly it is much less.
  var lateness = 0.0
  /// Dropouts of the stream: start and duration in nanoseconds.
  var interruptions: [(at: Double, length: Double)] = []

  /// Frames played per nanosecond.
  private var speed: Double { rate * (1 + partsPerMillion / 1e6) / 1e9 }

  /// Calls back for `seconds`; `body` gets the frame, the time, and the time at which the device
  /// itself would have requested that frame.
  func run(
    seconds: Double, seed: UInt64, _ body: (_ frame: Int64, _ now: HostTime, _ due: Double) -> Void
  ) {
    var random = SeededGenerator(seed: seed)
    let begin = 7_123_456_789.0
    let capacity = periods * period
    var start = begin + startDelay
    var frame = 0
    var now = begin
    var left = interruptions
    while now < begin + seconds * 1e9 {
      // The device requests a frame when its buffer has space for it: when all but one buffer is
      // played.
      var due = start + Double(frame - capacity) / speed
      if let next = left.first, due - begin > next.at {
        // It stops; frames requested before are played afterwards.
        left.removeFirst()
        start += next.length
        due += next.length
      }
      var free = max(due, begin)
      if step > 0, free > begin { free = begin + ((free - begin) / step).rounded(.up) * step }
      let part = Double(random.next() % 1_000_000) / 1e6
      now = max(now, free) + 3_000 + lateness * part * part * part
      body(Int64(frame), HostTime(nanoseconds: Int64(now)), due)
      frame += period
    }
  }
}

struct FrameClockTests {
  /// The maximum error of the line against the device, in ns, from `after` seconds on.
  private func error(
    of device: Device, seconds: Double, after: Double, seed: UInt64 = 1
  ) -> (worst: Double, spread: Double, clock: FrameClock) {
    var clock = FrameClock(rate: device.rate)
    var worst = 0.0
    var least = Double.infinity
    var most = -Double.infinity
    var begin: Double?
    device.run(seconds: seconds, seed: seed) { frame, now, due in
      let time = Double(now.nanoseconds)
      begin = begin ?? time
      _ = clock.called(frame, at: now)
      guard time - (begin ?? 0) >= after * 1e9 else { return }
      let error = Double(clock.time(ofFrame: frame).nanoseconds) - due
      worst = max(worst, error.magnitude)
      least = min(least, error)
      most = max(most, error)
    }
    return (worst, most - least, clock)
  }

  static let shapes: [(rate: Double, period: Int, step: Double)] = [44_100.0, 48_000, 96_000]
    .flatMap { rate in
      [64, 256, 512, 1_024].flatMap { period in
        // Continuous, and in steps of a 250 Hz timer, like the loopback card.
        [0.0, 4e6].map { (rate, period, $0) }
      }
    }

  @Test(arguments: shapes)
  func `the line matches the device within 0.1 ms, or 0.2 ms if it advances in steps of 4 ms`(
    rate: Double, period: Int, step: Double
  ) {
    let periods = max(2, Int((rate * 0.021 / Double(period)).rounded(.up)))
    let device = Device(
      rate: rate, period: period, periods: periods, step: step, lateness: 100_000)
    let settled = error(of: device, seconds: 20, after: 3)
    let limit = step == 0 ? 100_000.0 : 200_000
    #expect(settled.worst < limit, "worst \(settled.worst) ns")
    #expect(settled.spread < limit, "spread \(settled.spread) ns")
    #expect((settled.clock.rate / rate - 1).magnitude < 10e-6)
  }

  @Test(arguments: [64, 256, 1_024])
  func `early clicks are accurate too: half a millisecond after 60 ms`(period: Int) {
    for (step, startDelay) in [(0.0, 0.0), (4e6, 0.0), (4e6, 4e6), (0.0, 3.5e6), (0.0, 40e6)] {
      let device = Device(
        period: period, periods: max(2, 1_024 / period), startDelay: startDelay, step: step,
        lateness: 50_000)
      #expect(error(of: device, seconds: 3, after: 0.06 + startDelay / 1e9).worst < 500_000)
    }
  }

  @Test(arguments: [-300.0, -100, 100, 300])
  func `a fast or slow device is tracked`(partsPerMillion: Double) {
    let device = Device(partsPerMillion: partsPerMillion, lateness: 200_000)
    let settled = error(of: device, seconds: 120, after: 10)
    #expect(settled.worst < 60_000, "worst \(settled.worst) ns")
    let measured = (settled.clock.rate / 48_000 - 1) * 1e6
    #expect((measured - partsPerMillion).magnitude < 5, "\(measured) ppm")
    // Nor does it stray while it converges.
    #expect(error(of: device, seconds: 10, after: 0.1).worst < 300_000)
  }

  @Test func `wake-ups a few milliseconds late are filtered out`() {
    for seed in 1...10 as ClosedRange<UInt64> {
      let device = Device(lateness: 5e6)
      let settled = error(of: device, seconds: 60, after: 5, seed: seed)
      #expect(settled.worst < 100_000, "seed \(seed): worst \(settled.worst) ns")
    }
  }

  @Test func `after a dropout the line is reset within an eighth of a second`() {
    let device = Device(lateness: 100_000, interruptions: [(5e9, 30e6), (9e9, 7e6), (12e9, 300e6)])
    var clock = FrameClock(rate: 48_000)
    var interruptions: [HostTime.Span] = []
    var wrong: [Double] = []
    device.run(seconds: 15, seed: 3) { frame, now, due in
      switch clock.called(frame, at: now) {
      case .interrupted(let span): interruptions.append(span)
      case .advanced(let span): Issue.record("advanced by \(span.nanoseconds)")
      case .steady: break
      }
      let error = Double(clock.time(ofFrame: frame).nanoseconds) - due
      // The first periods are requested immediately, before they are due.
      guard frame > 4_800 else { return }
      if error.magnitude > 150_000 { wrong.append(Double(now.nanoseconds)) }
    }
    #expect(interruptions.map { ($0.nanoseconds + 500_000) / 1_000_000 } == [30, 7, 300])
    // Wrong only until each dropout is detected: three stretches of less than 0.125 s.
    var stretches: [ClosedRange<Double>] = []
    for time in wrong {
      if let last = stretches.last, time - last.upperBound < 0.05e9 {
        stretches[stretches.count - 1] = last.lowerBound...time
      } else {
        stretches.append(time...time)
      }
    }
    #expect(stretches.count <= 3, "\(stretches)")
    #expect(stretches.allSatisfy { $0.upperBound - $0.lowerBound < 0.125e9 })
  }

  @Test func `a growing buffer moves the line immediately`() {
    var clock = FrameClock(rate: 48_000)
    var said: [FrameClock.Observation] = []
    for index in 0..<1_000 as Range<Int64> {
      // From callback 500 on the driver requests two periods ahead.
      let ahead: Int64 = index < 500 ? 0 : 2
      let now = HostTime(nanoseconds: (index - ahead) * 256 * 62_500 / 3)
      let observation = clock.called(index * 256, at: now)
      if observation != .steady { said.append(observation) }
    }
    #expect(said == [.advanced(HostTime.Span(nanoseconds: 2 * 256 * 62_500 / 3))])
    let due = HostTime(nanoseconds: 998 * 256 * 62_500 / 3)
    #expect((clock.time(ofFrame: 1_000 * 256) - due).nanoseconds.magnitude < 1_000)
  }

  @Test func `frame and time are inverse`() {
    var clock = FrameClock(rate: 44_100)
    for index in 0..<500 as Range<Int64> {
      _ = clock.called(
        index * 64, at: HostTime(nanoseconds: 1_000_000_000 + index * 64 * 10_000_000 / 441))
    }
    for frame in [-100_000, -1, 0, 1, 31_999, 32_000, 9_999_999] as [Int64] {
      #expect(clock.frame(at: clock.time(ofFrame: frame)) == frame)
    }
  }
}
