import MIDIClock

/// Reads the tempo of a clock.
protocol TempoReader: AnyObject {
  /// Processes a pulse stamped `time`, in nanoseconds.
  func receive(_ time: Int64)
  /// The tempo shown, in quarter notes per minute; `nil` if none is.
  var bpm: Double? { get }
}

/// midimetro's estimator.
final class Ours: TempoReader {
  var estimator = TempoEstimator()
  func receive(_ time: Int64) { estimator.receive(HostTime(nanoseconds: time)) }
  var bpm: Double? { estimator.bpm }
}

/// The tempo of the last interval, as shown by SuperCollider's ddwMIDI and others.
final class LastInterval: TempoReader {
  private var last: Int64?
  private(set) var bpm: Double?
  func receive(_ time: Int64) {
    if let last, time > last { bpm = 2.5e9 / Double(time - last) }
    last = time
  }
}

/// The mean of the last `length` intervals: 10 in Hydrogen, 96 in a branch of Mixxx.
final class EndPoints: TempoReader {
  private let length: Int
  private var times: [Int64] = []
  private(set) var bpm: Double?
  init(_ length: Int) { self.length = length }
  func receive(_ time: Int64) {
    times.append(time)
    if times.count > length + 1 { times.removeFirst() }
    guard times.count > 1, let first = times.first, time > first else { return }
    bpm = 2.5e9 * Double(times.count - 1) / Double(time - first)
  }
}

/// The delay-locked loop of jack_mclk_dump: 1/6 Hz, with the tempo from the predicted interval.
///
/// The period state of the same loop has a sixteenth of the noise; `readsPeriod` selects it.
final class DelayLockedLoop: TempoReader {
  private let readsPeriod: Bool
  private let bandwidth: Double
  private var predicted = 0.0
  private var previous = 0.0
  private var period = 0.0
  private var b = 0.0
  private var c = 0.0
  private var seen = 0
  private var first: Int64 = 0
  private(set) var bpm: Double?
  init(bandwidth: Double = 1.0 / 6, readsPeriod: Bool) {
    self.bandwidth = bandwidth
    self.readsPeriod = readsPeriod
  }
  func receive(_ time: Int64) {
    seen += 1
    switch seen {
    case 1: first = time
    case 2:
      period = Double(time - first)
      guard period > 0 else {
        seen = 1
        return
      }
      previous = Double(time)
      predicted = previous + period
      let omega = 2 * Double.pi * bandwidth * period / 1e9
      b = omega * 2.0.squareRoot()
      c = omega * omega
      bpm = 2.5e9 / period
    default:
      let error = Double(time) - predicted
      previous = predicted
      predicted += b * error + period
      period += c * error
      bpm = 2.5e9 / (readsPeriod ? period : predicted - previous)
    }
  }
}

/// A plain least-squares line through the last `length` pulses.
final class LeastSquares: TempoReader {
  private let length: Int
  private var times: [Int64] = []
  private(set) var bpm: Double?
  init(_ length: Int) { self.length = length }
  func receive(_ time: Int64) {
    times.append(time)
    if times.count > length { times.removeFirst() }
    guard times.count > 1 else { return }
    let middle = Double(times.count - 1) / 2
    var covariance = 0.0
    var variance = 0.0
    for (index, time) in times.enumerated() {
      covariance += (Double(index) - middle) * Double(time - times[0])
      variance += (Double(index) - middle) * (Double(index) - middle)
    }
    if covariance > 0 { bpm = 2.5e9 * variance / covariance }
  }
}

extension LeastSquares {
  /// The end of the line through `times`.
  static func end(of times: ArraySlice<Int64>) -> Double {
    guard let last = times.last else { return 0 }
    let count = Double(times.count)
    var covariance = 0.0
    var sum = 0.0
    for (index, time) in times.enumerated() {
      sum += Double(time - last)
      covariance += (Double(index) - (count - 1) / 2) * Double(time - last)
    }
    let period = covariance * 12 / (count * (count * count - 1))
    return Double(last) + sum / count + period * (count - 1) / 2
  }
}

/// QMidiArp: measures from an anchor to the current pulse.
///
/// Moves the anchor every 48 pulses and updates every 8.
final class MovingAnchor: TempoReader {
  private var anchor: Int64 = 0
  private var seen = 0
  private var sinceAnchor = 0
  private(set) var bpm: Double?
  func receive(_ time: Int64) {
    defer {
      seen += 1
      sinceAnchor += 1
    }
    if seen == 0 {
      anchor = time
      sinceAnchor = 0
      return
    }
    if sinceAnchor.isMultiple(of: 8), time > anchor {
      bpm = 2.5e9 * Double(sinceAnchor) / Double(time - anchor)
      if sinceAnchor >= 48 {
        anchor = time
        sinceAnchor = 0
      }
    }
  }
}

/// MusE: cascaded moving averages of 12, 8 and 4, without rounding to integers.
final class CascadedAverages: TempoReader {
  private let lengths = [12, 8, 4]
  private var poles: [[Double]] = [[], [], []]
  private var last: Int64?
  private(set) var bpm: Double?
  func receive(_ time: Int64) {
    defer { last = time }
    guard let last, time > last else { return }
    var value = Double(time - last)
    for (number, length) in lengths.enumerated() {
      poles[number].append(value)
      if poles[number].count > length { poles[number].removeFirst() }
      // Nothing is shown until every average is full.
      guard poles[number].count == length else { return }
      value = poles[number].reduce(0, +) / Double(length)
    }
    bpm = 2.5e9 / value
  }
}

/// All readers compared, ours first.
let readers: [(name: String, make: @Sendable () -> any TempoReader)] = [
  ("**midimetro**", { Ours() }),
  ("last interval", { LastInterval() }),
  ("Hydrogen, 10", { EndPoints(10) }),
  ("MusE 12/8/4, not quantised", { CascadedAverages() }),
  ("QMidiArp", { MovingAnchor() }),
  ("Mixxx branch, end points 96", { EndPoints(96) }),
  ("jack_mclk_dump", { DelayLockedLoop(readsPeriod: false) }),
  ("same loop, period read", { DelayLockedLoop(readsPeriod: true) }),
  ("least squares, 48", { LeastSquares(48) }),
  ("least squares, 96", { LeastSquares(96) }),
]
