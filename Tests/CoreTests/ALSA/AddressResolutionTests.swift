import MetronomeCore
import Testing

struct AddressResolutionTests {
  static let both: PortInfo.Capabilities = [
    .readable, .readSubscribable, .writable, .writeSubscribable,
  ]
  static let to: PortInfo.Capabilities = [.writable, .writeSubscribable]
  static let from: PortInfo.Capabilities = [.readable, .readSubscribable]

  static func port(
    _ client: UInt8, _ port: UInt8, _ clientName: String, _ name: String,
    _ capabilities: PortInfo.Capabilities = both
  ) -> PortInfo {
    PortInfo(
      address: PortAddress(client: client, port: port), clientName: SequencerName(clientName),
      name: SequencerName(name), capabilities: capabilities)
  }

  /// A studio with every naming problem known from bug reports.
  static let studio: [PortInfo] = [
    port(0, 0, "System", "Timer", [.readable, .writable, .readSubscribable]),
    port(0, 1, "System", "Announce", from),
    port(12, 0, "Other", "Other MIDI 1"),
    port(14, 0, "Midi Through", "Midi Through Port-0"),
    port(20, 0, "12Step", "12Step MIDI 1"),
    port(24, 0, "TR-8S", "TR-8S MIDI IN", from),
    port(24, 1, "TR-8S", "TR-8S MIDI OUT", to),
    port(24, 2, "TR-8S", "TR-8S CTRL", both),
    port(28, 0, "nanoPAD2", "nanoPAD2 MIDI 1"),
    port(32, 0, "Volca   ", "Volca MIDI 1  "),
    port(36, 0, "nanoPAD2", "nanoPAD2 MIDI 1"),
    port(40, 0, "808", "Drums"),
    port(44, 0, "Take#2", "Take"),
    port(130, 0, "Net Virtual", "Box: HUB-1 [1]"),
    port(131, 0, "Prøve 日本", "Prøve 日本 1"),
    port(132, 0, "Net", "a"),
    port(132, 1, "Net", "b"),
    port(133, 0, "Recorder", "capture", to),
    port(134, 0, "Keys", "out", from),
    port(135, 0, "Bridge: A", "left"),
    port(135, 1, "Bridge: A", "7"),
    port(150, 0, "midimetro", "clock", from),
    port(150, 2, "midimetro", "in", to),
  ]

  func resolve(_ text: String, _ use: PortUse = .destination) throws(AddressError) -> String {
    try AddressResolver(among: Self.studio, wanting: use, excluding: 150).resolve(text)
      .address.description
  }

  @Test(arguments: [
    // Numbers.
    ("20:0", "20:0"), ("20", "20:0"), ("24", "24:1"), ("24:2", "24:2"), ("20:0  ", "20:0"),
    ("28:nanoPAD2 MIDI 1", "28:0"), ("14:midi", "14:0"),
    // A name may begin with digits.
    ("12Step:0", "20:0"), ("12Step", "20:0"), ("12step:12Step MIDI 1", "20:0"),
    // A client stands for its first suitable port.
    ("TR-8S", "24:1"), ("Midi Through", "14:0"),
    // Client and port.
    ("TR-8S:1", "24:1"), ("TR-8S:TR-8S CTRL", "24:2"), ("TR-8S:TR-8S C", "24:2"),
    ("TR-8S:tr-8s ctrl", "24:2"),
    // Exact before prefix: Net, not Net Virtual.
    ("Net", "132:0"), ("Net:b", "132:1"), ("Net Virtual", "130:0"),
    // Unique prefix.
    ("Net V", "130:0"), ("TR", "24:1"), ("TR-8:2", "24:2"), ("Reco", "133:0"),
    // Case is ignored last.
    ("tr-8s", "24:1"), ("tr-8s:2", "24:2"), ("net virt", "130:0"), ("PRØVE 日本", "131:0"),
    // Colons and brackets in names.
    ("Net Virtual:Box: HUB-1 [1]", "130:0"), ("Box: HUB-1 [1]", "130:0"), ("Box: HUB", "130:0"),
    ("Net Virtual:0", "130:0"), ("Bridge: A", "135:0"), ("Bridge: A:left", "135:0"),
    ("Bridge: A:1", "135:1"),
    // A port may be named by digits if no port has that number.
    ("Bridge: A:7", "135:1"),
    // Port names alone.
    ("Midi Through Port-0", "14:0"), ("Drums", "40:0"), ("drums", "40:0"),
    // Trailing blanks, in the text and in the name.
    ("Volca", "32:0"), ("Volca :Volca MIDI 1 ", "32:0"), ("Volca  ", "32:0"),
    // UTF-8.
    ("Prøve 日本 1", "131:0"), ("Prøve 日本:Prøve 日本 1", "131:0"), ("Prø", "131:0"),
    // The second of two equal names, and a name that really ends that way.
    ("nanoPAD2#1", "28:0"), ("nanoPAD2#2", "36:0"), ("nanopad2#2", "36:0"),
    ("nanoPAD2#2:0", "36:0"), ("nanoPAD2 MIDI 1#2", "36:0"), ("Take#2", "44:0"),
    ("TR-8S#1", "24:1"),
  ])
  func `a text resolves to one destination`(text: String, address: String) throws {
    #expect(try resolve(text) == address)
  }

  @Test(arguments: [
    ("24", "24:0"), ("TR-8S", "24:0"), ("TR-8S:TR-8S CTRL", "24:2"), ("Keys", "134:0"),
    ("System:1", "0:1"), ("0:1", "0:1"),
  ])
  func `the same text resolves to a different port as a source`(text: String, address: String)
    throws
  {
    #expect(try resolve(text, .source) == address)
  }

  @Test func `a client whose name is all digits cannot be addressed by name`() throws {
    let ports = [Self.port(40, 0, "128", "Drums"), Self.port(128, 0, "Synth", "in")]
    let resolver = AddressResolver(among: ports, wanting: .destination, excluding: nil)
    #expect(try resolver.resolve("128").address.description == "128:0")
    #expect(try resolver.resolve("128:0").address.description == "128:0")
    #expect(try resolver.resolve("40").address.description == "40:0")
    #expect(try resolver.resolve("Drums").address.description == "40:0")
    let alone = AddressResolver(among: [ports[0]], wanting: .destination, excluding: nil)
    #expect(throws: AddressError.self) { try alone.resolve("128") }
  }

  @Test func `a name that is not UTF-8 can be resolved by number and by its bytes`() throws {
    let broken = PortInfo(
      address: PortAddress(client: 129, port: 0),
      clientName: SequencerName(bytes: [0xC8, 0xF5, 0x69]),
      name: SequencerName(bytes: [0xC8, 0xF5, 0x69]), capabilities: Self.both)
    let resolver = AddressResolver(
      among: [broken, Self.port(130, 0, "Prøve", "in")], wanting: .destination, excluding: nil)
    #expect(try resolver.resolve("129:0") == broken)
    #expect(try resolver.resolve(bytes: [0xC8, 0xF5, 0x69]) == broken)
    #expect(try resolver.resolve(bytes: Array("Prøve".utf8)).address.client == 130)
    #expect(broken.clientName.text == "\u{FFFD}\u{FFFD}i")
    #expect(broken.description == "129:0 \"\u{FFFD}\u{FFFD}i:\u{FFFD}\u{FFFD}i\"")
  }

  /// The ports of the studio at `addresses`.
  private static func ports(_ addresses: String...) -> [PortInfo] {
    studio.filter { addresses.contains($0.address.description) }
  }

  @Test(
    arguments: [
      ("nanoPAD2", .ambiguous(text: "nanoPAD2", candidates: ports("28:0", "36:0"))),
      ("TR-8S:TR", .ambiguous(text: "TR-8S:TR", candidates: ports("24:1", "24:2"))),
      ("nanoPAD2#3", .noSuchOrdinal(text: "nanoPAD2#3", candidates: ports("28:0", "36:0"))),
      ("Keys", .unsuitable(text: "Keys", use: .destination, candidates: ports("134:0"))),
      ("24:0", .unsuitable(text: "24:0", use: .destination, candidates: ports("24:0"))),
      ("150:2", .ourselves(text: "150:2")),
      ("Net:c", .noSuchPort(text: "Net:c", use: .destination, available: ports("132:0", "132:1"))),
      ("132:9", .noSuchPort(text: "132:9", use: .destination, available: ports("132:0", "132:1"))),
      ("", .empty), ("  ", .empty),
    ] as [(String, AddressError)])
  func `what cannot be resolved is refused, with what there is`(
    text: String, refusal: AddressError
  ) {
    #expect(throws: refusal) { try resolve(text) }
  }

  @Test(arguments: [
    ("TR-8R", ["TR-8S"]), ("Vulca", ["Volca"]), ("PAD2", ["nanoPAD2", "nanoPAD2 MIDI 1"]),
    ("recoder", ["Recorder"]), ("Zebra", []), ("999:0", []), ("15:0", []), ("12step:9", nil),
  ])
  func `similar names are suggested`(text: String, near: [String]?) {
    let error = #expect(throws: AddressError.self) { try resolve(text) }
    if case .notFound(_, .destination, let offered, let available) = error {
      #expect(offered == near)
      #expect(available.contains(Self.studio[2]))
      #expect(!available.contains { $0.address.client == 0 || $0.address.client == 150 })
    } else {
      #expect(near == nil)
    }
  }

  @Test func `every listed name can be pasted back and finds its port`() throws {
    for use in [PortUse.destination, .source] {
      let resolver = AddressResolver(among: Self.studio, wanting: use, excluding: 150)
      for port in Self.studio where port.suits(use) && port.address.client != 150 {
        #expect(try resolver.resolve(port.address.description) == port)
        // The two nanoPADs are equal, and 808 is a number.
        if ["nanoPAD2", "808"].contains(port.clientName.text) { continue }
        #expect(try resolver.resolve("\(port.clientName.text):\(port.name.text)") == port)
      }
    }
  }

  @Test(arguments: [
    ("128:0", 128, 0), ("0:1", 0, 1), ("255:255", 255, 255),
  ])
  func `an address is printed and parsed back`(text: String, client: UInt8, port: UInt8) {
    let address = PortAddress(client: client, port: port)
    #expect(PortAddress(text) == address)
    #expect(address.description == text)
  }

  @Test(arguments: ["", ":", "128", "128:", ":0", "256:0", "0:256", "-1:0", "a:0", "1:2:3", " 1:0"])
  func `anything but two numbers is not an address`(text: String) {
    #expect(PortAddress(text) == nil)
  }
}
