import Testing

@testable import MIDIClock

struct PulseSpacingTests {
  private func pulse(_ milliseconds: Int64, route: Int = 0) -> PlannedEvent {
    PlannedEvent(
      time: HostTime.zero + .milliseconds(milliseconds), route: route, action: .send(.clock),
      closest: .milliseconds(10))
  }

  private func message(_ milliseconds: Int64, _ message: MIDIMessage) -> PlannedEvent {
    PlannedEvent(
      time: HostTime.zero + .milliseconds(milliseconds), route: 0, action: .send(message),
      closest: .zero)
  }

  private func instant(_ milliseconds: Int64) -> HostTime { .zero + .milliseconds(milliseconds) }

  @Test func `a punctual pulse leaves on time, at any time`() {
    var spacing = PulseSpacing()
    for time in [-100, -79, 0, 21, 42] as [Int64] {
      #expect(spacing.release(pulse(time)) == instant(time))
      spacing.left(pulse(time), at: instant(time))
    }
  }

  @Test func `a pulse after a late one waits half a period, until back on the grid`() {
    var spacing = PulseSpacing()
    // Pulses due at 0, 20, 40, 60, 80 ms; the first leaves at 50.
    var left: [Int64] = []
    var now: Int64 = 50
    for time in stride(from: Int64(0), through: 120, by: 20) {
      let release = spacing.release(pulse(time)).nanoseconds / 1_000_000
      now = max(now, release)
      left.append(now)
      spacing.left(pulse(time), at: instant(now))
    }
    #expect(left == [50, 60, 70, 80, 90, 100, 120])
  }

  @Test func `an output with some slack keeps the distance all the same`() {
    var spacing = PulseSpacing()
    spacing.left(message(0, .start), at: instant(49))
    #expect(spacing.release(pulse(0), slack: .milliseconds(2)) == instant(52))
    spacing.left(pulse(0), at: instant(53))
    #expect(spacing.release(pulse(20), slack: .milliseconds(2)) == instant(65))
    // Late pulses would never catch up if the slack used up the other half of the period.
    #expect(spacing.release(pulse(20), slack: .milliseconds(12)) == instant(68))
    #expect(spacing.release(pulse(100), slack: .milliseconds(12)) == instant(100))
  }

  // F75: a much faster tempo is not slowed down by the period of the slower one.
  @Test func `the distance is that of the later pulse`() {
    var spacing = PulseSpacing()
    var slow = pulse(0)
    slow.closest = .milliseconds(125)
    spacing.left(slow, at: instant(0))
    #expect(spacing.release(pulse(12)) == instant(12))
    #expect(spacing.release(pulse(7)) == instant(10))
  }

  @Test func `routes are spaced independently`() {
    var spacing = PulseSpacing()
    spacing.left(pulse(0, route: 3), at: instant(5))
    #expect(spacing.release(pulse(6, route: 3)) == instant(15))
    #expect(spacing.release(pulse(6, route: 4)) == instant(6))
    #expect(spacing.release(pulse(6, route: 15)) == instant(6))
  }

  @Test(arguments: [MIDIMessage.start, .continue])
  func `a pulse follows a late Start or Continue after at least 1 ms`(message: MIDIMessage) {
    var spacing = PulseSpacing()
    let event = self.message(-1, message)
    #expect(spacing.release(event) == instant(-1))
    spacing.left(event, at: instant(4))
    // 50 us beyond the 1 ms: the delay to the wire varies between messages.
    #expect(spacing.release(pulse(0)) == instant(5) + .microseconds(50))
    // A longer distance is not shortened.
    spacing.left(pulse(0), at: instant(5))
    spacing.left(event, at: instant(6))
    #expect(spacing.release(pulse(0)) == instant(15))
  }

  @Test func `notes, Stop and Song Position neither wait nor delay others`() throws {
    var spacing = PulseSpacing()
    let place = try #require(SongPosition(midiBeats: 4))
    let others: [MIDIMessage] = [
      .stop, .songPosition(place), .noteOn(channel: 9, key: 34, velocity: 1),
      .noteOff(channel: 9, key: 34, velocity: 1), .control(channel: 0, controller: 1, value: 1),
    ]
    for other in others {
      spacing.left(pulse(0), at: instant(3))
      #expect(spacing.release(message(1, other)) == instant(1))
      spacing.left(message(1, other), at: instant(100))
      #expect(spacing.release(pulse(14)) == instant(14))
    }
  }
}
