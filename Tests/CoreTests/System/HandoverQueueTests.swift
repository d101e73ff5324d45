import Testing

@testable import MetronomeCore

struct HandoverQueueTests {
  @Test func `first in, first out, up to the capacity`() {
    let queue = HandoverQueue<Int>(capacity: 3)
    #expect(queue.pop() == nil)
    #expect([1, 2, 3, 4].map(queue.push) == [true, true, true, false])
    #expect(queue.pop() == 1)
    #expect(queue.push(5))
    #expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()] == [2, 3, 5, nil])
  }

  @Test(arguments: [1, 64, 1_024])
  func `two hundred thousand items cross from one thread to another in order`(capacity: Int) throws
  {
    // Both halves identify the item, so a torn one would be detected.
    struct Item: Sendable {
      var number: Int
      var proof: Int
    }
    let queue = HandoverQueue<Item>(capacity: capacity)
    let count = 200_000
    let thread = try RealtimeThread.start(name: "writer", priority: nil, state: queue) { queue in
      var refused = 0
      for number in 0..<count {
        while !queue.push(Item(number: number, proof: ~number)) { refused += 1 }
      }
      return refused
    }
    var next = 0
    var isInOrder = true
    while next < count {
      guard let item = queue.pop() else { continue }
      if item.number != next || item.proof != ~next { isInOrder = false }
      next += 1
    }
    _ = thread.join()
    #expect(isInOrder)
    #expect(queue.pop()?.number == nil)
  }

  @Test func `items left in it are released with it`() {
    final class Guest: Sendable {}
    weak var last: Guest?
    do {
      let queue = HandoverQueue<Guest>(capacity: 4)
      let guest = Guest()
      last = guest
      #expect(queue.push(guest))
    }
    #expect(last == nil)
  }
}
