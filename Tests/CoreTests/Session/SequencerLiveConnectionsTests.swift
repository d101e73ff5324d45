import CALSASeq
import Glibc
import MIDIClock
import Testing

@testable import MetronomeCore

extension SequencerTests {
  /// Connects and disconnects on a real sequencer while the clock runs.
  @Suite struct LiveConnectionsTests {
    /// A client with one writable port.
    private func box(_ name: String) throws -> (sequencer: Sequencer, address: PortAddress) {
      let sequencer = try Sequencer.open(clientName: name)
      let port = try sequencer.createPort(name: "MIDI 1", direction: .input)
      return (sequencer, PortAddress(client: sequencer.clientNumber, port: port.value))
    }

    /// Reads the input of `sequencer` for `span`.
    private func heard(_ sequencer: Sequencer, for span: HostTime.Span) throws -> [MIDIMessage] {
      SystemClock.sleep(until: SystemClock.now + span)
      var messages: [MIDIMessage] = []
      while let event = try sequencer.nextEvent() {
        if case .message(let message, _, _, _) = event { messages.append(message) }
      }
      return messages
    }

    /// Waits up to two seconds for a total of `count` notices.
    private func wait(
      _ leader: inout PlaySession, _ notices: inout [ConnectionNotice], _ count: Int
    )
      throws
    {
      let deadline = SystemClock.now + .seconds(2)
      while notices.count < count, SystemClock.now < deadline {
        SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
        notices += try leader.keepConnections()
      }
    }

    private func link(_ patch: SequencerSession, to address: PortAddress) throws
      -> ConnectablePort.Link?
    {
      try patch.connectablePorts().first { $0.address == address }?.link
    }

    @Test(arguments: [DispatchMode.precise, .queued])
    func `a port is connected and disconnected live, with pulses but no Start`(
      _ way: DispatchMode
    ) throws {
      let (sequencer, address) = try box("midimetro box")
      var settings = PlaySettings(score: Score(pattern: .common, tempo: .standard))
      settings.dispatch = way
      let leader = try PlaySession.start(settings)
      let session = leader.sequencer
      let patch = try #require(session)
      SystemClock.sleep(until: leader.origin + .milliseconds(50))
      let connectablePorts = try patch.connectablePorts()
      let outlet = try #require(connectablePorts.first { $0.address == address })
      #expect(outlet == ConnectablePort(name: "midimetro box:MIDI 1", address: address))
      let before = try patch.listeners()
      #expect(before.isEmpty)
      try patch.connect(outlet)
      let connectedLink = try link(patch, to: address)
      #expect(connectedLink == .connected)
      let after = try patch.listeners()
      #expect(after.map(\.name) == ["midimetro box:MIDI 1"])
      let joined = try heard(sequencer, for: .milliseconds(1_100))
      #expect(joined.count { $0 == .clock } >= 48)
      #expect(!joined.contains(.start))
      #expect(joined.contains { if case .noteOn = $0 { true } else { false } })

      var connected = outlet
      connected.link = .connected
      try patch.disconnect(connected, isRolling: true)
      let last = try heard(sequencer, for: .milliseconds(100))
      #expect(last.last == .stop)
      #expect(try heard(sequencer, for: .milliseconds(300)).isEmpty)
      let freeLink = try link(patch, to: address)
      #expect(freeLink == .free)
      leader.halt()
      _ = leader.finish()
    }

    @Test func `a port connected live is reconnected when it returns under another number`()
      throws
    {
      var box: (sequencer: Sequencer, address: PortAddress)? = try box("midimetro box")
      var leader = try PlaySession.start(
        PlaySettings(score: Score(pattern: .common, tempo: .standard)))
      let session = leader.sequencer
      let patch = try #require(session)
      try patch.connect(
        ConnectablePort(name: "midimetro box:MIDI 1", address: try #require(box).address))
      let kept = try patch.presentDestinations()
      #expect(kept.added == ["midimetro box:MIDI 1"])
      _ = try leader.keepConnections()
      _ = patch.takePatchChange()
      // Another client takes its number.
      let other = try Sequencer.open(clientName: "midimetro other")
      box = nil
      var notices: [ConnectionNotice] = []
      try wait(&leader, &notices, 1)
      #expect(notices == [.lost(name: "midimetro box:MIDI 1")])
      let hasChanged = patch.takePatchChange()
      #expect(hasChanged)
      let missing = try patch.listeners()
      #expect(missing.map(\.link) == [.gone])
      let taken = try Sequencer.open(clientName: "midimetro taken")
      box = try self.box("midimetro box")
      try wait(&leader, &notices, 2)
      let back = try #require(box).address
      #expect(notices.last == .found(name: "midimetro box:MIDI 1", address: back))
      let returned = try patch.listeners()
      #expect(returned.map(\.address) == [back])
      #expect(returned.map(\.link) == [.connected])
      withExtendedLifetime((other, taken)) {}
      leader.halt()
      _ = leader.finish()
    }

    @Test func `connections made by others are reported and can be removed`() throws {
      let (sequencer, address) = try box("midimetro box")
      var leader = try PlaySession.start(
        PlaySettings(score: Score(pattern: .common, tempo: .standard)))
      let session = leader.sequencer
      let patch = try #require(session)
      let atFirst = patch.takePatchChange()
      #expect(atFirst)
      _ = try leader.keepConnections()
      _ = patch.takePatchChange()
      let unchanged = patch.takePatchChange()
      #expect(!unchanged)
      try sequencer.connect(
        PortNumber(address.port), from: PortAddress(client: patch.clientNumber, port: 0))
      SystemClock.sleep(until: SystemClock.now + .milliseconds(20))
      _ = try leader.keepConnections()
      let hasConnected = patch.takePatchChange()
      #expect(hasConnected)
      let listeners = try patch.listeners()
      #expect(listeners.map(\.address) == [address])
      // Connections made by a patchbay are left to it.
      let present = try patch.presentDestinations()
      #expect(present.added.isEmpty)
      try patch.disconnect(try #require(listeners.first), isRolling: false)
      let left = try patch.listeners()
      #expect(left.isEmpty)
      leader.halt()
      _ = leader.finish()
    }

    @Test func `a named destination is disconnected and reconnected on its own port`() throws {
      let (sequencer, address) = try box("midimetro box")
      var settings = PlaySettings(score: Score(pattern: .common, tempo: .standard))
      settings.destinations = [
        .init(address: "midimetro box", route: Route(contents: .clock))
      ]
      var leader = try PlaySession.start(settings)
      let session = leader.sequencer
      let patch = try #require(session)
      let connectablePorts = try patch.connectablePorts()
      var outlet = try #require(connectablePorts.first { $0.address == address })
      #expect(outlet.link == .connected && outlet.hasOwnRoute)
      try patch.disconnect(outlet, isRolling: true)
      let without = try patch.presentDestinations()
      #expect(without.given == [false])
      _ = try heard(sequencer, for: .milliseconds(100))
      #expect(try heard(sequencer, for: .milliseconds(200)).isEmpty)
      outlet.link = .free
      try patch.connect(outlet)
      let again = try patch.presentDestinations()
      #expect(again.given == [true])
      let guests = try patch.listeners()
      #expect(guests.isEmpty)
      // On its own route: the clock without clicks.
      let joined = try heard(sequencer, for: .milliseconds(700))
      #expect(joined.count { $0 == .clock } >= 24)
      #expect(joined.allSatisfy { $0 == .clock })
      // None of our own actions is reported as another program's.
      let notices = try leader.keepConnections()
      #expect(notices.isEmpty)
      leader.halt()
      _ = leader.finish()
    }

    @Test func `a missing or refusing port is an error that names the function`() throws {
      let leader = try PlaySession.start(
        PlaySettings(score: Score(pattern: .common, tempo: .standard)))
      let session = leader.sequencer
      let patch = try #require(session)
      let nobody = PortAddress(client: 191, port: 0)
      do throws(ALSAError) {
        try patch.connect(ConnectablePort(name: "Box:MIDI 1", address: nobody))
        Issue.record("it was connected")
      } catch { #expect(error.operation == "snd_seq_get_any_port_info") }
      let system = PortAddress(client: 0, port: 1)
      let name = try #require(try Sequencer.open(clientName: "x").port(at: system)).fullName
      do throws(ALSAError) {
        try patch.connect(ConnectablePort(name: name, address: system))
        Issue.record("it was connected")
      } catch { #expect(error.operation == "snd_seq_subscribe_port") }
      let present = try patch.presentDestinations()
      #expect(present.added.isEmpty)
      leader.halt()
      _ = leader.finish()
    }

    @Test func `a port that is not exported is connected at the start, but refused while playing`()
      throws
    {
      let box = try Sequencer.open(clientName: "midimetro box")
      let rights: PortInfo.Capabilities = [.writable, .writeSubscribable, .notExported]
      let number = unsafe snd_seq_create_simple_port(
        box.handle, "MIDI 1", rights.rawValue, UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC))
      let address = PortAddress(
        client: box.clientNumber, port: UInt8(truncatingIfNeeded: number))
      var settings = PlaySettings(score: Score(pattern: .common, tempo: .standard))
      let stranger = try PlaySession.start(settings)
      let late = stranger.sequencer
      do throws(ALSAError) {
        try late?.connect(ConnectablePort(name: "midimetro box:MIDI 1", address: address))
        Issue.record("it was connected")
      } catch {
        #expect(error.operation == "snd_seq_subscribe_port")
        #expect(error.code == -EPERM)
      }
      let listeners = try late?.listeners()
      #expect(listeners == [])
      stranger.halt()
      _ = stranger.finish()

      settings.destinations = [.init(address: "midimetro box", route: Route())]
      let leader = try PlaySession.start(settings)
      #expect(try heard(box, for: .milliseconds(600)).contains(.start))
      leader.halt()
      _ = leader.finish()
    }

    @Test func `a panic reaches every channel of a destination, and the clock continues`() throws {
      let (sequencer, _) = try box("midimetro box")
      var settings = PlaySettings(score: Score(pattern: .common, tempo: .standard))
      settings.destinations = [.init(address: "midimetro box", route: Route(contents: .clock))]
      let leader = try PlaySession.start(settings)
      SystemClock.sleep(until: leader.origin + .milliseconds(100))
      leader.panic()
      let messages = try heard(sequencer, for: .milliseconds(700))
      let ends = messages.filter { if case .control = $0 { true } else { false } }
      #expect(Set(ends).count == 32)
      #expect(messages.count { $0 == .clock } >= 24)
      leader.halt()
      _ = leader.finish()
    }

    @Test func `the control client has no port that others could connect to`() throws {
      let leader = try PlaySession.start(
        PlaySettings(score: Score(pattern: .common, tempo: .standard)))
      let watcher = try Sequencer.open(clientName: "midimetro watcher")
      let ours = try watcher.ports().filter { $0.clientName.text == "midimetro control" }
      #expect(!ours.isEmpty)
      #expect(ours.allSatisfy { !$0.suits(.destination) && !$0.suits(.source) })
      // Our own list leaves it out, too.
      let session = leader.sequencer
      let listed = try session?.ports().contains { $0.clientName.text == "midimetro control" }
      #expect(listed == false)
      leader.halt()
      _ = leader.finish()
    }
  }
}
