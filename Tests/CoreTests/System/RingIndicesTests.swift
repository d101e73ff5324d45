import Testing

@testable import MetronomeCore

struct RingIndicesTests {
  @Test(arguments: [1, 2, 3, 7, 256])
  func `slots are filled and taken in turn, wrapping at the end`(capacity: Int) {
    let ring = RingIndices(capacity: capacity)
    for item in 0..<5 * capacity {
      let write = ring.slotToWrite()
      #expect(write == item % capacity)
      ring.publish()
      let read = ring.slotToRead()
      #expect(read == item % capacity)
      ring.release()
    }
  }

  @Test(arguments: [1, 2, 5])
  func `the capacity is exact`(capacity: Int) {
    let ring = RingIndices(capacity: capacity)
    let none = ring.slotToRead()
    #expect(none == nil)
    for slot in 0..<capacity {
      let free = ring.slotToWrite()
      #expect(free == slot)
      ring.publish()
    }
    let full = ring.slotToWrite()
    #expect(full == nil)
    ring.release()
    let again = ring.slotToWrite()
    #expect(again == 0)
  }

  @Test func `an unpublished slot is not read`() {
    let ring = RingIndices(capacity: 2)
    let first = ring.slotToWrite()
    let same = ring.slotToWrite()
    let nothing = ring.slotToRead()
    #expect([first, same, nothing] == [0, 0, nil])
  }
}
