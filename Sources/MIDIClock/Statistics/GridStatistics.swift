/// How even a clock is: its pulses' stamps against a grid.
///
/// Two grids answer two questions. The fitted grid (least squares through all stamps) tells the
/// jitter whatever the tempo was; the asked grid, laid through the first pulse, tells the error of
/// each pulse against the tempo that was meant, drift included.
public struct GridStatistics: Hashable, Sendable {
  /// How many pulses.
  public let count: Int
  /// Standard deviation of the stamps from the fitted grid, nanoseconds.
  public let gridDeviation: Double
  /// From the earliest to the latest against the fitted grid, nanoseconds.
  public let peakToPeak: Double
  /// Standard deviation of the intervals between pulses, nanoseconds; sqrt 2 times the grid's for
  /// independent errors.
  public let intervalDeviation: Double
  /// The shortest interval, nanoseconds.
  public let shortestInterval: Int64
  /// The longest interval, nanoseconds.
  public let longestInterval: Int64
  /// The greatest error against the fitted grid, either way, nanoseconds.
  public let greatestDeviation: Double
  /// The error that 99 of 100 pulses stay within against the fitted grid, nanoseconds.
  public let error99: Double
  /// The greatest error against the asked grid laid through the first pulse, nanoseconds.
  public let greatestError: Double
  /// Each stamp's error against the fitted grid, nanoseconds.
  public let deviations: [Double]
  /// The tempo of the fitted grid, quarter notes per minute.
  public let fittedBPM: Double
  /// How much faster that is than asked, in parts per million.
  public let partsPerMillion: Double

  /// Statistics of `stamps`, in order; `nil` with fewer than three, and when they lie on no grid
  /// that moves on, as stamps that are all the same.
  public init?(_ stamps: [HostTime], tempo: Tempo) {
    guard stamps.count >= 3, let first = stamps.first else { return nil }
    let times = stamps.map { Double(($0 - first).nanoseconds) }
    let middle = Double(times.count - 1) / 2
    let mean = times.reduce(0, +) / Double(times.count)
    var covariance = 0.0
    var variance = 0.0
    for (index, time) in times.enumerated() {
      covariance += (Double(index) - middle) * (time - mean)
      variance += (Double(index) - middle) * (Double(index) - middle)
    }
    let period = covariance / variance
    guard period >= 1 else { return nil }
    let asked = 1_000 * Resolution.pulseAtOneBPM / Double(tempo.milliBPM)
    let errors = times.enumerated().map { $1 - mean - (Double($0) - middle) * period }
    deviations = errors
    let intervals = zip(stamps.dropFirst(), stamps).map { ($0 - $1).nanoseconds }
    count = times.count
    gridDeviation = Self.deviation(errors)
    peakToPeak = (errors.max() ?? 0) - (errors.min() ?? 0)
    intervalDeviation = Self.deviation(intervals.map(Double.init))
    shortestInterval = intervals.min() ?? 0
    longestInterval = intervals.max() ?? 0
    greatestDeviation = max(errors.max() ?? 0, -(errors.min() ?? 0))
    let magnitudes = errors.map(\.magnitude).sorted()
    error99 = magnitudes[min(magnitudes.count - 1, magnitudes.count * 99 / 100)]
    greatestError = times.enumerated().map { ($1 - Double($0) * asked).magnitude }.max() ?? 0
    fittedBPM = Resolution.pulseAtOneBPM / period
    partsPerMillion = (asked / period - 1) * 1e6
  }

  /// The standard deviation of the whole of `values`.
  private static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }
    return (squares.reduce(0, +) / Double(values.count)).squareRoot()
  }
}
