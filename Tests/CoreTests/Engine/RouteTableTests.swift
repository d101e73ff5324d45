import MIDIClock
import Testing

@testable import MetronomeCore

struct RouteTableTests {
  private static let ahead = HostTime.Span.milliseconds(-40)

  @Test func `destinations come first, then our public ports, the sound, and the observer last`() {
    let table = RouteTable(
      destinations: [Route(contents: .clock), Route(contents: .click)], general: Route(),
      soundOffset: Self.ahead, isObserved: true)
    #expect(table.routes.count == 5)
    #expect(table.general == 2)
    #expect(table.sound == 3)
    #expect(table.routes[3] == Route(contents: .click, offset: Self.ahead))
    #expect(table.routes[4] == .observer)
  }

  @Test func `without sound there is no sound route`() {
    let table = RouteTable(
      destinations: [], general: Route(), soundOffset: nil, isObserved: false)
    #expect(table.routes == [Route()])
    #expect(table.sound == nil)
  }

  @Test func `the destinations are measured, or our public ports without any`() {
    let some = RouteTable(
      destinations: [Route(), Route()], general: Route(), soundOffset: .zero, isObserved: true)
    #expect(some.entries.map(\.isMeasured) == [true, true, false, false, false])
    let none = RouteTable(
      destinations: [], general: Route(), soundOffset: .zero, isObserved: true)
    #expect(none.entries.map(\.isMeasured) == [true, false, false])
  }

  @Test func `only a destination's own route has a name`() {
    var table = RouteTable(
      destinations: [Route()], general: Route(), soundOffset: nil, isObserved: true)
    table.send(0, clock: PortNumber(3), click: PortNumber(3), to: "Box:MIDI 1")
    table.send(1, clock: PortNumber(0), click: PortNumber(1))
    #expect((0..<4).map(table.name(of:)) == ["Box:MIDI 1", nil, nil, nil])
    #expect(table.destinationNames == ["Box:MIDI 1"])
  }

  @Test func `sinks that no queue can serve are local; the observer is not`() {
    var table = RouteTable(
      destinations: [Route()], general: Route(), soundOffset: .zero, isObserved: true)
    table.send(0, clock: PortNumber(3), click: PortNumber(3), to: "Box:MIDI 1")
    table.send(1, clock: PortNumber(0), click: PortNumber(1))
    #expect(table.localRoutes == 0b100)
    table.record()
    #expect(table.localRoutes == 0b111)
  }

  @Test func `notes leave from the click port, everything else from the clock port`() throws {
    let sink = Sink.sequencer(clock: PortNumber(1), click: PortNumber(2))
    let place = try #require(SongPosition(midiBeats: 0))
    for message in [.clock, .start, .continue, .stop, .songPosition(place)] as [MIDIMessage] {
      #expect(sink.port(for: message) == PortNumber(1))
    }
    for message in [
      .noteOn(channel: 9, key: 34, velocity: 127), .noteOff(channel: 9, key: 34, velocity: 64),
      .control(channel: 9, controller: 120, value: 0),
    ] as [MIDIMessage] {
      #expect(sink.port(for: message) == PortNumber(2))
    }
    for other in [Sink.sound, .recording, .none] { #expect(other.port(for: .clock) == nil) }
  }
}
