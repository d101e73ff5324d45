import Testing

@testable import MIDIClock

struct SectionRingTests {
  private func section(_ number: Int64) -> Section {
    Section(
      line: TempoMap.Segment(tick: .zero, time: .zero, tempo: .standard),
      span: MeterSpan(start: .zero, bar: 1, pattern: .common), start: Tick(number), time: .zero,
      end: Tick(number + 1), state: .rolling, hasPulses: true, hasClicks: true, entry: .none,
      announcesTempo: false, resume: .zero, passage: 0)
  }

  @Test func `the last sixty-two sections are kept, whatever came before`() {
    var ring = SectionRing(first: section(0))
    for number in 1...1_000 as ClosedRange<Int64> { ring.append(section(number)) }
    #expect(ring.newest == 1_000)
    for number in 939...1_000 {
      let kept = ring[number]
      #expect(kept.start == Tick(Int64(number)))
    }
    let copy = SectionRing(copying: ring)
    var other = SectionRing(copying: copy)
    other.append(section(7))
    #expect(ring.newest == 1_000)
    #expect(other.newest == 1_001)
  }

  @Test func `it is full before another section would overwrite one in use`() {
    var ring = SectionRing(first: section(0))
    for number in 1...61 as ClosedRange<Int64> { ring.append(section(number)) }
    let hasRoom = !ring.isFull(oldestInUse: 0)
    #expect(hasRoom)
    ring.append(section(62))
    let isFull = ring.isFull(oldestInUse: 0)
    let isFullFromOne = ring.isFull(oldestInUse: 1)
    #expect(isFull)
    #expect(!isFullFromOne)
    let oldest = ring[0]
    #expect(oldest.start == .zero)
  }

  @Test func `a dense score has a larger ring, of 512 sections at most`() {
    for (density, kept) in [(61, 62), (62, 126), (400, 510), (5_000, 510)] {
      var ring = SectionRing(first: section(0), density: density)
      for number in 1...Int64(kept) {
        let isFull = ring.isFull(oldestInUse: 0)
        #expect(!isFull)
        ring.append(section(number))
      }
      let isFull = ring.isFull(oldestInUse: 0)
      #expect(isFull)
      for number in 0...kept { #expect(ring[number].start == Tick(Int64(number))) }
    }
  }

  @Test func `a section ends at the last tick of its line; an endless one is beyond any song`() {
    #expect(section(959).endTime == HostTime(nanoseconds: 500_000_000))
    // A year at 400 quarters per minute.
    #expect(Tick(365 * 86_400 * 400 / 60 * 960) < Tick.endless)
  }
}
