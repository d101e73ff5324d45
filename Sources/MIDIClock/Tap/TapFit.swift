/// The line through a series of taps: beat number `n` falls at `offset + n x period`.
///
/// Least squares over the taps' numbers, which for independent errors is as good as can be (it meets
/// the Cramér-Rao bound). The numbers come from the median interval, so that a missed tap leaves a
/// gap in the numbers and not a wrong interval. A tap far from the line through the others counts
/// for nothing. Times are nanoseconds after the first tap. Fixed size.
struct TapFit {
  /// The most taps a line goes through.
  static var capacity: Int { 32 }

  /// How many taps there are.
  private(set) var count = 0
  /// When beat number 0 falls.
  private(set) var offset = 0.0
  /// From one beat to the next; 0 with fewer than two taps.
  private(set) var period = 0.0
  /// Variance of one tap about the line, mixed with what is usual while the taps are few.
  private(set) var variance = 0.0
  /// Root mean square of the distances from the line, over the degrees of freedom.
  private(set) var spread = 0.0
  private var times: [32 of Double] = .init(repeating: 0)
  private var numbers: [32 of Int64] = .init(repeating: 0)
  private var counts: [32 of Bool] = .init(repeating: false)
  private var used = 0
  private var meanNumber = 0.0
  private var meanTime = 0.0
  private var numberSquares = 0.0
  private var squares = 0.0

  /// The line through `count` taps at `stamps`, which are in order.
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
    leaveOutStrays()
    if renumber() {
      for tap in 0..<count { counts[tap] = true }
      used = count
      solve()
      leaveOutStrays()
    }
    settle()
  }

  /// The lower median of the intervals, so that of two the shorter counts: the other may hide a
  /// missed tap, and none is ever too short by one.
  private var medianInterval: Double {
    var sorted: [32 of Double] = .init(repeating: 0)
    for tap in 1..<count {
      let interval = times[tap] - times[tap - 1]
      var place = tap - 1
      while place > 0, sorted[place - 1] > interval {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = interval
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

  /// Numbers the taps by the line itself; true when that changes a number.
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

  /// Least squares over the taps that count.
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

  /// How late tap `tap` is against the line.
  private func error(of tap: Int) -> Double {
    times[tap] - offset - period * Double(numbers[tap])
  }

  /// What the scatter of a tap is taken to be before there are taps to tell.
  ///
  /// Trained players scatter by about 2 % of the interval, others by 3 to 6 %, of which 5 to 10 ms
  /// are the hand's, whatever the interval (Repp 2005).
  private var usualVariance: Double {
    let usual = TapFit.usualScatter + TapFit.usualShare * period
    return usual * usual
  }
  private static var usualScatter: Double { 8_000_000 }
  private static var usualShare: Double { 0.014 }
  /// How many taps' worth the usual scatter counts.
  private static var usualWeight: Double { 2 }

  private func variance(squares: Double, freedom: Int) -> Double {
    (TapFit.usualWeight * usualVariance + Real.larger(squares, 0))
      / (TapFit.usualWeight + Double(max(freedom, 0)))
  }

  /// Leaves out, one after the other, the tap that is farthest from the line through the others,
  /// while it is so far that it can be none of the series.
  ///
  /// A quarter of the taps at most. The distance from the line through the *others* needs no line
  /// of its own: it is the residual over one less its leverage.
  private mutating func leaveOutStrays() {
    var left = count / 4
    while left > 0, used > 3 {
      var worst = -1
      // Of four taps any one can be far from the line through the others: the fewer, the farther.
      var worstRatio = used > 4 ? TapFit.strayRatio : TapFit.strayRatioOfFour
      worstRatio *= worstRatio
      for tap in 0..<count where counts[tap] {
        let distance = Double(numbers[tap]) - meanNumber
        let room = 1 - 1 / Double(used) - distance * distance / numberSquares
        guard room > 1e-6 else { continue }
        let residual = error(of: tap)
        let without = squares - residual * residual / room
        let ratio =
          residual * residual / room / variance(squares: without, freedom: used - 3)
        if ratio > worstRatio {
          worst = tap
          worstRatio = ratio
        }
      }
      guard worst >= 0 else { return }
      counts[worst] = false
      used -= 1
      left -= 1
      solve()
    }
  }
  /// How many standard deviations from the line through the others are too far.
  private static var strayRatio: Double { 3.5 }
  private static var strayRatioOfFour: Double { 5 }

  private mutating func settle() {
    variance = variance(squares: squares, freedom: used - 2)
    spread = used > 2 ? Real.squareRoot(squares / Double(used - 2)) : 0
  }

  /// Whether the newest tap is one of the series.
  var hasNewest: Bool { count > 0 && counts[count - 1] }

  /// The number of the newest tap.
  var newestNumber: Int64 { count > 0 ? numbers[count - 1] : 0 }

  /// Standard deviation of the period.
  var periodError: Double { numberSquares > 0 ? Real.squareRoot(variance / numberSquares) : 0 }

  /// How many of the newest taps belong to another tempo than the rest; `nil` when none do.
  ///
  /// Compares one line, one line without its worst tap, and two lines that meet in a tap. Two must
  /// explain the taps far better than either, because a single late tap also bends a line.
  var newestOfAnotherTempo: Int? {
    guard count >= 7 else { return nil }
    var one = Moments()
    for tap in 0..<count { one.add(Double(numbers[tap]), times[tap]) }
    let line = one.line
    var without = one.squares
    for tap in 0..<count {
      let distance = Double(numbers[tap]) - one.meanNumber
      let room = 1 - 1 / Double(count) - distance * distance / one.numberSquares
      let residual = times[tap] - line.offset - line.period * Double(numbers[tap])
      if room > 1e-6 {
        without = Real.smaller(without, one.squares - residual * residual / room)
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
  /// By how many variances two lines must be better than one.
  private static var breakRatio: Double { 50 }
  /// By how many they must be better than one without its worst tap.
  private static var breakMargin: Double { 30 }

  /// Sums of which a line is made.
  private struct Moments {
    private var count = 0.0
    private(set) var meanNumber = 0.0
    private var meanTime = 0.0
    private(set) var numberSquares = 0.0
    private var products = 0.0
    private var timeSquares = 0.0

    /// Takes in one tap (Welford's update, which does not cancel).
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

    /// The squares of the distances from the line.
    var squares: Double {
      numberSquares > 0 ? Real.larger(0, timeSquares - products * products / numberSquares) : 0
    }
  }
}
