/// The most recent sections, from the one the slowest route is in to the newest.
///
/// Holds as many as the score's densest `span` needs, 64 to 512, allocated once: routes and sound
/// together are never further apart than that. A change has to wait while the ring is full.
///
/// Sendable by this proof: the storage is allocated in `init` and freed in `deinit`, nothing else
/// ever has its pointer, and the ring cannot be copied. So only the ring's owner can reach the
/// storage, and it crosses threads only as a whole. Sections are plain values.
@safe struct SectionRing: ~Copyable, @unchecked Sendable {
  /// The stretch of time covered: offsets of half a second either way, half a second of audio
  /// offset, and what is planned ahead.
  static var span: HostTime.Span { .milliseconds(2_500) }

  private let sections: UnsafeMutablePointer<Section>
  private let capacity: Int
  /// The number of the newest section, from 0.
  private(set) var newest = 0

  /// A ring that begins with `first`, for a score with `density` sections in its densest `span`.
  init(first: Section, density: Int = 0) {
    // Two more than are in use, so that no section a route still reads is overwritten.
    var capacity = 64
    while capacity < 512, capacity < density + 3 { capacity *= 2 }
    self.capacity = capacity
    unsafe sections = .allocate(capacity: capacity)
    unsafe sections.initialize(repeating: first, count: capacity)
  }

  /// An independent copy of `other`.
  init(copying other: borrowing SectionRing) {
    capacity = other.capacity
    unsafe sections = .allocate(capacity: capacity)
    unsafe sections.initialize(from: other.sections, count: capacity)
    newest = other.newest
  }

  deinit {
    unsafe sections.deinitialize(count: capacity)
    unsafe sections.deallocate()
  }

  /// Takes over the sections of `other` from number `oldest` on; `other` is a copy of this ring or
  /// its original.
  mutating func become(_ other: borrowing SectionRing, from oldest: Int) {
    newest = other.newest
    var number = oldest
    while number <= newest {
      self[number] = other[number]
      number += 1
    }
  }

  /// True when another section would overwrite one that a route still reads.
  @_noLocks
  func isFull(oldestInUse: Int) -> Bool { newest &- oldestInUse >= capacity &- 2 }

  @_noLocks
  mutating func append(_ section: Section) {
    newest &+= 1
    self[newest] = section
  }

  /// Drops the sections after `number`.
  mutating func drop(after number: Int) { newest = number }

  subscript(number: Int) -> Section {
    @_noLocks get { unsafe sections[index(number)] }
    @_noLocks set { unsafe sections[index(number)] = newValue }
  }

  /// The index of section `number`; the capacity is a power of two.
  @_noLocks
  private func index(_ number: Int) -> Int { number & (capacity &- 1) }
}
