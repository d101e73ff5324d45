import Testing

@testable import MIDIClock

/// Which messages are taps, and the other functions of pads.
struct TapInputTests {
  private func meanings(_ input: TapInput, _ messages: String..., port: Int32 = 1)
    -> [TapInput.Meaning?]
  {
    var input = input
    return messages.map { text in
      let bytes = text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
      guard let message = MIDIMessage(bytes: bytes) else { return nil }
      return input.judge(message, from: port)
    }
  }

  @Test func `F91 a pad that never sends note-off taps each time; a note-off alone never does`() {
    #expect(meanings(TapInput(), "99 24 60", "99 24 60", "99 24 60") == [.tap, .tap, .tap])
    #expect(meanings(TapInput(), "89 24 00", "99 24 00") == [.release, .release])
  }

  @Test func `F91 three note-ons half a second apart are 120`() {
    var input = TapInput()
    var estimator = TapEstimator()
    for tap in 0..<3 {
      let message = MIDIMessage.noteOn(channel: 9, key: 36, velocity: 0x60)
      if input.judge(message, from: 1) == .tap {
        _ = estimator.receive(instant(Double(tap) * 0.5))
      }
    }
    #expect(estimator.bpm == 120)
  }

  @Test func `a pedal taps when it goes down past 64, and again when it has come up`() {
    #expect(
      meanings(
        TapInput(), "B0 40 3F", "B0 40 40", "B0 40 50", "B0 40 7F", "B0 40 41", "B0 40 3F",
        "B0 40 40", "B0 40 00")
        == [.release, .tap, nil, nil, nil, .release, .tap, .release])
  }

  @Test func `a switch that only ever sends 127 taps each time`() {
    #expect(meanings(TapInput(), "B0 42 7F", "B0 42 7F", "B0 43 7F") == [.tap, .tap, .tap])
  }

  @Test func `among controllers only the three pedals tap; real-time messages are ignored`() {
    #expect(meanings(TapInput(), "B0 01 7F", "B0 01 20", "F8", "FA") == [.filtered, nil, nil, nil])
  }

  @Test func `pads on two ports are independent`() {
    var input = TapInput()
    let down = MIDIMessage.control(channel: 0, controller: 64, value: 100)
    #expect(input.judge(down, from: 1) == .tap)
    #expect(input.judge(.control(channel: 0, controller: 64, value: 90), from: 2) == .tap)
  }

  @Test func `only the chosen controls tap`() {
    var filter = TapFilter()
    filter.choose(key: 36)
    filter.choose(key: 100)
    filter.choose(channel: 9)
    filter.softest = 20
    #expect(
      meanings(
        TapInput(filter: filter), "99 24 14", "99 64 7F", "99 24 13", "99 25 7F", "90 24 7F",
        "B9 40 7F", "89 25 00", "89 24 00")
        == [.tap, .tap, .filtered, .filtered, .filtered, .filtered, nil, .release])
    var pedal = TapFilter()
    pedal.choose(controller: 80)
    #expect(
      meanings(TapInput(filter: pedal), "B3 50 7F", "B3 40 7F", "99 24 7F")
        == [.tap, .filtered, .filtered])
  }

  @Test func `F26 our own clicks fed back are not taps`() {
    var filter = TapFilter()
    filter.ignore(clicksOf: .standard)
    func click(_ key: UInt8) -> TapInput.Meaning {
      let strength: UInt8 = key == 34 ? 0x7F : 0x50
      return .ownClick(PadHit(kind: .note(key), channel: 9, isPress: true, strength: strength))
    }
    #expect(
      meanings(TapInput(filter: filter), "99 22 7F", "99 21 50", "99 24 7F", "90 22 7F")
        == [click(34), click(33), .tap, .tap])
  }

  @Test func `a bound pad performs its function and does not tap`() {
    let controls = PadControls([
      .init(kind: .note(37), channel: nil, action: .toggle),
      .init(kind: .note(38), channel: 9, action: .stop),
      .init(kind: .controller(64), channel: nil, action: .tap),
    ])
    #expect(
      meanings(
        TapInput(controls: controls), "99 25 7F", "89 25 00", "99 26 7F", "90 26 7F", "B0 40 7F",
        "B0 40 00")
        == [.control(.toggle), nil, .control(.stop), .tap, .tap, .release])
  }

  @Test func `a port chosen only for its controls does not tap`() {
    var input = TapInput(
      controls: PadControls([.init(kind: .note(37), channel: nil, action: .stop)]))
    #expect(input.judge(.noteOn(channel: 0, key: 40, velocity: 1), from: 1, canTap: false) == nil)
    #expect(
      input.judge(.noteOn(channel: 0, key: 37, velocity: 1), from: 1, canTap: false)
        == .control(.stop))
  }

  @Test(arguments: [
    ("note:37=toggle", PadControls.Binding(kind: .note(37), channel: nil, action: .toggle)),
    ("note:0@1=stop", .init(kind: .note(0), channel: 0, action: .stop)),
    ("cc:127@16=restart", .init(kind: .controller(127), channel: 15, action: .restart)),
    ("cc:64=tap", .init(kind: .controller(64), channel: nil, action: .tap)),
  ])
  func `valid bindings are parsed`(text: String, binding: PadControls.Binding) {
    #expect(PadControls.Binding(text: text) == binding)
  }

  @Test(arguments: [
    "", "note:37", "note:128=stop", "cc:64=", "note=stop", "pad:3=stop", "note:3@0=stop",
    "note:3@17=stop", "note:3=jump", "note:3@1@2=stop", "note:3=stop=stop", "cc:-1=stop",
  ])
  func `invalid bindings are rejected`(text: String) {
    #expect(PadControls.Binding(text: text) == nil)
  }
}
