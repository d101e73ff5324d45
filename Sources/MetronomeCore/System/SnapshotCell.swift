internal import Synchronization

/// A value that one thread publishes and others read whole: a seqlock.
///
/// The writer never waits: it makes the sequence odd, stores the words, and makes it even again. A
/// reader that saw an odd sequence, or another one after the words than before, reads again.
///
/// Sendable by this proof. What both sides touch are atomics. A reader that loads a word of a newer
/// value (acquiring) sees what was stored before that word (releasing), the odd sequence of that
/// value among it, so its second look at the sequence differs from the first and the words are
/// thrown away; when both looks agree and are even, all words are of one value. `scratch` belongs to
/// the writer. Exactly one thread may call `publish`.
@safe final class SnapshotCell<Value: Sendable>: @unchecked Sendable {
  private let sequence = Atomic<UInt64>(0)
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let scratch: UnsafeMutablePointer<UInt64>
  private let count: Int

  /// A cell that holds `value`, of a type without references.
  init(_ value: Value) {
    precondition(_isPOD(Value.self), "a value that is published has no references")
    precondition(MemoryLayout<Value>.alignment <= 16)
    count = (MemoryLayout<Value>.size + 7) / 8
    unsafe words = .allocate(capacity: count)
    unsafe scratch = Self.allocateWords(count)
    for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }
    publish(value)
  }

  deinit {
    unsafe words.deinitialize(count: count)
    unsafe words.deallocate()
    unsafe scratch.deallocate()
  }

  /// Replaces the value.
  ///
  /// Real-time safe: yes; the call is specialised in this module.
  func publish(_ value: Value) {
    let odd = sequence.load(ordering: .relaxed) &+ 1
    unsafe UnsafeMutableRawPointer(scratch).storeBytes(of: value, as: Value.self)
    sequence.store(odd, ordering: .relaxed)
    var index = 0
    while index < count {
      unsafe words[index].store(scratch[index], ordering: .releasing)
      index &+= 1
    }
    sequence.store(odd &+ 1, ordering: .releasing)
  }

  /// The value published last.
  func read() -> Value {
    let copy = unsafe Self.allocateWords(count)
    defer { unsafe copy.deallocate() }
    while true {
      let before = sequence.load(ordering: .acquiring)
      for index in 0..<count {
        unsafe copy[index] = unsafe words[index].load(ordering: .acquiring)
      }
      let after = sequence.load(ordering: .relaxed)
      if before == after, before % 2 == 0 {
        return unsafe UnsafeRawPointer(copy).load(as: Value.self)
      }
    }
  }

  /// Words aligned for any value.
  private static func allocateWords(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: count * 8, alignment: 16)
    return unsafe bytes.initializeMemory(as: UInt64.self, repeating: 0, count: count)
  }
}
