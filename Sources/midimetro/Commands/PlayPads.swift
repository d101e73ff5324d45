internal import MIDIClock
internal import MetronomeCore

/// The pads and pedals of `play`: they tap, start and stop.
///
/// Their messages arrive with the session's own input, so there is nothing else to poll.
struct PlayPads: ControlSource {
  private var input: TapInput
  private var steering: TapSteering
  /// What came before is of an earlier run, or of before a pause.
  private var since: HostTime
  private var hasToldOwnClick = false
  private var asked: [TimedAction] = []

  let descriptors: [Int32] = []
  let deadline: HostTime? = nil

  /// Pads that do what `options` say.
  init(_ options: PlayOptions) {
    input = TapInput(filter: options.tapping.filter, controls: options.tapping.controls)
    steering = TapSteering(options.tapping.steering)
    since = SystemClock.now
  }

  /// Takes in a message of a source; returns the event to report, except for a tap.
  mutating func receive(_ hearing: PlaySession.Hearing) -> SessionEvent? {
    guard since <= hearing.time else { return nil }
    let meaning = input.judge(
      hearing.message, from: Int32(hearing.source.client) << 8 | Int32(hearing.source.port),
      canTap: hearing.canTap)
    switch meaning {
    case .tap?:
      asked.append(TimedAction(.tap, at: hearing.time))
      return nil
    case .release?: return .ignoredHit("release")
    case .ownClick(let hit)? where !hasToldOwnClick:
      hasToldOwnClick = true
      return .ownClick(hit)
    case .filtered?, .ownClick?: return .ignoredHit("filtered")
    case .control(let control)?:
      if let action = control.asAction { asked.append(TimedAction(action, at: hearing.time)) }
      return .control(control)
    case nil: return nil
    }
  }

  mutating func actions(at now: HostTime) -> [TimedAction] {
    defer { asked = [] }
    return asked
  }

  /// Processes a tap at `stamp` from any source; returns the change it makes and the event to
  /// report.
  mutating func tap(
    at stamp: HostTime, isPlaying: Bool
  ) -> (change: PlanChange?, event: SessionEvent) {
    let (verdict, change) = steering.receive(stamp, isPlaying: isPlaying)
    return (change, .tap(verdict, steering.estimator))
  }

  /// How many taps the present series has.
  var tapCount: Int { steering.estimator.count }

  /// How many taps in a row have an effect, and which.
  func tapsWanted(isPlaying: Bool) -> (count: Int, purpose: String) {
    if !isPlaying, let taps = steering.settings.startTaps { return (taps, "a start") }
    return (steering.settings.least, "a tempo")
  }

  /// Forgets the taps: those of the next song are not those of the last.
  mutating func forgetTaps() { steering.reset() }

  /// Forgets the taps before `instant`, those that have not been read yet as well.
  mutating func forget(before instant: HostTime) {
    since = instant
    forgetTaps()
  }
}

extension PadControls.Action {
  /// The corresponding action; `nil` for a tap, which `TapInput` reports itself.
  fileprivate var asAction: Action? {
    switch self {
    case .toggle: .toggle
    case .stop: .stop
    case .continue: .continue
    case .restart: .start
    case .tap: nil
    }
  }
}
