import Testing
import TestSupport

@testable import MIDIClock

struct LatenessHistogramTests {
  @Test func `nothing recorded has no quantile`() {
    #expect(LatenessHistogram().quantile(0.5) == nil)
    #expect(LatenessHistogram().count == 0)
    #expect(LatenessHistogram().maximum == .zero)
  }

  @Test func `early counts as punctual`() {
    var lateness = LatenessHistogram()
    lateness.record(.milliseconds(-3))
    #expect(lateness.count == 1)
    #expect(lateness.maximum == .zero)
    #expect(lateness.quantile(1) == .zero)
  }

  @Test func `below 16 ns and at the maximum values are exact`() {
    var lateness = LatenessHistogram()
    for value in Int64(0)..<16 { lateness.record(HostTime.Span(nanoseconds: value)) }
    lateness.record(.microseconds(81))
    #expect(lateness.quantile(0.5)?.nanoseconds == 8)
    #expect(lateness.quantile(1) == .microseconds(81))
    #expect(lateness.maximum == .microseconds(81))
  }

  @Test func `a quantile is at most a sixteenth above the true one and never below`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      var lateness = LatenessHistogram()
      var values: [Int64] = []
      for _ in 0..<500 {
        let magnitude = Int64.random(in: 1...34, using: &generator)
        let value = Int64.random(in: 0..<(1 << magnitude), using: &generator)
        values.append(value)
        lateness.record(HostTime.Span(nanoseconds: value))
      }
      values.sort()
      for share in [0.5, 0.9, 0.99, 1] {
        let exact = values[Int((share * 500).rounded(.up)) - 1]
        let told = try #require(lateness.quantile(share)).nanoseconds
        #expect(told >= exact)
        #expect(told <= exact + exact / 16)
      }
      #expect(lateness.maximum.nanoseconds == values.last)
      #expect(lateness.count == 500)
    }
  }

  @Test func `hours of lateness still fit`() {
    var lateness = LatenessHistogram()
    lateness.record(.seconds(100_000))
    lateness.record(HostTime.Span(nanoseconds: Int64.max))
    #expect(lateness.maximum.nanoseconds == Int64.max)
    #expect(lateness.quantile(1)?.nanoseconds == Int64.max)
  }
}
