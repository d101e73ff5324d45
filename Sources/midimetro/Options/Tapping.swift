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

  /// The sources as the session opens them.
  var inputs: [InputSource] {
    sources.map { InputSource(address: $0, canTap: true) }
      + controlSources.map { InputSource(address: $0, canTap: false) }
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
    let others: Set<OptionName> = [.tapFrom, .controlFrom, .control, .learn]
    let tapping = Set(OptionSpec.taps.map(\.name)).subtracting(others)
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
