import MIDIClock

/// Reads a tempo from taps.
protocol TapReader: AnyObject {
  /// Processes a tap at `time`, in nanoseconds.
  func tap(_ time: Int64)
  /// Taps per minute; `nil` if none is shown.
  var bpm: Double? { get }
}

/// midimetro's estimator.
final class Ours: TapReader {
  var estimator = TapEstimator()
  func tap(_ time: Int64) { _ = estimator.receive(HostTime(nanoseconds: time)) }
  var bpm: Double? { estimator.bpm }
}

/// Applies a rule to the last `length` intervals since the last silence of `timeout` seconds.
final class Intervals: TapReader {
  private let timeout: Double
  private let length: Int
  private let least: Int
  private let rule: ([Double]) -> Double
  private var last: Int64?
  private var intervals: [Double] = []

  init(
    timeout: Double = .infinity, length: Int = .max, least: Int = 1,
    rule: @escaping ([Double]) -> Double
  ) {
    self.timeout = timeout
    self.length = length
    self.least = least
    self.rule = rule
  }

  func tap(_ time: Int64) {
    defer { last = time }
    guard let last else { return }
    let interval = Double(time - last)
    guard interval < timeout * 1e9 else {
      intervals = []
      return
    }
    intervals.append(interval)
    if intervals.count > length { intervals.removeFirst() }
  }

  var bpm: Double? { intervals.count >= least ? 60e9 / rule(intervals) : nil }
}

/// Rules that reduce several intervals to one.
enum Rule {
  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The mean of the middle half (Mixxx).
  static func interQuartileMean(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let quarter = sorted.count / 4
    return mean(Array(sorted[quarter..<(sorted.count - quarter)]))
  }

  /// The period of the least-squares line through the taps.
  static func leastSquares(_ values: [Double]) -> Double {
    var times = [0.0]
    for value in values { times.append(times[times.count - 1] + value) }
    let middle = Double(times.count - 1) / 2
    var products = 0.0
    var squares = 0.0
    for (index, time) in times.enumerated() {
      products += (Double(index) - middle) * time
      squares += (Double(index) - middle) * (Double(index) - middle)
    }
    return products / squares
  }

  /// The median slope of all pairs of taps (Theil and Sen).
  static func medianSlope(_ values: [Double]) -> Double {
    var times = [0.0]
    for value in values { times.append(times[times.count - 1] + value) }
    var slopes: [Double] = []
    for right in times.indices {
      for left in 0..<right { slopes.append((times[right] - times[left]) / Double(right - left)) }
    }
    return median(slopes)
  }

  /// The median of the last five, smoothed by an average that adapts faster the larger its error.
  ///
  /// LMMS since its pull request 8098, which gives the shape but not the constants.
  static func medianThenAverage(_ values: [Double]) -> Double {
    var smooth = values[0]
    for end in values.indices {
      let middle = median(Array(values[max(0, end - 4)...end]))
      let share = (middle / smooth - 1).magnitude
      smooth += (middle - smooth) * min(1, 0.3 + 3 * share)
    }
    return smooth
  }

  /// The running mean, restarted when an interval is more than 20 BPM off (Hydrogen).
  static func runningMean(_ values: [Double]) -> Double {
    var kept: [Double] = []
    for value in values {
      if !kept.isEmpty, (60e9 / value - 60e9 / mean(kept)).magnitude > 20 { kept = [] }
      kept.append(value)
    }
    return mean(kept)
  }

  /// A line through the intervals within 40 % of the median (QLC+).
  static func lineOfLikely(_ values: [Double]) -> Double {
    let middle = median(values)
    return leastSquares(values.filter { ($0 / middle - 1).magnitude < 0.4 })
  }
}

/// All readers compared, ours first.
let readers: [(name: String, make: @Sendable () -> any TapReader)] = [
  ("**midimetro**", { Ours() }),
  ("last interval (zynthian, Kr0oked)", { Intervals { $0[$0.count - 1] } }),
  ("mean of all (Seq66, Reason, MusE)", { Intervals(timeout: 5, rule: Rule.mean) }),
  ("mean of 3 (adj)", { Intervals(length: 3, rule: Rule.mean) }),
  ("mean of 4 (taptempo -s 5)", { Intervals(timeout: 5, length: 4, rule: Rule.mean) }),
  ("Hydrogen", { Intervals(timeout: 12, rule: Rule.runningMean) }),
  ("LMMS, median and average", { Intervals(timeout: 2, rule: Rule.medianThenAverage) }),
  ("median", { Intervals(rule: Rule.median) }),
  ("Mixxx, middle half", { Intervals(rule: Rule.interQuartileMean) }),
  ("Theil-Sen", { Intervals(rule: Rule.medianSlope) }),
  ("least squares (Ardour)", { Intervals(rule: Rule.leastSquares) }),
  ("QLC+, line of 20", { Intervals(timeout: 1.5, length: 19, rule: Rule.lineOfLikely) }),
]
