/// The jitter of a clock's stamps.
enum Noise {
  /// Normal; the standard deviation in milliseconds.
  case gaussian(Double)
  /// Late by 0 to this many milliseconds, as over USB.
  case uniform(Double)
  /// Early or late by up to this many milliseconds.
  case plusMinus(Double)
  /// Sent on the next tick of a timer with this period in milliseconds.
  case grid(Double)
  /// Normal with 0.1 ms; in addition, one in twenty is late by an exponential 2 ms.
  case heavyTailed

  var name: String {
    switch self {
    case .gaussian(let deviation): "normal, SD \(deviation) ms"
    case .uniform(let width): "0 to \(width) ms late"
    case .plusMinus(let width): "+-\(width) ms"
    case .grid(let period): "on a \(period) ms grid"
    case .heavyTailed: "heavy-tailed"
    }
  }
}

/// The pulses of a clock: their true times and their stamps.
struct Signal {
  /// The true time of each pulse in nanoseconds.
  var truth: [Double] = []
  /// The tempo from each pulse on, in quarter notes per minute.
  var tempo: [Double] = []
  /// The stamp of each pulse in nanoseconds.
  var stamps: [Int64] = []

  /// Creates `count` pulses with the tempo `tempo(n)` at pulse n and the jitter `noise`.
  init(count: Int, noise: Noise, seed: UInt64, tempo bpm: (Int) -> Double) {
    var random = Random(seed: seed)
    var time = 1e9 + random.uniform() * 1e8
    let gridPhase = random.uniform()
    truth.reserveCapacity(count)
    tempo.reserveCapacity(count)
    stamps.reserveCapacity(count)
    for pulse in 0..<count {
      let now = bpm(pulse)
      truth.append(time)
      tempo.append(now)
      var stamp = time
      switch noise {
      case .gaussian(let deviation): stamp += random.gaussian() * deviation * 1e6
      case .uniform(let width): stamp += random.uniform() * width * 1e6
      case .plusMinus(let width): stamp += (2 * random.uniform() - 1) * width * 1e6
      case .grid(let period):
        stamp = ((time / (period * 1e6) - gridPhase).rounded(.up) + gridPhase) * period * 1e6
        stamp += random.gaussian() * 3_000
      case .heavyTailed:
        stamp += random.gaussian() * 1e5
        if random.uniform() < 0.05 { stamp += random.exponential() * 2e6 }
      }
      // Pulses never overtake each other.
      stamps.append(max(Int64(stamp.rounded()), stamps.last ?? .min))
      time += 2.5e9 / now
    }
  }
}
