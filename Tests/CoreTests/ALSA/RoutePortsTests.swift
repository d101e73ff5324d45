import MIDIClock
import Testing

@testable import MetronomeCore

struct RoutePortsTests {
  @Test func `notes leave from the click's port, all else from the clock's, each route its own`()
    throws
  {
    var ports = RoutePorts()
    ports.set(0, clock: PortNumber(1), click: PortNumber(2))
    ports.set(15, clock: PortNumber(3), click: PortNumber(3))
    let place = try #require(SongPosition(midiBeats: 0))
    for message in [.clock, .start, .continue, .stop, .songPosition(place)] as [MIDIMessage] {
      #expect(ports.port(message, on: 0).value == 1)
      #expect(ports.port(message, on: 15).value == 3)
    }
    for message in [
      .noteOn(channel: 9, key: 34, velocity: 127), .noteOff(channel: 9, key: 34, velocity: 64),
      .control(channel: 9, controller: 120, value: 0),
    ] as [MIDIMessage] {
      #expect(ports.port(message, on: 0).value == 2)
    }
  }
}
