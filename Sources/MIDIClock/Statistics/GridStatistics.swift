/// The evenness of a clock: its pulses' stamps against a grid.
///
/// Two grids answer two questions. The fitted grid (least squares through all stamps) gives the
/// jitter, whatever the tempo. The requested grid, through the first pulse, gives the error of each
/// pulse against the intended tempo, drift included.
public struct GridStatistics: Hashable, Sendable {
  /// The number of pulses.
  public let count: Int
  /// Standard deviation of the stamps from the fitted grid, in nanoseconds.
  public let gridDeviation: Double
  /// The range of the errors against the fitted grid, earliest to latest, in nanoseconds.
  public let peakToPeak: Double
  /// Standard deviation of the intervals between pulses, in nanoseconds; for independent errors,
  /// sqrt 2 times that of the grid.
  public let intervalDeviation: Double
  /// The shortest interval, in nanoseconds.
  public let shortestInterval: Int64
  /// The longest interval, in nanoseconds.
  public let longestInterval: Int64
  /// The largest error against the fitted grid, early or late, in nanoseconds.
  public let greatestDeviation: Double
  /// The 99th percentile of the errors against the fitted grid, as magnitudes in nanoseconds.
  public let error99: Double
  /// The largest error against the requested grid through the first pulse, in nanoseconds.
  public let greatestError: Double
  /// The error of each stamp against the fitted grid, in nanoseconds.
  public let deviations: [Double]
  /// The tempo of the fitted grid, in quarter notes per minute.
  public let fittedBPM: Double
  /// How much faster that is than requested, in parts per million.
  public let partsPerMillion: Double

  /// Computes the statistics of `stamps`, in order; `nil` with fewer than three, or if they do not
  /// advance, for example if all are equal.
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

  /// The population standard deviation of `values`.
  private static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }
    return (squares.reduce(0, +) / Double(values.count)).squareRoot()
  }
}
