/// A queue from one thread to one other, of fixed room, without locks.
///
/// Sendable by this proof: the writer touches only places that `RingIndices` calls free and the
/// reader only places it calls filled, so no place is ever touched by both at once; and each
/// element crosses exactly once, which its own `Sendable` allows. Exactly one thread may call
/// `push` and exactly one `pop`.
@safe final class HandoverQueue<Element: Sendable>: @unchecked Sendable {
  private let indices: RingIndices
  private let places: UnsafeMutablePointer<Element>

  /// Room for `capacity` elements, at least 1.
  init(capacity: Int) {
    indices = RingIndices(capacity: capacity)
    unsafe places = .allocate(capacity: capacity)
  }

  deinit {
    while pop() != nil {}
    unsafe places.deallocate()
  }

  /// Adds an element; false when there is no room.
  ///
  /// Real-time safe: yes for elements without references; the call is specialised in this module.
  func push(_ element: Element) -> Bool {
    let place = indices.placeToWrite()
    guard place >= 0 else { return false }
    unsafe (places + place).initialize(to: element)
    indices.publish()
    return true
  }

  /// Takes the oldest element; `nil` when there is none.
  ///
  /// Real-time safe: yes for elements without references.
  func pop() -> Element? {
    let place = indices.placeToRead()
    guard place >= 0 else { return nil }
    let element = unsafe (places + place).move()
    indices.release()
    return element
  }
}
