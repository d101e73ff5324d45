import Testing

@testable import MIDIClock

struct TransportTests {
  @Test func `exactly one of three states applies`() {
    let states: [Transport] = [.stopped, .armed, .rolling]
    #expect(states.map(\.isStopped) == [true, false, false])
    #expect(states.map(\.isArmed) == [false, true, false])
    #expect(states.map(\.isRolling) == [false, false, true])
  }

  @Test func `a state is entered with these messages, with these leads`() throws {
    let place = try #require(SongPosition(midiBeats: 16))
    let table: [(Transport.Entry, [(MIDIMessage, Int64)])] = [
      (.none, []), (.start, [(.start, 1)]), (.continue, [(.continue, 1)]), (.stop, [(.stop, 0)]),
      (.locate(place), [(.songPosition(place), 0)]),
      (.continueAt(place), [(.songPosition(place), 11), (.continue, 1)]),
      (.restart, [(.stop, 2), (.start, 1)]),
    ]
    for (entry, messages) in table {
      #expect(entry.count == messages.count)
      for (index, (message, lead)) in messages.enumerated() {
        #expect(entry.message(index) == message)
        #expect(entry.lead(index) == .milliseconds(lead))
      }
    }
  }

  @Test func `the clock runs always, rolling or never`() {
    #expect(ClockPolicy.allCases.map(\.isAlways) == [true, false, false])
    #expect(ClockPolicy.allCases.map(\.isOff) == [false, false, true])
  }
}
