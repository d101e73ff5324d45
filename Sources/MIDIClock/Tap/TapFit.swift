/// The line through a series of taps: beat number `n` falls at `offset + n x period`.
///
/// Least squares over the taps' numbers, which is optimal for independent errors (it meets the
/// Cramér-Rao bound). The numbers come from the median interval, so that a missed tap leaves a gap
/// in the numbers rather than a wrong interval. A tap far from the line through the others is
/// ignored. Times are nanoseconds after the first tap. Fixed size.
struct TapFit {
  /// The maximum number of taps in a fit.
  static var capacity: Int { 32 }

  /// The number of taps.
  private(set) var count = 0
  /// The time of beat number 0.
  private(set) var offset = 0.0
  /// The beat period; 0 with fewer than two taps.
  private(set) var period = 0.0
  /// Variance of one tap about the line, blended with a typical value while taps are few.
  private(set) var variance = 0.0
  /// Root mean square of the residuals, over the degrees of freedom.
  private(set) var spread = 0.0
  private var times: [32 of Double] = .init(repeating: 0)
  private var numbers: [32 of Int64] = .init(repeating: 0)
  private var counts: [32 of Bool] = .init(repeating: false)
  private var used = 0
  private var meanNumber = 0.0
  private var meanTime = 0.0
  private var numberSquares = 0.0
  private var squares = 0.0

  /// Fits a line to `count` taps at `stamps`, which are in order.
  init(_ stamps: [32 of Int64], count: Int) {
    self.count = count
    guard count > 0 else { return }
    for tap in 0..<count {
      times[tap] = Double(stamps[tap] - stamps[0])
      counts[tap] = true
    }
    used = count
    guard count > 1 else { return }
    number(by: medianInterval)
    solve()
    excludeOutliers()
    if renumber() {
      for tap in 0..<count { counts[tap] = true }
      used = count
      solve()
      excludeOutliers()
    }
    updateSpread()
  }

  /// The lower median of the intervals.
  ///
  /// Of two intervals it takes the shorter: a missed tap makes an interval too long, never too
  /// short.
  private var medianInterval: Double {
    var sorted: [32 of Double] = .init(repeating: 0)
    for tap in 1..<count {
      let interval = times[tap] - times[tap - 1]
      var index = tap - 1
      while index > 0, sorted[index - 1] > interval {
        sorted[index] = sorted[index - 1]
        index -= 1
      }
      sorted[index] = interval
    }
    return sorted[(count - 2) / 2]
  }

  private mutating func number(by period: Double) {
    numbers[0] = 0
    for tap in 1..<count {
      let beats = Real.nearest((times[tap] - times[tap - 1]) / period)
      numbers[tap] = numbers[tap - 1] + max(1, beats)
    }
  }

  /// Renumbers the taps by the line itself; true if a number changes.
  private mutating func renumber() -> Bool {
    var isChanged = false
    let first = Real.nearest((times[0] - offset) / period)
    var last: Int64 = -1
    for tap in 0..<count {
      let number = max(last + 1, Real.nearest((times[tap] - offset) / period) - first)
      if number != numbers[tap] { isChanged = true }
      numbers[tap] = number
      last = number
    }
    return isChanged
  }

  /// Fits the line by least squares to the taps that count.
  private mutating func solve() {
    var sumNumber = 0.0
    var sumTime = 0.0
    for tap in 0..<count where counts[tap] {
      sumNumber += Double(numbers[tap])
      sumTime += times[tap]
    }
    meanNumber = sumNumber / Double(used)
    meanTime = sumTime / Double(used)
    numberSquares = 0
    var products = 0.0
    for tap in 0..<count where counts[tap] {
      let distance = Double(numbers[tap]) - meanNumber
      numberSquares += distance * distance
      products += distance * (times[tap] - meanTime)
    }
    period = products / numberSquares
    offset = meanTime - period * meanNumber
    squares = 0
    for tap in 0..<count where counts[tap] {
      let residual = error(of: tap)
      squares += residual * residual
    }
  }

  /// The residual of tap `tap`; positive if it is late.
  private func error(of tap: Int) -> Double {
    times[tap] - offset - period * Double(numbers[tap])
  }

  /// The assumed variance of a tap before there are taps to measure it.
  ///
  /// Trained players scatter by about 2 % of the interval, others by 3 to 6 %. Of that, 5 to 10 ms
  /// are motor noise, whatever the interval (Repp 2005).
  private var assumedVariance: Double {
    let deviation = TapFit.assumedScatter + TapFit.assumedShare * period
    return deviation * deviation
  }
  private static var assumedScatter: Double { 8_000_000 }
  private static var assumedShare: Double { 0.014 }
  /// The weight of the assumed variance, in taps.
  private static var assumedWeight: Double { 2 }

  private func variance(squares: Double, freedom: Int) -> Double {
    (TapFit.assumedWeight * assumedVariance + Real.larger(squares, 0))
      / (TapFit.assumedWeight + Double(max(freedom, 0)))
  }

  /// Excludes outliers one by one: the tap farthest from the line through the others, while it is
  /// too far off to belong to the series.
  ///
  /// Excludes a quarter of the taps at most. The distance from the line through the *others* does
  /// not need a separate fit: it is the residual divided by one minus its leverage.
  private mutating func excludeOutliers() {
    var left = count / 4
    while left > 0, used > 3 {
      var worst: Int?
      // With only four taps, any of them can be far from the line through the others.
      var worstRatio = used > 4 ? TapFit.outlierRatio : TapFit.outlierRatioOfFour
      worstRatio *= worstRatio
      for tap in 0..<count where counts[tap] {
        let distance = Double(numbers[tap]) - meanNumber
        let oneLessLeverage = 1 - 1 / Double(used) - distance * distance / numberSquares
        guard oneLessLeverage > 1e-6 else { continue }
        let residual = error(of: tap)
        let without = squares - residual * residual / oneLessLeverage
        let ratio =
          residual * residual / oneLessLeverage / variance(squares: without, freedom: used - 3)
        if ratio > worstRatio {
          worst = tap
          worstRatio = ratio
        }
      }
      guard let worst else { return }
      counts[worst] = false
      used -= 1
      left -= 1
      solve()
    }
  }
  /// The distance from the line through the others, in standard deviations, that makes an outlier.
  private static var outlierRatio: Double { 3.5 }
  private static var outlierRatioOfFour: Double { 5 }

  private mutating func updateSpread() {
    variance = variance(squares: squares, freedom: used - 2)
    spread = used > 2 ? Real.squareRoot(squares / Double(used - 2)) : 0
  }

  /// Whether the newest tap belongs to the series.
  var hasNewest: Bool { count > 0 && counts[count - 1] }

  /// The number of the newest tap.
  var newestNumber: Int64 { count > 0 ? numbers[count - 1] : 0 }

  /// Standard deviation of the period.
  var periodError: Double { numberSquares > 0 ? Real.squareRoot(variance / numberSquares) : 0 }

  /// The number of newest taps at another tempo than the rest; `nil` if there are none.
  ///
  /// Compares one line, one line without its worst tap, and two lines that meet in a tap. Two lines
  /// must fit the taps far better than either, because a single late tap also bends a line.
  var newestOfAnotherTempo: Int? {
    guard count >= 7 else { return nil }
    var one = Moments()
    for tap in 0..<count { one.add(Double(numbers[tap]), times[tap]) }
    let line = one.line
    var without = one.squares
    for tap in 0..<count {
      let distance = Double(numbers[tap]) - one.meanNumber
      let oneLessLeverage = 1 - 1 / Double(count) - distance * distance / one.numberSquares
      let residual = times[tap] - line.offset - line.period * Double(numbers[tap])
      if oneLessLeverage > 1e-6 {
        without = Real.smaller(without, one.squares - residual * residual / oneLessLeverage)
      }
    }
    var best: Int?
    var least = Double.infinity
    for newest in 4...8 where count - newest >= 3 {
      var old = Moments()
      var new = Moments()
      for tap in 0...(count - newest) { old.add(Double(numbers[tap]), times[tap]) }
      for tap in (count - newest)..<count { new.add(Double(numbers[tap]), times[tap]) }
      let two = old.squares + new.squares
      let variance = variance(squares: two, freedom: count - 4)
      guard two < least, one.squares - two > TapFit.breakRatio * variance,
        without - two > TapFit.breakMargin * variance
      else { continue }
      least = two
      best = newest
    }
    return best
  }
  /// How much better two lines must fit than one, in variances.
  private static var breakRatio: Double { 50 }
  /// How much better they must fit than one line without its worst tap, in variances.
  private static var breakMargin: Double { 30 }

  /// The running sums of a line fit.
  private struct Moments {
    private var count = 0.0
    private(set) var meanNumber = 0.0
    private var meanTime = 0.0
    private(set) var numberSquares = 0.0
    private var products = 0.0
    private var timeSquares = 0.0

    /// Adds one tap (Welford's update, which avoids cancellation).
    mutating func add(_ number: Double, _ time: Double) {
      count += 1
      let fromNumber = number - meanNumber
      let fromTime = time - meanTime
      meanNumber += fromNumber / count
      meanTime += fromTime / count
      numberSquares += fromNumber * (number - meanNumber)
      products += fromNumber * (time - meanTime)
      timeSquares += fromTime * (time - meanTime)
    }

    var line: (offset: Double, period: Double) {
      let period = numberSquares > 0 ? products / numberSquares : 0
      return (meanTime - period * meanNumber, period)
    }

    /// The sum of squared residuals.
    var squares: Double {
      numberSquares > 0 ? Real.larger(0, timeSquares - products * products / numberSquares) : 0
    }
  }
}
