/// The logarithm that tempo ramps need, without a math library.
enum Logarithm {
  /// `ln(1 + x) / x`, and 1 at x = 0; for x above -1.
  ///
  /// Relative error a few 1e-16. With z = x / (2 + x), ln(1 + x) = 2 artanh z, so ln(1 + x) / x = 2
  /// / (2 + x) x (1 + z^2/3 + z^4/5 + ...): nothing cancels near 0. Far from 0 the argument is
  /// first brought near 1: ln y = ln 2 + ln (y / 2).
  @_noLocks
  static func log1pOverX(_ x: Double) -> Double {
    var y = 1 + x
    guard y > 2 || y < 0.5 else { return series(x) }
    var halvings = 0.0
    while y > 2 {
      y /= 2
      halvings += 1
    }
    while y < 0.5 {
      y *= 2
      halvings -= 1
    }
    let u = y - 1
    return (halvings * 0.693_147_180_559_945_3 + u * series(u)) / x
  }

  /// The series for 1/2 <= 1 + x <= 2, where z^2 <= 1/9.
  @_noLocks
  private static func series(_ x: Double) -> Double {
    let z = x / (2 + x)
    let square = z * z
    var sum = 0.0
    // 1/9^17 / 35 is below half a unit in the last place of 1.
    var odd = 35.0
    while odd > 0 {
      sum = sum * square + 1 / odd
      odd -= 2
    }
    return 2 / (2 + x) * sum
  }
}
