/// Basic floating-point functions in forms that `@_noLocks` accepts.
///
/// It rejects the standard library's `squareRoot()`, `rounded()` and `abs`.
enum Real {
  /// The square root of `x`; 0 for 0, negative numbers and NaN.
  ///
  /// Relative error below 1e-15.
  @_noLocks
  static func squareRoot(_ x: Double) -> Double {
    guard x > 1e-300, x < 1e300 else { return x >= 1e300 ? 1e150 : 0 }
    // Halving the exponent is right to 6 %; each step of Newton's method doubles the digits.
    var root = Double(bitPattern: (x.bitPattern >> 1) &+ (0x3FF0_0000_0000_0000 >> 1))
    root = 0.5 * (root + x / root)
    root = 0.5 * (root + x / root)
    root = 0.5 * (root + x / root)
    root = 0.5 * (root + x / root)
    return root
  }

  /// The absolute value of `x`.
  @_noLocks
  static func magnitude(_ x: Double) -> Double { x < 0 ? -x : x }

  /// The larger of two numbers.
  @_noLocks
  static func larger(_ x: Double, _ y: Double) -> Double { x > y ? x : y }

  /// The smaller of two numbers.
  @_noLocks
  static func smaller(_ x: Double, _ y: Double) -> Double { x < y ? x : y }

  /// `whole` as a floating-point number; relative error below 3e-16.
  @_noLocks
  static func value(_ whole: Int128) -> Double {
    let size = whole < 0 ? 0 - whole : whole
    let high = Double(UInt64(truncatingIfNeeded: size &>> 64))
    let sum = high * 18_446_744_073_709_551_616 + Double(UInt64(truncatingIfNeeded: size))
    return whole < 0 ? -sum : sum
  }

  /// The whole number nearest to `x`, halves up, clamped to +-2^60; 0 for NaN.
  @_noLocks
  static func nearest(_ x: Double) -> Int64 {
    let bound = 1_152_921_504_606_846_976.0
    guard x > -bound else { return x <= -bound ? -(1 << 60) : 0 }
    guard x < bound else { return 1 << 60 }
    let whole = Int64(x)
    let part = x - Double(whole)
    return part >= 0.5 ? whole &+ 1 : part < -0.5 ? whole &- 1 : whole
  }
}
