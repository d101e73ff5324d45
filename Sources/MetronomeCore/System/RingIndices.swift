internal import Synchronization

/// The indices of a ring buffer between exactly two threads: one writes, one reads, neither waits.
///
/// The writer owns `head`, the reader owns `tail`. Each reads the other's with acquire ordering, so
/// that stores before a publish are visible after the matching claim.
struct RingIndices: ~Copyable {
  private let capacity: Int
  private let head = Atomic<Int>(0)
  private let tail = Atomic<Int>(0)

  /// Creates indices for slots 0 to `capacity - 1`; `capacity` is at least 1.
  init(capacity: Int) { self.capacity = capacity }

  /// The slot that the writer may fill; `nil` if all are full.
  ///
  /// Real-time safe: yes.
  @_noLocks
  borrowing func slotToWrite() -> Int? {
    let next = head.load(ordering: .relaxed)
    return next &- tail.load(ordering: .acquiring) >= capacity ? nil : next % capacity
  }

  /// Passes the slot just filled to the reader.
  ///
  /// Real-time safe: yes.
  @_noLocks
  borrowing func publish() {
    head.store(head.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// The slot that the reader may take; `nil` if all are empty.
  ///
  /// Real-time safe: yes.
  @_noLocks
  borrowing func slotToRead() -> Int? {
    let next = tail.load(ordering: .relaxed)
    return next == head.load(ordering: .acquiring) ? nil : next % capacity
  }

  /// Returns the slot just taken to the writer.
  ///
  /// Real-time safe: yes.
  @_noLocks
  borrowing func release() {
    tail.store(tail.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }
}
