import Testing

@testable import MIDIClock

struct RouteCursorTests {
  private func head(_ kind: RouteCursor.Candidate.Kind, at nanoseconds: Int64)
    -> RouteCursor.Candidate
  {
    RouteCursor.Candidate(
      event: PlannedEvent(
        time: HostTime(nanoseconds: nanoseconds), route: 0, action: .send(.clock), closest: .zero),
      kind: kind)
  }

  @Test func `the earlier event comes first, of any kind`() {
    for kind in [.turn, .entry, .pulse, .noteOff, .click] as [RouteCursor.Candidate.Kind] {
      for other in [.turn, .entry, .pulse, .noteOff, .click] as [RouteCursor.Candidate.Kind] {
        #expect(head(kind, at: 1).precedes(head(other, at: 2)))
        #expect(!head(kind, at: 2).precedes(head(other, at: 1)))
      }
      #expect(head(kind, at: 1).precedes(.nothing))
    }
  }

  @Test func `at the same instant the order is transport, clock, note-off, note-on`() {
    let order: [RouteCursor.Candidate.Kind] = [.turn, .entry, .pulse, .noteOff, .click]
    for (index, kind) in order.enumerated() {
      for (other, later) in order.enumerated() {
        #expect(head(kind, at: 5).precedes(head(later, at: 5)) == (index < other))
      }
    }
  }

  @Test func `the sounding note that ends first is found`() {
    var cursor = RouteCursor()
    #expect(cursor.firstToEnd == nil)
    for (slot, off) in [(0, 30), (1, 10), (2, 20)] as [(Int, Int64)] {
      cursor.notes[slot].isSounding = true
      cursor.notes[slot].off = HostTime(nanoseconds: off)
    }
    #expect(cursor.firstToEnd == 1)
    cursor.notes[1].isSounding = false
    #expect(cursor.firstToEnd == 2)
  }
}
