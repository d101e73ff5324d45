internal import MIDIClock
internal import MetronomeCore

/// Signals as a source of actions; those about the process or its terminal are kept for the loop.
struct SignalControls: ControlSource, ~Copyable {
  private let inbox: SignalInbox
  private var rest: [Signal] = []
  private var hasAskedToEnd = false

  init(_ inbox: consuming SignalInbox) { self.inbox = inbox }

  var descriptors: [Int32] { [inbox.descriptor] }
  var deadline: HostTime? { nil }

  mutating func actions(at now: HostTime) -> [TimedAction] {
    var actions: [TimedAction] = []
    while let signal = inbox.next() {
      switch signal {
      case .interrupt, .terminate:
        // Asked twice, go at once; the first time is quick enough to be waited for.
        if hasAskedToEnd {
          rest.append(signal)
        } else {
          actions.append(TimedAction(.quit, at: now))
        }
        hasAskedToEnd = true
      // Not asked twice: the kernel and the shell both tell it.
      case .hangUp:
        hasAskedToEnd = true
        actions.append(TimedAction(.quit, at: now))
      case .suspend, .windowChange: rest.append(signal)
      case .resume, .brokenPipe: break
      }
    }
    return actions
  }

  /// The signals since the last call that are not actions: a new window size, a suspension, a
  /// second request to end.
  mutating func takeRest() -> [Signal] {
    defer { rest = [] }
    return rest
  }
}
