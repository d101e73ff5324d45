internal import MIDIClock
internal import MetronomeCore

/// How taps are recognised and what they do.
struct Tapping: Sendable {
  /// Where the pads are that tap and control.
  var sources: [String] = []
  /// Where pads are that only control.
  var controlSources: [String] = []
  var filter = TapFilter()
  var controls = PadControls()
  var steering = TapSteering.Settings()

  /// Whether anything is listened to.
  var isWanted: Bool { !sources.isEmpty || !controlSources.isEmpty }

  /// Takes in one of the options about taps; false when it is another.
  mutating func take(_ option: GivenOption) throws(UsageError) -> Bool {
    let (value, place) = (option.value, option.place)
    switch option.name {
    case .tapFrom: sources.append(try Values.name(value, place, "source"))
    case .controlFrom: controlSources.append(try Values.name(value, place, "source"))
    case .tapNote: filter.choose(key: UInt8(try Values.whole(value, place, 0...127)))
    case .tapChannel: filter.choose(channel: UInt8(try Values.whole(value, place, 1...16) - 1))
    case .tapCC: filter.choose(controller: UInt8(try Values.whole(value, place, 0...127)))
    case .tapVelocity: filter.softest = UInt8(try Values.whole(value, place, 1...127))
    case .tapMin: steering.least = Int(try Values.whole(value, place, 2...32))
    case .tapPhase: steering.setsPhase = true
    case .tapRound:
      steering.step = try Values.decimal(value, place, 1...20_000, "quarters per minute")
    case .tapUnit:
      guard let unit = NoteValue(text: value) else {
        throw UsageError("\(place): '\(value)' is not a note value, such as 1/4, 1/8 or 3/8")
      }
      steering.unit = unit
    case .startOnTap: steering.startTaps = Int(try Values.whole(value, place, 2...32))
    case .control:
      guard let binding = PadControls.Binding(text: value) else {
        let actions = PadControls.Action.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError(
          "\(place): '\(value)' binds no pad: write note:37=toggle, note:37@10=stop (channel 10) or"
            + " cc:64=restart; the actions are \(actions)")
      }
      controls.bindings.append(binding)
    default: return false
    }
    return true
  }

  /// Refuses what cannot work together in `play`.
  ///
  /// - Parameters:
  ///   - given: All options given, the config file's included.
  ///   - isDryRun: Whether nothing is opened.
  ///   - countIn: The bars of count-in asked for.
  /// - Throws: `UsageError` for the first thing that is wrong.
  func check(_ given: [GivenOption], isDryRun: Bool, countIn: Int64) throws(UsageError) {
    let listening: Set<OptionName> = [.tapFrom, .controlFrom]
    if isDryRun, let option = given.last(where: { listening.contains($0.name) }) {
      throw UsageError(
        "--dry-run opens nothing, so \(option.place) cannot be listened to; leave one out")
    }
    let tapping: Set<OptionName> = [
      .tapNote, .tapChannel, .tapCC, .tapVelocity, .tapMin, .tapPhase, .tapRound, .tapUnit,
      .startOnTap,
    ]
    let canTap = !sources.isEmpty || controls.bindings.contains { $0.action == .tap }
    if !canTap || !isWanted, let option = given.last(where: { tapping.contains($0.name) }) {
      throw UsageError("\(option.place) needs --tap-from ADDR: where the pad or pedal is")
    }
    if !isWanted, let option = given.last(where: { $0.name == .control }) {
      throw UsageError(
        "\(option.place) needs --tap-from ADDR or --control-from ADDR: where the pad or pedal is")
    }
    if !controlSources.isEmpty, controls.bindings.isEmpty {
      throw UsageError("--control-from needs --control, such as --control note:37=toggle")
    }
    if steering.startTaps != nil, countIn > 0 {
      throw UsageError("--start-on-tap and --count-in contradict each other; give one of them")
    }
  }
}
