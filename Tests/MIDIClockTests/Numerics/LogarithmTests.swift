import Glibc
import Testing
import TestSupport

@testable import MIDIClock

struct LogarithmTests {
  @Test func `ln (1 + x) over x agrees with the C library to a few parts in 1e16`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      // Tempo ratios from 1:40 to 40:1, and ever closer to 1.
      let ratio = Double.random(in: -0.975...39, using: &generator)
      let x = ratio * Glibc.exp2(-Double(Int.random(in: 0...60, using: &generator)))
      let exact = Glibc.log1p(x) / x
      #expect(abs(Logarithm.log1pOverX(x) - exact) <= 2e-15 * exact)
    }
  }

  @Test func `at 0 it is 1`() {
    #expect(Logarithm.log1pOverX(0) == 1)
    #expect(Logarithm.log1pOverX(1e-300) == 1)
  }
}
