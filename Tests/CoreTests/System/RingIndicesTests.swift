import Testing

@testable import MetronomeCore

struct RingIndicesTests {
  @Test(arguments: [1, 2, 3, 7, 256])
  func `places are filled and taken in turn, over the end and on`(capacity: Int) {
    let ring = RingIndices(capacity: capacity)
    for item in 0..<5 * capacity {
      let write = ring.placeToWrite()
      #expect(write == item % capacity)
      ring.publish()
      let read = ring.placeToRead()
      #expect(read == item % capacity)
      ring.release()
    }
  }

  @Test(arguments: [1, 2, 5])
  func `there is room for exactly so many`(capacity: Int) {
    let ring = RingIndices(capacity: capacity)
    let none = ring.placeToRead()
    #expect(none == -1)
    for place in 0..<capacity {
      let free = ring.placeToWrite()
      #expect(free == place)
      ring.publish()
    }
    let full = ring.placeToWrite()
    #expect(full == -1)
    ring.release()
    let again = ring.placeToWrite()
    #expect(again == 0)
  }

  @Test func `a place that is not published is not read`() {
    let ring = RingIndices(capacity: 2)
    let first = ring.placeToWrite()
    let same = ring.placeToWrite()
    let nothing = ring.placeToRead()
    #expect([first, same, nothing] == [0, 0, -1])
  }
}
