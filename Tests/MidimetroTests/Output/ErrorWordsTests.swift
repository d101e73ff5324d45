import Testing

@testable import MetronomeCore
@testable import midimetro

struct AddressErrorWordsTests {
  private static func port(
    _ client: UInt8, _ port: UInt8, _ clientName: String, _ name: String,
    _ capabilities: PortInfo.Capabilities = [
      .readable, .readSubscribable, .writable, .writeSubscribable,
    ]
  ) -> PortInfo {
    PortInfo(
      address: PortAddress(client: client, port: port), clientName: SequencerName(clientName),
      name: SequencerName(name), capabilities: capabilities)
  }

  private static let studio = [
    port(24, 0, "TR-8S", "TR-8S MIDI IN", [.readable, .readSubscribable]),
    port(24, 1, "TR-8S", "TR-8S MIDI OUT"), port(24, 2, "TR-8S", "TR-8S CTRL"),
    port(28, 0, "nanoPAD2", "nanoPAD2 MIDI 1"), port(36, 0, "nanoPAD2", "nanoPAD2 MIDI 1"),
    port(132, 0, "Net", "a"), port(132, 1, "Net", "b"),
    port(134, 0, "Keys", "out", [.readable, .readSubscribable]),
    port(150, 2, "midimetro", "in"),
  ]

  private func resolve(_ text: String) throws(AddressError) {
    _ = try AddressResolver(among: Self.studio, wanting: .destination, excluding: 150)
      .resolve(text)
  }

  @Test(arguments: [
    (
      "nanoPAD2",
      "\"nanoPAD2\" is ambiguous: 28:0 \"nanoPAD2:nanoPAD2 MIDI 1\", "
        + "36:0 \"nanoPAD2:nanoPAD2 MIDI 1\"; "
        + "give the number, such as 28:0, or \"nanoPAD2#2\" for the second"
    ),
    (
      "TR-8S:TR",
      "\"TR-8S:TR\" is ambiguous: 24:1 \"TR-8S:TR-8S MIDI OUT\", 24:2 \"TR-8S:TR-8S CTRL\"; "
        + "give the number, such as 24:1"
    ),
    (
      "nanoPAD2#3",
      "\"nanoPAD2#3\" asks for more than there are: 28:0 \"nanoPAD2:nanoPAD2 MIDI 1\", "
        + "36:0 \"nanoPAD2:nanoPAD2 MIDI 1\"; give one of these"
    ),
    (
      "Keys",
      "\"Keys\" cannot be sent to: 134:0 \"Keys:out\"; choose another from midimetro ports"
    ),
    (
      "24:0",
      "\"24:0\" cannot be sent to: 24:0 \"TR-8S:TR-8S MIDI IN\"; "
        + "choose another from midimetro ports"
    ),
    ("150:2", "\"150:2\" is midimetro itself; choose another from midimetro ports"),
    (
      "Net:c",
      "no destination \"Net:c\": the client has 132:0 \"Net:a\", 132:1 \"Net:b\"; "
        + "give one of these"
    ),
    (
      "132:9",
      "no destination \"132:9\": the client has 132:0 \"Net:a\", 132:1 \"Net:b\"; "
        + "give one of these"
    ),
    ("", "an empty port address; give a number or a name from midimetro ports"),
    ("  ", "an empty port address; give a number or a name from midimetro ports"),
  ])
  func `what cannot be resolved is refused in one line that says what to do`(
    text: String, line: String
  ) {
    let error = #expect(throws: AddressError.self) { try resolve(text) }
    #expect(error?.description == line)
  }

  @Test func `with nothing to connect to, the line says so`() {
    let resolver = AddressResolver(among: [], wanting: .source, excluding: nil)
    let error = #expect(throws: AddressError.self) { try resolver.resolve("TR-8S") }
    #expect(
      error?.description
        == "no source \"TR-8S\"; there is none at all, so connect or start the source")
    let one = AddressResolver(
      among: [Self.port(24, 0, "TR-8S", "MIDI")], wanting: .destination, excluding: nil)
    let near = #expect(throws: AddressError.self) { try one.resolve("TR8S") }
    #expect(
      near?.description
        == "no destination \"TR8S\" (did you mean \"TR-8S\"?); choose from 24:0 \"TR-8S:MIDI\"")
  }

  @Test func `two addresses of one port are told apart from one given twice`() {
    let drums = Self.port(24, 1, "TR-8S", "OUT")
    let rest =
      " and would get everything twice; give it once, or say with --send what each address is for"
    #expect(
      "\(AddressError.repeated(text: "TR", first: "24", port: drums))"
        == "\"24\" and \"TR\" are both 24:1 \"TR-8S:OUT\"" + rest)
    #expect(
      "\(AddressError.repeated(text: "24", first: "24", port: drums))"
        == "\"24\" is given twice" + rest)
  }
}

struct ALSAErrorWordsTests {
  static let reports: [(operation: String, errno: Int32, status: Int32, report: String)] = [
    (
      "snd_seq_open", 2, 69,
      "/dev/snd/seq: snd_seq_open: No such file or directory; "
        + "load the kernel module: sudo modprobe snd-seq"
    ),
    (
      "snd_seq_open", 6, 69,
      "/dev/snd/seq: snd_seq_open: No such device or address; "
        + "load the kernel module: sudo modprobe snd-seq"
    ),
    (
      "snd_seq_open", 13, 77,
      "/dev/snd/seq: snd_seq_open: Permission denied; "
        + "join the group audio (sudo usermod -aG audio $USER) and log in again"
    ),
    (
      "snd_seq_open", 1, 77,
      "/dev/snd/seq: snd_seq_open: Operation not permitted; "
        + "join the group audio (sudo usermod -aG audio $USER) and log in again"
    ),
    (
      "snd_seq_open", 12, 69,
      "/dev/snd/seq: snd_seq_open: Cannot allocate memory; "
        + "too many sequencer clients; end some of those in /proc/asound/seq/clients"
    ),
    (
      "snd_seq_alloc_named_queue", 12, 69,
      "/dev/snd/seq: snd_seq_alloc_named_queue: Cannot allocate memory; "
        + "all sequencer queues are taken; end some of the programs in /proc/asound/seq/queues"
    ),
    (
      "snd_seq_subscribe_port", 16, 69,
      "/dev/snd/seq: snd_seq_subscribe_port: Device or resource busy; "
        + "another program uses this port exclusively; "
        + "disconnect it first (aconnect -l, aconnect -d)"
    ),
    (
      "snd_seq_delete_port", 22, 69,
      "/dev/snd/seq: snd_seq_delete_port: Invalid argument"
    ),
  ]

  @Test(arguments: reports)
  func `the report is one line with device, function, error text and remedy`(
    operation: String, errno: Int32, status: Int32, report: String
  ) {
    let error = ALSAError(operation: operation, code: -errno)
    #expect(midimetro.ExitStatus(error).rawValue == status)
    #expect(error.report == report)
    #expect(!error.report.contains("\n"))
  }
}

struct SoundErrorWordsTests {
  @Test func `without any font the message says where it looked and what to install`() {
    let text = "\(SoundError.noFont(tried: SoundFontSearch.standardPlaces))"
    #expect(text.contains("/usr/share/sounds/sf2/default-GM.sf2"))
    #expect(text.hasSuffix("or name one with --soundfont"))
  }

  private static let statuses: [(SoundError, Int32)] = [
    (.library("x"), 69), (.noFont(tried: []), 66), (.unusableFont("x"), 66),
    (.noDrums("x"), 66), (.silentKey("x", key: 1), 66), (.noDriver(nil, said: nil), 69),
    (.unknownDriver("x", built: []), 69), (.noAnswer(nil), 69), (.failed("x"), 69),
  ]

  @Test(arguments: statuses)
  func `an error is one line and has a status`(error: SoundError, status: Int32) {
    #expect(midimetro.ExitStatus(error).rawValue == status)
    #expect(!"\(error)".contains("\n") && !"\(error)".hasPrefix("SoundError"))
  }

  private static let fileStatuses: [(SoundFileError, Int32)] = [
    (.library("x"), 69), (.format, 69), (.failed("f", "x"), 74),
    (.system(SystemError(operation: "write", code: 5)), 74),
  ]

  @Test(arguments: fileStatuses)
  func `so has one of a sound file`(error: SoundFileError, status: Int32) {
    #expect(midimetro.ExitStatus(error).rawValue == status)
    #expect(!"\(error)".contains("\n") && !"\(error)".hasPrefix("SoundFileError"))
  }
}

struct SoundOpenedWordsTests {
  @Test func `the reason names the drivers that were tried before`() {
    #expect(SoundOpened.Reason.firstWorking(after: []).words == "the first there is")
    let failed = [
      SoundOpened.Failed(driver: "pipewire", isSilent: false),
      SoundOpened.Failed(driver: "jack", isSilent: true),
    ]
    #expect(
      SoundOpened.Reason.firstWorking(after: failed).words
        == "the first that works (no pipewire, jack does not answer)")
  }
}
