/// A seeded generator (SplitMix64), so that every figure is reproducible.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  /// Mixes the seed, so that consecutive seeds start at unrelated points of the sequence.
  init(seed: UInt64) {
    var z = seed &+ 1
    for _ in 0..<3 {
      z = (z ^ (z >> 32)) &* 0xD6E8_FEB8_6659_FD93
    }
    state = z
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform from 0 to 1.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Normally distributed with deviation 1 (Marsaglia's polar method).
  mutating func gaussian() -> Double {
    while true {
      let u = 2 * uniform() - 1
      let v = 2 * uniform() - 1
      let square = u * u + v * v
      if square > 0, square < 1 {
        return u * (-2 * Self.logarithm(square) / square).squareRoot()
      }
    }
  }

  /// Exponentially distributed with mean 1.
  mutating func exponential() -> Double { -Self.logarithm(1 - uniform()) }

  /// ln x for 0 < x <= 1, by halving and the series of artanh; accurate to 1e-12.
  private static func logarithm(_ x: Double) -> Double {
    let y = x.significand
    let z = (y - 1) / (y + 1)
    let square = z * z
    var sum = 0.0
    for odd in stride(from: 31.0, through: 1, by: -2) { sum = sum * square + 1 / odd }
    return 2 * z * sum + Double(x.exponent) * 0.693_147_180_559_945_3
  }
}
