/// The last few sections, from the one the slowest route is in to the newest.
///
/// Fixed room: routes are at most a second apart, and the shortest bar (1/32 at 400 quarters per
/// minute) lasts 18.75 ms. A change is put off while there is no room.
struct SectionRing: ~Copyable {
  private static var capacity: Int { @_noLocks get { 64 } }
  private var sections: [64 of Section]
  /// The number of the newest section, counted from 0.
  private(set) var newest = 0

  init(first: Section) { sections = .init(repeating: first) }

  /// The same sections again.
  init(copying other: borrowing SectionRing) {
    sections = other.sections
    newest = other.newest
  }

  /// Takes over the sections of `other` from number `oldest` on.
  mutating func become(_ other: inout SectionRing, from oldest: Int) {
    newest = other.newest
    var number = oldest
    while number <= newest {
      sections[number % Self.capacity] = other.sections[number % Self.capacity]
      number += 1
    }
  }

  /// True when another section would overwrite one that a route still reads.
  @_noLocks
  func isFull(oldestInUse: Int) -> Bool { newest &- oldestInUse >= Self.capacity &- 2 }

  @_noLocks
  mutating func append(_ section: Section) {
    newest &+= 1
    sections[newest % Self.capacity] = section
  }

  /// Forgets the sections after `number`.
  mutating func drop(after number: Int) { newest = number }

  subscript(number: Int) -> Section {
    @_noLocks mutating get { sections[number % Self.capacity] }
    @_noLocks set { sections[number % Self.capacity] = newValue }
  }
}
