import Testing

@testable import MetronomeCore

struct SnapshotCellTests {
  /// More words than a cache line, all equal unless the value is torn; an odd number of bytes.
  private struct Value: Sendable {
    var words: [33 of UInt64]
    var last: UInt8

    init(_ number: UInt64) {
      words = .init(repeating: number)
      last = UInt8(truncatingIfNeeded: number)
    }

    var number: UInt64? {
      for index in words.indices where words[index] != words[0] { return nil }
      return last == UInt8(truncatingIfNeeded: words[0]) ? words[0] : nil
    }
  }

  @Test func `the last published value is read`() {
    let cell = SnapshotCell(Value(7))
    #expect(cell.read().number == 7)
    cell.publish(Value(8))
    cell.publish(Value(9))
    #expect(cell.read().number == 9)
    #expect(cell.read().number == 9)
  }

  @Test func `a concurrent reader never sees half a value, nor an older one after a newer`()
    throws
  {
    let cell = SnapshotCell(Value(0))
    let count: UInt64 = 100_000
    let thread = try RealtimeThread.start(name: "writer", priority: nil, state: cell) { cell in
      for number in 1...count { cell.publish(Value(number)) }
      return count
    }
    var newest: UInt64 = 0
    var isWhole = true
    var isInOrder = true
    while newest < count, isWhole {
      guard let number = cell.read().number else {
        isWhole = false
        break
      }
      if number < newest { isInOrder = false }
      newest = number
    }
    #expect(thread.join() == count)
    #expect(isWhole)
    #expect(isInOrder)
    #expect(cell.read().number == count)
  }
}
