internal import Synchronization

/// The places of a queue between exactly two threads: one writes, one reads, neither waits.
///
/// The writer owns `head`, the reader owns `tail`; each reads the other's with acquire ordering,
/// so what was stored before a publish is seen after the matching claim.
struct RingIndices: ~Copyable {
  private let capacity: Int
  private let head = Atomic<Int>(0)
  private let tail = Atomic<Int>(0)

  /// Places 0 to `capacity - 1`; `capacity` is at least 1.
  init(capacity: Int) { self.capacity = capacity }

  /// The place the writer may fill; negative when all are full.
  ///
  /// Real-time safe: yes.
  @_noLocks
  borrowing func placeToWrite() -> Int {
    let next = head.load(ordering: .relaxed)
    return next &- tail.load(ordering: .acquiring) >= capacity ? -1 : next % capacity
  }

  /// Hands the place just filled to the reader.
  ///
  /// Real-time safe: yes.
  @_noLocks
  borrowing func publish() {
    head.store(head.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// The place the reader may take; negative when all are empty.
  ///
  /// Real-time safe: yes.
  @_noLocks
  borrowing func placeToRead() -> Int {
    let next = tail.load(ordering: .relaxed)
    return next == head.load(ordering: .acquiring) ? -1 : next % capacity
  }

  /// Gives the place just taken back to the writer.
  ///
  /// Real-time safe: yes.
  @_noLocks
  borrowing func release() {
    tail.store(tail.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }
}
