import Testing

@testable import MIDIClock

struct DivisionTests {
  @Test(
    arguments: [
      (7, 2, 3, 4, 4), (-7, 2, -4, -3, -3), (6, 3, 2, 2, 2), (-6, 3, -2, -2, -2), (0, 5, 0, 0, 0),
      (1, 3, 0, 1, 0), (-1, 3, -1, 0, 0), (5, 10, 0, 1, 1), (-5, 10, -1, 0, 0), (-6, 10, -1, 0, -1),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func `division rounds down, up and to the nearest, halves up, also below zero`(
    dividend: Int64, divisor: Int64, floor: Int64, ceiling: Int64, rounded: Int64
  ) {
    #expect(Division.floor(dividend, by: divisor) == floor)
    #expect(Division.floor(Int128(dividend), by: Int128(divisor)) == floor)
    #expect(Division.ceiling(dividend, by: divisor) == ceiling)
    #expect(Division.rounded(Int128(dividend), by: Int128(divisor)) == rounded)
  }
}
