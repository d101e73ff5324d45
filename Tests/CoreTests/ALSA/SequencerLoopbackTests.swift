import Glibc
import MIDIClock
import Testing

@testable import MetronomeCore

/// Reads until `count` events that `wanted` accepts have arrived, or until two seconds of silence.
func receive(
  _ count: Int, from sequencer: Sequencer, where wanted: (IncomingEvent) -> Bool = { _ in true }
) throws -> [IncomingEvent] {
  var received: [IncomingEvent] = []
  var input = PollSet([sequencer.pollDescriptor])
  while received.count < count {
    if let event = try sequencer.nextEvent() {
      if wanted(event) { received.append(event) }
    } else if try input.wait(until: SystemClock.now + .seconds(2)).isEmpty {
      break
    }
  }
  return received
}

extension SequencerTests {
  @Suite struct SequencerLoopbackTests {
    @Test func `our ports appear in the kernel's list with their names and directions`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      _ = try sequencer.createPort(name: "clock", direction: .output)
      _ = try sequencer.createPort(name: "in", direction: .input)
      _ = try sequencer.createPort(name: "hidden", direction: .privateInput)
      let list = String(decoding: SmallFile.read("/proc/asound/seq/clients") ?? [], as: UTF8.self)
      let lines = list.split(separator: "\n").map(String.init)
      let start = try #require(
        lines.firstIndex { $0.contains("Client") && $0.contains("\"midimetro test\"") })
      let ports = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }
        .filter { $0.contains("Port") }
        .map { String($0.drop { $0 == " " }) }
      #expect(
        ports == [
          "Port   0 : \"clock\" (R-e-)", "Port   1 : \"in\" (-We-)",
          "Port   2 : \"hidden\" (-w--)",
        ])
    }

    @Test func `our list of ports matches the ports we created`() throws {
      let sequencer = try Sequencer.open(clientName: "Prøve 日本")
      let port = try sequencer.createPort(name: "Box: HUB-1 [1]", direction: .output)
      let info = try #require(
        try sequencer.ports().first {
          $0.address == PortAddress(client: sequencer.clientNumber, port: port.value)
        })
      #expect(info.clientName.text == "Prøve 日本")
      #expect(info.name.text == "Box: HUB-1 [1]")
      #expect(info.capabilities == [.readable, .readSubscribable])
      #expect(info.suits(.source))
      #expect(!info.suits(.destination))
      #expect(info.processID ?? 0 >= getpid())
      #expect(!info.isKernelClient)
      #expect(info.card == nil)
    }

    @Test func `a long name is cut between two characters`() throws {
      let sequencer = try Sequencer.open(clientName: String(repeating: "日", count: 30))
      _ = try sequencer.createPort(name: "in", direction: .input)
      let info = try #require(
        try sequencer.ports().first { $0.address.client == sequencer.clientNumber })
      #expect(info.clientName.text == String(repeating: "日", count: 21))
    }

    @Test func `every kind of message arrives as sent, from the port that sent it`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let output = try sequencer.createPort(name: "out", direction: .output)
      let input = try sequencer.createPort(name: "in", direction: .input)
      let target = PortAddress(client: sequencer.clientNumber, port: input.value)
      try sequencer.connect(output, to: target)
      let source = PortAddress(client: sequencer.clientNumber, port: output.value)
      let messages = SequencerEventTests.messages.map(\.1)
      for message in messages {
        #expect(sequencer.output.send(message, from: output) == 0)
      }
      #expect(
        try receive(messages.count, from: sequencer)
          == messages.map { .message($0, port: input, source: source, stamp: nil) })
      #expect(try sequencer.nextEvent() == nil)
    }

    @Test func `connecting twice is not an error, and one disconnect undoes it`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let output = try sequencer.createPort(name: "out", direction: .output)
      let input = try sequencer.createPort(name: "in", direction: .input)
      let target = PortAddress(client: sequencer.clientNumber, port: input.value)
      let source = PortAddress(client: sequencer.clientNumber, port: output.value)
      try sequencer.connect(output, to: target)
      try sequencer.connect(input, from: source)
      #expect(sequencer.output.send(.clock, from: output) == 0)
      try sequencer.disconnect(output, to: target)
      #expect(sequencer.output.send(.start, from: output) == 0)
      // Addressed events need no connection.
      #expect(sequencer.output.send(.stop, from: output, to: target) == 0)
      #expect(
        try receive(2, from: sequencer) == [
          .message(.clock, port: input, source: source, stamp: nil),
          .message(.stop, port: input, source: source, stamp: nil),
        ])
      #expect(throws: ALSAError.self) { try sequencer.disconnect(output, to: target) }
    }

    @Test func `connecting a port that does not exist fails and names the call`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let output = try sequencer.createPort(name: "out", direction: .output)
      let error = #expect(throws: ALSAError.self) {
        try sequencer.connect(output, to: PortAddress(client: 191, port: 9))
      }
      #expect(error?.operation == "snd_seq_subscribe_port")
      #expect(error?.isPermission == false)
    }

    @Test func `unread input overruns once, then continues`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let output = try sequencer.createPort(name: "out", direction: .output)
      let input = try sequencer.createPort(name: "in", direction: .input)
      let target = PortAddress(client: sequencer.clientNumber, port: input.value)
      try sequencer.connect(output, to: target)
      var refused = 0
      for _ in 0..<(Sequencer.poolSize + 500) where sequencer.output.send(.clock, from: output) < 0
      {
        refused += 1
      }
      var overruns = 0
      var pulses = 0
      while let event = try sequencer.nextEvent() {
        if event == .overrun { overruns += 1 } else { pulses += 1 }
      }
      #expect(overruns == 1)
      #expect(pulses == 0)
      // The sender is notified too, so an error of `send` must never lead to a retry.
      #expect(refused == 500)
      #expect(sequencer.output.send(.start, from: output) == 0)
      #expect(
        try receive(1, from: sequencer) == [
          .message(
            .start, port: input,
            source: PortAddress(client: sequencer.clientNumber, port: output.value), stamp: nil)
        ])
    }

    @Test func `clients and ports are announced as they come and go, once each`() throws {
      let watcher = try Sequencer.open(clientName: "midimetro test")
      try watcher.subscribeToAnnouncements()
      try watcher.subscribeToAnnouncements()
      let input = try watcher.createPort(name: "in", direction: .input)
      let mine = PortAddress(client: watcher.clientNumber, port: input.value)
      let address: PortAddress
      do {
        let guest = try Sequencer.open(clientName: "guest")
        let port = try guest.createPort(name: "out", direction: .output)
        address = PortAddress(client: guest.clientNumber, port: port.value)
        try guest.connect(port, to: mine)
        try guest.disconnect(port, to: mine)
        try guest.deletePort(port)
      }
      let announcements = PortAddress(client: watcher.clientNumber, port: 0)
      let expected: [IncomingEvent] = [
        .subscribed(sender: PortAddress(client: 0, port: 1), destination: announcements),
        .portStarted(mine),
        .clientStarted(address.client), .portStarted(address),
        .subscribed(sender: address, destination: mine),
        .unsubscribed(sender: address, destination: mine),
        .portExited(address), .clientExited(address.client),
      ]
      let received = try receive(expected.count, from: watcher) {
        if case .other = $0 { false } else { true }
      }
      #expect(received == expected)
      while let event = try watcher.nextEvent() {
        if case .other = event { continue }
        Issue.record("announced twice: \(event)")
      }
    }

    @Test func `two hundred opens and closes leave the list of clients unchanged`() throws {
      let before = try #require(SmallFile.read("/proc/asound/seq/clients"))
      for _ in 0..<200 {
        let sequencer = try Sequencer.open(clientName: "midimetro test")
        _ = try sequencer.createPort(name: "out", direction: .output)
      }
      #expect(SmallFile.read("/proc/asound/seq/clients") == before)
    }

    @Test func `queue events of the kernel's timer port are never messages`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let input = try sequencer.createPort(name: "in", direction: .input)
      try sequencer.connect(input, from: PortAddress(client: 0, port: 0))
      // Opening a queue starts it, which the timer port reports to its subscribers.
      _ = try SequencerQueue.open(on: sequencer, name: "test")
      var heard: [IncomingEvent] = []
      while let event = try sequencer.nextEvent() { heard.append(event) }
      #expect(heard.contains(.other(type: 30)))
      #expect(heard.allSatisfy { if case .other = $0 { true } else { false } })
    }

    @Test func `input older than the start can be dropped`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let output = try sequencer.createPort(name: "out", direction: .output)
      let input = try sequencer.createPort(name: "in", direction: .input)
      let target = PortAddress(client: sequencer.clientNumber, port: input.value)
      for _ in 0..<5 { _ = sequencer.output.send(.clock, from: output, to: target) }
      _ = try sequencer.nextEvent()
      sequencer.dropInput()
      #expect(try sequencer.nextEvent() == nil)
    }
  }
}
