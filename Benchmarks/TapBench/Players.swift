import MIDIClock

/// The timing errors of a player's taps.
enum Player: Hashable {
  /// Each tap has an independent, normal error; standard deviation in milliseconds.
  case independent(Double)
  /// Wing and Kristofferson's two components, in milliseconds: a timekeeper whose errors
  /// accumulate, and motor errors of single taps.
  case timekeeper(Double, hand: Double)
  /// Like `independent` with 15 ms; in addition, a random tap is missed with probability 0.3, and
  /// one is 80 ms late with probability 0.3.
  case missedAndWild

  var name: String {
    switch self {
    case .independent(let deviation): "\(number(deviation)) ms"
    case .timekeeper(let keeper, let hand): "timekeeper \(number(keeper)) + hand \(number(hand)) ms"
    case .missedAndWild: "15 ms, one missed 30 %, one 80 ms late 30 %"
    }
  }

  /// `count` taps at `bpm`, in nanoseconds.
  func taps(_ count: Int, bpm: Double, seed: UInt64) -> [Int64] {
    var random = Random(seed: seed)
    let period = 60e9 / bpm
    var times: [Double] = []
    var kept = 10e9 + random.uniform() * 1e9
    for tap in 0..<count {
      switch self {
      case .independent(let deviation):
        times.append(10e9 + Double(tap) * period + random.gaussian() * deviation * 1e6)
      case .timekeeper(let keeper, let hand):
        times.append(kept + random.gaussian() * hand * 1e6)
        kept += period + random.gaussian() * keeper * 1e6
      case .missedAndWild:
        times.append(10e9 + Double(tap) * period + random.gaussian() * 15e6)
      }
    }
    if case .missedAndWild = self {
      if random.uniform() < 0.3 { times[Int(random.uniform() * Double(count))] += 80e6 }
      if random.uniform() < 0.3 { times.remove(at: Int(random.uniform() * Double(count))) }
    }
    return times.sorted().map { Int64($0.rounded()) }
  }
}
