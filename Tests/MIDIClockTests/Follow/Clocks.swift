import MIDIClock

/// A seeded generator (SplitMix64), so that clocks have the same jitter in every run.
struct Seeded {
  private var state: UInt64

  init(_ seed: UInt64) {
    var z = seed &+ 1
    for _ in 0..<3 { z = (z ^ (z >> 32)) &* 0xD6E8_FEB8_6659_FD93 }
    state = z
  }

  /// Uniform from 0 to 1.
  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }

  /// Approximately normal with deviation 1: the sum of twelve uniform values, minus six.
  mutating func gaussian() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}

/// Converts seconds to an instant.
func instant(_ seconds: Double) -> HostTime {
  HostTime(nanoseconds: Int64((seconds * 1e9).rounded()))
}

/// The period of a tempo in seconds.
func period(_ bpm: Double) -> Double { 2.5 / bpm }

/// The stamps of `count` even pulses from `start`, in seconds.
func pulses(_ count: Int, bpm: Double, from start: Double = 0) -> [Double] {
  (0..<count).map { start + Double($0) * period(bpm) }
}

/// A follower with all its reports so far.
struct Session: ~Copyable {
  var follower: ClockFollower
  private(set) var reports: [FollowerReport] = []

  init(
    _ pattern: ClickPattern = .common, repairs: Bool = false, lostAfter: HostTime.Span? = nil,
    divisor: Int64 = 1
  ) {
    self.init(
      meters: MeterMap(pattern), repairs: repairs, lostAfter: lostAfter, divisor: divisor)
  }

  init(
    meters: MeterMap, repairs: Bool = false, lostAfter: HostTime.Span? = nil, divisor: Int64 = 1
  ) {
    follower = ClockFollower(
      meters: meters, repairs: repairs, lostAfter: lostAfter, divisor: divisor)
  }

  mutating func receive(_ message: MIDIMessage, at seconds: Double) {
    receive(message, at: instant(seconds))
  }

  mutating func receive(_ message: MIDIMessage, at stamp: HostTime) {
    follower.receive(message, at: stamp)
    collect()
  }

  mutating func receive(pulses seconds: [Double]) {
    for time in seconds { receive(.clock, at: time) }
  }

  mutating func elapse(to seconds: Double) {
    follower.elapse(to: instant(seconds))
    collect()
  }

  private mutating func collect() {
    while let report = follower.nextReport() { reports.append(report) }
  }

  /// All reports except the tempo.
  var events: [FollowerReport] {
    reports.filter {
      if case .tempo = $0 { return false }
      return true
    }
  }

  var beats: [FollowerReport.Beat] {
    reports.compactMap {
      guard case .beat(let beat) = $0 else { return nil }
      return beat
    }
  }

  /// Beats as `bar|beat|0@pulse`.
  var places: [String] { beats.map { "\($0.position)@\($0.pulse)" } }

  var readings: [FollowerReport.TempoReading] {
    reports.compactMap {
      guard case .tempo(let reading) = $0 else { return nil }
      return reading
    }
  }

  /// The tempo, rounded to thousandths.
  var bpm: Double? { mutating get { follower.tempo.map { Double($0.milliBPM) / 1_000 } } }
}
