import MIDIClock
import Testing

@testable import MetronomeCore

struct ConnectionKeeperTests {
  private static let us: UInt8 = 130
  private static let ports = [PortNumber(0), PortNumber(1)]

  private func info(_ client: String, _ number: UInt8, port: String = "MIDI 1") -> PortInfo {
    PortInfo(
      address: PortAddress(client: number, port: 0), clientName: SequencerName(client),
      name: SequencerName(port), capabilities: [.writable, .writeSubscribable])
  }

  private func own(_ port: UInt8) -> PortAddress { PortAddress(client: Self.us, port: port) }

  private func observe(
    _ event: IncomingEvent, _ connections: inout ConnectionKeeper, _ ports: [PortInfo] = []
  ) -> (notices: [ConnectionNotice], requests: [ConnectionKeeper.Request]) {
    connections.observe(event, ownClient: Self.us, ports: ports)
  }

  @Test func `a port connected live is reconnected by name, from both of our ports`() {
    var connections = ConnectionKeeper()
    connections.addGuest(info("Box", 128), Self.ports)
    let gone = observe(.clientExited(128), &connections)
    #expect(gone.notices == [.lost(name: "Box:MIDI 1")])
    #expect(connections.missingGuests.map(\.name) == ["Box:MIDI 1"])
    let back = PortAddress(client: 140, port: 0)
    let (_, requests) = observe(.portStarted(back), &connections, [info("Box", 140)])
    #expect(
      requests == [
        .init(index: 0, use: .destination, ownPorts: Self.ports, address: back)
      ])
    #expect(
      connections.settle(requests[0], error: nil) == .found(name: "Box:MIDI 1", address: back))
    #expect(connections.missingGuests.isEmpty)
  }

  @Test func `losing one of two connections to another program is not a disconnection`() {
    var connections = ConnectionKeeper()
    let box = info("Box", 128)
    connections.addGuest(box, Self.ports)
    let first = IncomingEvent.unsubscribed(sender: own(0), destination: box.address)
    #expect(observe(first, &connections, [box]).notices.isEmpty)
    let second = IncomingEvent.unsubscribed(sender: own(1), destination: box.address)
    #expect(observe(second, &connections, [box]).notices == [.released(name: "Box:MIDI 1")])
    let again = IncomingEvent.subscribed(sender: own(1), destination: box.address)
    #expect(
      observe(again, &connections, [box]).notices
        == [.found(name: "Box:MIDI 1", address: box.address)])
  }

  @Test func `a port disconnected here stays disconnected when it returns`() {
    var connections = ConnectionKeeper()
    let box = info("Box", 128)
    connections.add(box, PortNumber(3))
    #expect(
      connections.turn(box.address, from: [.connected], to: .dismissed) == [PortNumber(3)])
    let word = IncomingEvent.unsubscribed(sender: own(3), destination: box.address)
    #expect(observe(word, &connections, [box]).notices.isEmpty)
    #expect(observe(.clientExited(128), &connections).notices.isEmpty)
    let moved = info("Box", 140)
    let (notices, requests) = observe(.portStarted(moved.address), &connections, [moved])
    #expect(notices.isEmpty && requests.isEmpty)
    // It is still recognized, and can be connected under its new number.
    #expect(
      connections.connectablePorts(among: [moved], listeners: [], ownClient: Self.us)
        == [ConnectablePort(name: "Box:MIDI 1", address: moved.address, hasOwnRoute: true)])
    #expect(
      connections.turn(moved.address, from: [.released, .dismissed], to: .connected)
        == [PortNumber(3)])
  }

  @Test func `our own actions are not reported, whenever their announcement is read`() {
    var connections = ConnectionKeeper()
    let box = info("Box", 128)
    connections.add(box, PortNumber(3))
    let off = IncomingEvent.unsubscribed(sender: own(3), destination: box.address)
    let on = IncomingEvent.subscribed(sender: own(3), destination: box.address)
    connections.expect(off)
    connections.expect(on)
    #expect(observe(off, &connections, [box]).notices.isEmpty)
    #expect(observe(on, &connections, [box]).notices.isEmpty)
    #expect(observe(off, &connections, [box]).notices == [.released(name: "Box:MIDI 1")])
    // Nothing more is expected of a client that has exited.
    connections.expect(on)
    _ = observe(.clientExited(128), &connections)
    let back = info("Box", 128)
    let (_, requests) = observe(.portStarted(back.address), &connections, [back])
    _ = connections.settle(requests[0], error: nil)
    #expect(observe(off, &connections, [back]).notices == [.released(name: "Box:MIDI 1")])
    #expect(observe(on, &connections, [back]).notices.count == 1)
  }

  @Test func `a device named twice reconnects twice; two identical devices reconnect once each`() {
    var connections = ConnectionKeeper()
    let box = info("Box", 128)
    connections.add(box, PortNumber(3))
    connections.add(box, PortNumber(4))
    connections.add(info("Box", 129), PortNumber(5))
    _ = observe(.clientExited(128), &connections)
    _ = observe(.clientExited(129), &connections)
    let back = info("Box", 140)
    let (_, requests) = observe(.portStarted(back.address), &connections, [back])
    #expect(requests.map(\.ownPorts) == [[PortNumber(3)], [PortNumber(4)]])
    for request in requests { _ = connections.settle(request, error: nil) }
    let second = info("Box", 141)
    let (_, others) = observe(.portStarted(second.address), &connections, [second])
    #expect(others.map(\.ownPorts) == [[PortNumber(5)]])
  }

  @Test func `the list contains the destinations of the port listing and the missing ports`() {
    var connections = ConnectionKeeper()
    let through = info("Midi Through", 14, port: "Port-0")
    let named = info("TR-8S", 24)
    let guest = info("Volca", 28)
    let foreign = info("Box", 132)
    let timer = info("System", 0)
    let ourselves = info("midimetro", Self.us)
    let deaf = PortInfo(
      address: PortAddress(client: 133, port: 0), clientName: SequencerName("Pad"),
      name: SequencerName("out"), capabilities: [.readable, .readSubscribable])
    connections.add(named, PortNumber(3))
    connections.addGuest(guest, Self.ports)
    connections.addGuest(info("Lost", 140), Self.ports)
    connections.add(deaf, PortNumber(2), as: .source)
    _ = observe(.clientExited(140), &connections)
    let all = [foreign, deaf, ourselves, guest, named, through, timer]
    #expect(
      connections.connectablePorts(
        among: all, listeners: [guest.address, foreign.address], ownClient: Self.us)
        == [
          ConnectablePort(name: "Midi Through:Port-0", address: through.address),
          ConnectablePort(
            name: "TR-8S:MIDI 1", address: named.address, link: .connected, hasOwnRoute: true),
          ConnectablePort(name: "Volca:MIDI 1", address: guest.address, link: .connected),
          ConnectablePort(name: "Box:MIDI 1", address: foreign.address, link: .connected),
          ConnectablePort(
            name: "Lost:MIDI 1", address: PortAddress(client: 140, port: 0), link: .gone),
        ])
  }

  @Test func `repeating a port is refused if it would get the same messages twice`() {
    let box = info("Box", 128)
    func refusal(_ first: Route.Contents, _ second: Route.Contents) -> AddressError? {
      let destinations: [Destination] = [
        .init(address: "Box", route: .init(contents: first)),
        .init(address: "128:0", route: .init(contents: second)),
      ]
      do throws(AddressError) {
        try destinations.refuseRepeated([box, box])
        return nil
      } catch { return error }
    }
    #expect(
      refusal(.all, .all) == .repeated(text: "128:0", first: "Box", port: box))
    #expect(refusal([.clock, .click], .click) != nil)
    #expect(refusal([.clock, .transport], .click) == nil)
  }
}
