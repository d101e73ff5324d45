/// Sine and exponential decay, because this module imports no maths library.
enum Wave {
  /// The sine of an angle in turns: `sine(0.25)` is 1.
  ///
  /// Accepts any number of turns, positive or negative; the error stays below 1e-10. The angle is
  /// folded into the first quarter, where the Taylor series to the 15th power is accurate enough.
  static func sine(_ turns: Double) -> Double {
    let part = turns - turns.rounded(.down)
    // Positive in the first half, negative in the second; within a half, the second quarter mirrors
    // the first.
    let half = part < 0.5 ? part : part - 0.5
    let quarter = half <= 0.25 ? half : 0.5 - half
    let angle = quarter * 2 * Double.pi
    let square = angle * angle
    var sum = 0.0
    for power in stride(from: 15.0, through: 3, by: -2) {
      sum = (sum + 1) * -square / (power * (power - 1))
    }
    let value = angle * (1 + sum)
    return part < 0.5 ? value : -value
  }

  /// `e` to the power of `-x`, for x from 0 to about 700; relative error below 1e-12.
  static func decay(_ x: Double) -> Double {
    // Halve until the series is short, then square back.
    var small = x
    var squarings = 0
    while small > 0.125 {
      small /= 2
      squarings += 1
    }
    var sum = 1.0
    for power in stride(from: 10.0, through: 1, by: -1) { sum = 1 - sum * small / power }
    for _ in 0..<squarings { sum *= sum }
    return sum
  }
}
