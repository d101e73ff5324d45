import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

struct PortListTests {
  private static let free = ConnectablePort(
    name: "Midi Through:Port-0", address: .init(client: 14, port: 0))
  private static let box = ConnectablePort(
    name: "TR-8S:MIDI 1", address: .init(client: 24, port: 0), link: .connected, hasOwnRoute: true)
  private static let gone = ConnectablePort(
    name: "Volca:MIDI 1", address: .init(client: 28, port: 0), link: .gone)

  private func model(_ lines: Int = 1, job: Job = .play) -> ScreenModel {
    var state = ScreenState()
    state.job = job
    state.lines = (0..<lines).map { .init(name: "TR-8S:MIDI \($0 + 1)", route: $0, Route()) }
    state.addGeneral(.init(name: "", route: lines, Route()), client: 130)
    return ScreenModel(state)
  }

  private func press(
    _ keys: [Key], _ model: inout ScreenModel, width: Int = 80, height: Int = 24
  ) -> [ScreenModel.Request] {
    keys.flatMap { key in
      model.press(
        key,
        on: ScreenLayout(model.state, width: width, height: height, symbols: .ascii), at: .zero)
    }
  }

  private func text(_ model: ScreenModel, _ width: Int = 80, _ height: Int = 24) -> String {
    ScreenLayout(model.state, width: width, height: height, symbols: .ascii).canvas.lines
      .joined(separator: "\n")
  }

  @Test func `p lists the ports, enter connects and disconnects, p closes`() {
    var model = model()
    #expect(press([.character("p")], &model) == [.listPorts])
    model.list([Self.free, Self.box, Self.gone])
    #expect(press([.enter], &model) == [.connect(Self.free)])
    #expect(press([.down, .character(" ")], &model) == [.disconnect(Self.box)])
    #expect(press([.down, .down, .down, .enter], &model) == [.disconnect(Self.gone)])
    #expect(press([.up, .up, .up, .up, .enter], &model) == [.connect(Self.free)])
    #expect(press([.wheelDown, .enter], &model) == [.disconnect(Self.box)])
    #expect(press([.character("p")], &model).isEmpty)
    #expect(model.state.portList == nil)
    for key in [Key.escape, .character("q")] {
      _ = press([.character("p")], &model)
      #expect(press([key], &model).isEmpty)
      #expect(model.state.portList == nil)
    }
  }

  @Test func `in the list the transport keys work, but nothing out of sight is changed`() {
    var model = model()
    _ = press([.character("p")], &model)
    #expect(press([.character("r")], &model) == [.action(.start)])
    #expect(press([.character("x")], &model) == [.action(.panic)])
    #expect(
      press([.character("9"), .character("+"), .character("w"), .tab, .left], &model).isEmpty)
    #expect(model.state.entry == nil && model.state.tempo == .standard)
    // Nothing to connect yet.
    #expect(press([.enter], &model).isEmpty)
  }

  @Test func `the selected port stays selected while others come and go`() {
    var list = PortList()
    list.replace([Self.free, Self.box, Self.gone])
    list.choose(1)
    list.replace([Self.box, Self.gone])
    #expect(list.present == Self.box)
    list.replace([Self.free, Self.gone])
    #expect(list.present == Self.free)
    list.replace([])
    #expect(list.present == nil)
    list.move(by: 1)
    #expect(list.present == nil)
    var other = Self.box
    other.link = .gone
    list.replace([Self.free, Self.box])
    list.choose(1)
    list.replace([Self.free, other])
    #expect(list.present?.link == .gone)
  }

  @Test func `the list shows connected and missing ports`() {
    var model = model()
    _ = press([.character("p")], &model)
    model.list([Self.free, Self.box, Self.gone])
    #expect(
      text(model, 60, 9)
        == """
         [] stopped
         where to send what is played
         [ ] 14:0 Midi Through:Port-0
         [x] 24:0 TR-8S:MIDI 1                            connected
         [?] 28:0 Volca:MIDI 1                                 gone



         up down choose  enter connects  esc closes
        """)
    model.say("TR-8S:MIDI 1 connected", at: .zero)
    #expect(text(model, 60, 9).contains("TR-8S:MIDI 1 connected\n"))
    model.list([])
    #expect(text(model, 60, 9).contains("no port to send to"))
  }

  @Test(arguments: [(40, 12), (60, 15), (80, 24), (100, 30), (24, 8), (20, 4), (40, 2), (40, 1)])
  func `the selected port is visible on every screen, and clicking it selects it`(
    width: Int, height: Int
  ) throws {
    let connectablePorts = (0..<40).map {
      ConnectablePort(name: "Box \($0):MIDI 1", address: .init(client: UInt8(20 + $0), port: 0))
    }
    var model = model()
    _ = press([.character("p")], &model)
    model.list(connectablePorts)
    for index in connectablePorts.indices {
      let layout = ScreenLayout(model.state, width: width, height: height, symbols: .ascii)
      let row = try #require(
        layout.canvas.lines.firstIndex { $0.contains(" \(20 + index):0 ") }, "\(index)")
      #expect(
        model.press(.press(x: 3, y: row), on: layout, at: .zero) == [
          .connect(connectablePorts[index])
        ])
      _ = press([.down], &model, width: width, height: height)
    }
  }

  @Test func `connections by others are named in the line of our public ports`() {
    var model = model(0)
    #expect(text(model).contains("nobody yet; p connects, or aconnect to 130:0"))
    model.update { $0.tell(listeners: [Self.box]) }
    #expect(text(model).contains("-> TR-8S:MIDI 1  "))
    model.update { $0.tell(listeners: [Self.free, Self.box, Self.gone]) }
    #expect(text(model).contains("-> 3: Midi Through:Port-0, TR-8S:MIDI 1, Volca:MIDI 1 (gone)"))
    model.update { $0.tell(listeners: [Self.gone]) }
    #expect(model.state.lines[0].trouble == "gone")
    model.update { $0.tell(listeners: []) }
    #expect(text(model).contains("nobody yet"))
    #expect(model.state.lines[0].trouble == nil)
  }

  @Test func `beside destinations there is a line for our public ports`() {
    var model = model(2)
    #expect(!text(model).contains("nobody yet"))
    _ = press([.tab, .tab], &model)
    #expect(model.state.chosenLine == 0)
    model.update { $0.tell(listeners: [Self.gone]) }
    #expect(press([.tab, .tab, .character("u")], &model) == [.action(.mute(2))])
    model.update { $0.tell(listeners: []) }
    #expect(model.state.chosenLine == 0)
  }

  @Test func `a late connection shows how the device will start`() {
    var model = model(0)
    model.tell(connected: Self.free, at: .zero)
    #expect(model.state.notice == "connected; space starts it: Midi Through:Port-0")
    model.update { $0.motion = .rolling }
    model.tell(connected: Self.free, at: .zero)
    #expect(
      model.state.notice == "connected; r starts it with the others: Midi Through:Port-0")
    model.update { $0.lines[0].startsAndStops = false }
    model.tell(connected: Self.free, at: .zero)
    #expect(model.state.notice == "connected: Midi Through:Port-0")
    model.tell(disconnected: Self.box, at: .zero)
    #expect(model.state.notice == "disconnected: TR-8S:MIDI 1")
    model.tell(disconnected: Self.gone, at: .zero)
    #expect(model.state.notice == "no longer waited for: Volca:MIDI 1")
  }

  @Test func `a destination's line shows that it was disconnected and connected`() {
    var model = model(1)
    model.tell(disconnected: Self.box, at: .zero)
    #expect(model.state.lines[0].trouble == "disconnected")
    model.tell(connected: Self.box, at: .zero)
    #expect(model.state.lines[0].trouble == nil)
  }

  @Test func `follow also has the list; tap and monitor do not`() {
    var following = model(0, job: .follow)
    #expect(text(following).contains("p connect"))
    #expect(press([.character("p")], &following) == [.listPorts])
    var tapping = ScreenModel(ScreenState(.tap))
    #expect(press([.character("p")], &tapping).isEmpty)
    #expect(tapping.state.portList == nil)
  }

  @Test(
    arguments: [
      (40, 12, "space play  p connect  ? help  q quit"),
      (60, 15, "space play  p connect  s stop  t tap  ? help  q quit"),
      (
        80, 24,
        "space play  p connect  s stop  t tap  a accent  w save  m meter  ? help  q quit"
      ),
      (
        100, 30,
        "space play  p connect  s stop  t tap  a accent  w save  m meter  tab choose  ? help  q quit"
      ),
    ] as [(Int, Int, String)])
  func `the footer shows the keys needed first`(
    width: Int, height: Int, keys: String
  ) {
    let lines = ScreenLayout(
      model().state, width: width, height: height, symbols: .ascii
    ).canvas.lines
    #expect(lines.last == " " + keys)
  }

  @Test func `a key in the footer can be clicked`() throws {
    var model = model()
    let layout = ScreenLayout(model.state, width: 80, height: 24, symbols: .ascii)
    let foot = try #require(layout.canvas.lines.last)
    let place = try #require(foot.firstRange(of: "p connect")).lowerBound
    let x = foot.distance(from: foot.startIndex, to: place)
    #expect(model.press(.press(x: x, y: 23), on: layout, at: .zero) == [.listPorts])
  }
}
