/// A lock-free queue of fixed capacity from one thread to one other.
///
/// Unchecked: the writer accesses only slots that `RingIndices` reports as free and the reader only
/// slots it reports as filled, so no slot is accessed by both at once. Each element changes threads
/// exactly once, which its own `Sendable` allows. Exactly one thread may call `push` and exactly
/// one `pop`.
@safe final class HandoverQueue<Element: Sendable>: @unchecked Sendable {
  private let indices: RingIndices
  private let slots: UnsafeMutablePointer<Element>

  /// Creates a queue for `capacity` elements, at least 1.
  init(capacity: Int) {
    indices = RingIndices(capacity: capacity)
    unsafe slots = .allocate(capacity: capacity)
  }

  deinit {
    while pop() != nil {}
    unsafe slots.deallocate()
  }

  /// Adds an element; returns false if the queue is full.
  ///
  /// Real-time safe: yes for elements without references; the call is specialised in this module.
  func push(_ element: Element) -> Bool {
    guard let slot = indices.slotToWrite() else { return false }
    unsafe (slots + slot).initialize(to: element)
    indices.publish()
    return true
  }

  /// Removes and returns the oldest element; `nil` if the queue is empty.
  ///
  /// Real-time safe: yes for elements without references.
  func pop() -> Element? {
    guard let slot = indices.slotToRead() else { return nil }
    let element = unsafe (slots + slot).move()
    indices.release()
    return element
  }
}
