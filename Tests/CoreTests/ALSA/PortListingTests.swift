import MetronomeCore
import Testing

struct PortListingTests {
  @Test func `the list has alsa-utils' columns and the use of each port`() {
    let ports = [
      AddressResolutionTests.port(
        128, 10, "A client with a name of more than 32 characters", "in",
        AddressResolutionTests.to),
      AddressResolutionTests.port(14, 0, "Midi Through", "Midi Through Port-0"),
      AddressResolutionTests.port(0, 1, "System", "Announce", AddressResolutionTests.from),
      AddressResolutionTests.port(24, 0, "Keys", "out", AddressResolutionTests.from),
      AddressResolutionTests.port(130, 0, "Hidden", "out", [.readable]),
      AddressResolutionTests.port(131, 0, "midimetro", "in", AddressResolutionTests.to),
    ]
    #expect(
      PortListing.text(of: ports, excluding: 131) == """
         Port    Client name                      Port name                        Use
         14:0    Midi Through                     Midi Through Port-0              to, from
         24:0    Keys                             out                              from
        128:10   A client with a name of more tha in                               to

        """)
  }

  @Test func `columns count characters and never cut one in two`() {
    let ports = [
      AddressResolutionTests.port(
        20, 0, "Prøve 日本 " + String(repeating: "é", count: 40), "日本\u{1B}[31m\n1"),
      PortInfo(
        address: PortAddress(client: 21, port: 0),
        clientName: SequencerName(bytes: [0xC8, 0xF5, 0x69]), name: SequencerName(""),
        capabilities: AddressResolutionTests.both),
    ]
    let eAcute = String(repeating: "é", count: 23)
    #expect(
      PortListing.text(of: ports).split(separator: "\n").dropFirst().map(String.init) == [
        " 20:0    Prøve 日本 \(eAcute) 日本\u{FFFD}[31m\u{FFFD}1"
          + String(repeating: " ", count: 24) + "to, from",
        " 21:0    \u{FFFD}\u{FFFD}i" + String(repeating: " ", count: 63) + "to, from",
      ])
  }

  @Test func `a machine without ports gets only the heading`() {
    #expect(
      PortListing.text(of: [])
        == " Port    Client name                      Port name                        Use\n")
  }
}
