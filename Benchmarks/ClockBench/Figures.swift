internal import Glibc
import MIDIClock

/// The seeds over which each figure is computed.
let seeds: Range<UInt64> = 0..<60
/// The tempi at which each figure is measured, in quarter notes per minute.
let tempi = [60.0, 120, 174]

/// The smallest value that at least `share` of `values` do not exceed.
func quantile(_ values: [Double], _ share: Double = 0.95) -> Double {
  guard !values.isEmpty else { return .nan }
  let sorted = values.sorted()
  return sorted[min(sorted.count - 1, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
}

/// Root mean square.
func rootMeanSquare(_ values: [Double]) -> Double {
  (values.reduce(0) { $0 + $1 * $1 } / Double(max(values.count, 1))).squareRoot()
}

/// Standard deviation about the mean.
func deviation(_ values: [Double]) -> Double {
  let mean = values.reduce(0, +) / Double(max(values.count, 1))
  return rootMeanSquare(values.map { $0 - mean })
}

/// The tempo that a reader shows after each pulse.
func shown(by reader: any TempoReader, _ stamps: [Int64]) -> [Double?] {
  stamps.map { stamp in
    reader.receive(stamp)
    return reader.bpm
  }
}

/// The number of pulses from the change at pulse `start` until the tempo shown stays within `share`
/// of the true one.
///
/// All remaining pulses if it never does. The first new interval ends one pulse after the change.
func pulsesToSettle(
  _ shown: [Double?], _ signal: Signal, from start: Int, within share: Double
) -> Double {
  var settled = shown.count - start
  for pulse in (start + 1..<shown.count).reversed() {
    guard let bpm = shown[pulse], (bpm / signal.tempo[pulse - 1] - 1).magnitude <= share else {
      break
    }
    settled = pulse - start
  }
  return Double(settled)
}

/// The 95th percentile of a figure over all seeds.
func over(_ seeds: Range<UInt64> = seeds, _ run: (UInt64) -> Double) -> Double {
  quantile(seeds.map(run))
}

// MARK: - The runs

/// Pulses until the tempo of a new clock is known to within `share`, and stays so.
func pulsesToLock(
  _ make: () -> any TempoReader, _ bpm: Double, _ noise: Noise, within share: Double
) -> Double {
  over { seed in
    let signal = Signal(count: 600, noise: noise, seed: seed) { _ in bpm }
    return pulsesToSettle(shown(by: make(), signal.stamps), signal, from: 0, within: share)
  }
}

/// Pulses until the tempo is known to within `share` after it changes by `change`, and stays so.
func pulsesToFollow(
  _ make: () -> any TempoReader, _ bpm: Double, _ noise: Noise, step change: Double,
  within share: Double
) -> Double {
  over { seed in
    let signal = Signal(count: 1_100, noise: noise, seed: seed) {
      $0 < 500 ? bpm : bpm * (1 + change)
    }
    return pulsesToSettle(shown(by: make(), signal.stamps), signal, from: 500, within: share)
  }
}

/// Mean lag in BPM while the tempo rises by 1.25 BPM per beat for 32 beats.
func rampLag(_ make: () -> any TempoReader, _ bpm: Double, _ noise: Noise) -> Double {
  over { seed in
    let signal = Signal(count: 1_168, noise: noise, seed: seed) { pulse -> Double in
      bpm + Double(max(0, pulse - 400)) * 1.25 / 24
    }
    let shown = shown(by: make(), signal.stamps)
    var lag = 0.0
    for pulse in 500..<1_168 { lag += ((shown[pulse] ?? 0) - signal.tempo[pulse - 1]).magnitude }
    return lag / 668
  }
}

/// The error of the tempo shown in the steady state: its root mean square and its maximum.
func steadyError(
  _ make: () -> any TempoReader, _ bpm: Double, _ noise: Noise, minutes: Double
) -> (deviation: Double, worst: Double) {
  var deviations: [Double] = []
  var worst: [Double] = []
  for seed in seeds {
    let signal = Signal(count: Int(minutes * bpm * 24), noise: noise, seed: seed) { _ in bpm }
    let errors = shown(by: make(), signal.stamps).dropFirst(400).map { ($0 ?? 0) - bpm }
    deviations.append(rootMeanSquare(errors))
    worst.append(errors.map(\.magnitude).max() ?? 0)
  }
  return (quantile(deviations), quantile(worst))
}

/// A fault in single pulses.
enum Mishap: CaseIterable {
  case oneMissing, threeMissing, oneExtra, oneLate

  var name: String {
    switch self {
    case .oneMissing: "one pulse missing"
    case .threeMissing: "three pulses missing"
    case .oneExtra: "one pulse extra"
    case .oneLate: "one pulse 10 ms late"
    }
  }

  /// Applies the fault to `stamps`, at pulse 600.
  func applied(to stamps: [Int64]) -> [Int64] {
    var changed = stamps
    switch self {
    case .oneMissing: changed.remove(at: 600)
    case .threeMissing: changed.removeSubrange(600..<603)
    case .oneExtra: changed.insert(stamps[600] + 1_000_000, at: 601)
    case .oneLate:
      changed[600] += 10_000_000
      changed[600] = min(changed[600], changed[601])
    }
    return changed
  }
}

/// The maximum effect of a fault on the tempo shown, compared with the same clock without it.
func move(_ make: () -> any TempoReader, _ bpm: Double, _ noise: Noise, _ mishap: Mishap)
  -> Double
{
  over { seed in
    let signal = Signal(count: 1_000, noise: noise, seed: seed) { _ in bpm }
    let plain = shown(by: make(), signal.stamps)
    let moved = mishap.applied(to: signal.stamps)
    let reader = make()
    var worst = 0.0
    // Compare at equal times: after each stamp of the faulty clock, with the last stamp of the
    // other before it.
    var index = 0
    for stamp in moved {
      reader.receive(stamp)
      while index + 1 < plain.count, signal.stamps[index + 1] <= stamp { index += 1 }
      guard index >= 598, let bpm = reader.bpm, let other = plain[index] else { continue }
      worst = max(worst, (bpm - other).magnitude)
    }
    return worst
  }
}

/// Standard deviation, in milliseconds, of the pulses of the regenerated clock, not counting a
/// constant delay.
func phaseDeviation(_ bpm: Double, _ noise: Noise, minutes: Double) -> Double {
  over { seed in
    let signal = Signal(count: Int(minutes * bpm * 24), noise: noise, seed: seed) { _ in bpm }
    return deviation(phaseErrors(signal).dropFirst(400).map { $0 / 1e6 })
  }
}

/// Root mean square error, in milliseconds, of the pulses of the regenerated clock, when the
/// leader's tempo swings by ±`depth` with a period of `beats` beats.
func phaseInWander(_ bpm: Double, _ noise: Noise, depth: Double, beats: Double) -> Double {
  over { seed in
    let signal = Signal(count: 6_000, noise: noise, seed: seed) {
      bpm * (1 + depth * sin(2 * Double.pi * Double($0) / (24 * beats)))
    }
    return rootMeanSquare(phaseErrors(signal).dropFirst(400).map { $0 / 1e6 })
  }
}

/// The time of each pulse on the line minus its true time, in nanoseconds.
func phaseErrors(_ signal: Signal) -> [Double] {
  var estimator = TempoEstimator()
  return zip(signal.stamps, signal.truth).map { stamp, truth in
    estimator.receive(HostTime(nanoseconds: stamp))
    return Double(estimator.filteredTime?.nanoseconds ?? 0) - truth
  }
}

/// Root mean square error, in milliseconds, of the pulses in the half beat that starts two beats
/// after a step of 5 %; and the same for a reader that knows when the step came.
func phaseAfterStep(_ bpm: Double, _ noise: Noise) -> (ours: Double, limit: Double) {
  var ours: [Double] = []
  var limit: [Double] = []
  for seed in 0..<UInt64(1_000) {
    let signal = Signal(count: 560, noise: noise, seed: seed) { $0 < 500 ? bpm : bpm * 1.05 }
    ours += phaseErrors(signal)[548...].map { $0 / 1e6 }
    for last in 548..<560 {
      limit.append((LeastSquares.end(of: signal.stamps[500...last]) - signal.truth[last]) / 1e6)
    }
  }
  return (rootMeanSquare(ours), rootMeanSquare(limit))
}

/// False starts in an hour: windows cut below a beat, and tempi shown more than 0.5 BPM off.
func falseLocks(_ bpm: Double, seed: UInt64) -> (cuts: Int, wild: Int) {
  let signal = Signal(count: Int(60 * bpm * 24), noise: .heavyTailed, seed: seed) { _ in bpm }
  var estimator = TempoEstimator()
  var cuts = 0
  var wild = 0
  var isWild = false
  var last: Int64 = 0
  for (pulse, stamp) in signal.stamps.enumerated() {
    estimator.receive(HostTime(nanoseconds: stamp))
    guard pulse > 200 else { continue }
    if estimator.windowLength < 24, last >= 24 { cuts += 1 }
    last = estimator.windowLength
    let nowWild = ((estimator.bpm ?? 0) - bpm).magnitude > 0.5
    if nowWild, !isWild { wild += 1 }
    isWild = nowWild
  }
  return (cuts, wild)
}

/// Whether the count is right after ten minutes in which one pulse in fifty, at random, arrived
/// `copies` times.
func isRepaired(copies: Int, _ noise: Noise, seed: UInt64) -> Bool {
  let signal = Signal(count: 28_800, noise: noise, seed: seed) { _ in 120 }
  var random = Random(seed: seed &+ 1_000)
  var follower = ClockFollower(repairs: true)
  follower.receive(.start, at: HostTime(nanoseconds: signal.stamps[0] - 1_000_000))
  for (pulse, stamp) in signal.stamps.enumerated() {
    // The last beat has no faults, so that the last one can be detected.
    let isMarred = pulse > 24 && pulse < 28_776 && random.uniform() < 0.02
    for copy in 0..<(isMarred ? copies : 1) {
      follower.receive(.clock, at: HostTime(nanoseconds: stamp + Int64(copy) * 300_000))
    }
    while follower.nextReport() != nil {}
  }
  return follower.pulse == 28_799
}

/// How many of the 10 100 steps between two tempos end on a wrong pulse or are reported as a loss.
func falseRepairs(_ noise: Noise) -> Int {
  let tempos = Array(stride(from: 40.0, through: 240, by: 2))
  var wrong = 0
  for old in tempos {
    for new in tempos where new != old {
      let signal = Signal(count: 288, noise: noise, seed: UInt64(old * 1_000 + new)) {
        $0 < 96 ? old : new
      }
      var follower = ClockFollower(repairs: true)
      follower.receive(.start, at: HostTime(nanoseconds: signal.stamps[0] - 1_000_000))
      for stamp in signal.stamps {
        follower.receive(.clock, at: HostTime(nanoseconds: stamp))
        while follower.nextReport() != nil {}
      }
      let isRight = follower.pulse == 287 && follower.missing == 0 && follower.extra == 0
      wrong += isRight ? 0 : 1
    }
  }
  return wrong
}

/// The processor time per pulse of a follower in nanoseconds, including fetching the reports.
func cost() -> Double {
  var stamps: [HostTime] = []
  for seed in UInt64(0)..<4 {
    let signal = Signal(count: 60_000, noise: .gaussian(0.3), seed: seed) {
      120 + Double($0 / 5_000 % 2) * 6
    }
    stamps += signal.stamps.map { HostTime(nanoseconds: $0) }
  }
  var follower = ClockFollower()
  var best = Double.infinity
  for _ in 0..<3 {
    let before = processorTime()
    for stamp in stamps {
      follower.receive(.clock, at: stamp)
      while follower.nextReport() != nil {}
    }
    best = min(best, Double(processorTime() - before) / Double(stamps.count))
  }
  return best
}

/// The processor time of this process in nanoseconds.
private func processorTime() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

// MARK: - The four cases peers were measured with

/// The four cases with which other programs were measured: twelve seconds at 133.7, 642 pulses from
/// a real-time sender with 5 us of jitter.
enum PeerCase: CaseIterable {
  case steady, dropped, jitter, step

  var name: String {
    switch self {
    case .steady: "steady: SD"
    case .dropped: "one in 50 dropped: worst error after 1 s"
    case .jitter: "+-5 ms: SD after 6 s"
    case .step: "133.7 to 140: seconds to within 0.5 BPM"
    }
  }

  var target: Double {
    switch self {
    case .steady: 0.002
    case .dropped: 0.01
    case .jitter: 0.15
    case .step: 0.5
    }
  }

  func run(_ make: () -> any TempoReader) -> Double {
    over { seed in
      let signal = Signal(
        count: self == .step ? 656 : 642,
        noise: self == .jitter ? .plusMinus(5) : .gaussian(0.005), seed: seed
      ) { self == .step && $0 >= 321 ? 140 : 133.7 }
      switch self {
      case .steady: return deviation(shown(by: make(), signal.stamps).dropFirst(54).map { $0 ?? 0 })
      case .dropped:
        let stamps = signal.stamps.indices.filter { $0 % 50 != 49 }.map { signal.stamps[$0] }
        let shown = shown(by: make(), stamps).dropFirst(54)
        return shown.map { (($0 ?? 0) - 133.7).magnitude }.max() ?? 0
      case .jitter:
        return deviation(shown(by: make(), signal.stamps).dropFirst(321).map { $0 ?? 0 })
      case .step:
        let shown = shown(by: make(), signal.stamps)
        let pulses = pulsesToSettle(shown, signal, from: 321, within: 0.5 / 140)
        return pulses * 2.5 / 140
      }
    }
  }

  /// The highest tempo shown in the step.
  static func overshoot(_ make: () -> any TempoReader) -> Double {
    over { seed in
      let signal = Signal(count: 656, noise: .gaussian(0.005), seed: seed) {
        $0 >= 321 ? 140 : 133.7
      }
      return shown(by: make(), signal.stamps).dropFirst(321).map { $0 ?? 0 }.max() ?? 0
    }
  }
}
