internal import MIDIClock
internal import MetronomeCore

// The page of the ports.

extension ScreenModel {
  /// What a key means while the ports are listed: it stops and starts as ever, and changes nothing
  /// that is not seen.
  func portIntent(of key: Key) -> Intent? {
    switch key {
    case .up, .wheelUp: return .port(by: -1)
    case .down, .wheelDown: return .port(by: 1)
    case .pageUp: return .port(by: -8)
    case .pageDown: return .port(by: 8)
    case .enter, .character(" "): return .connect
    // Who is in a list and wants out of it means the list.
    case .escape, .character("q"): return .ports
    default: break
    }
    guard let intent = KeyBinding.intent(of: key, in: state.job) else { return nil }
    switch intent {
    case .ports, .help, .action(.stopToTop), .action(.start), .action(.tap), .action(.clock),
      .action(.panic):
      return intent
    default: return nil
    }
  }

  mutating func obeyPorts(_ intent: Intent, at now: HostTime) -> [Request] {
    switch intent {
    case .ports:
      state.helpPage = nil
      state.chosenBeat = nil
      state.portList = state.portList == nil ? PortList() : nil
      return state.portList == nil ? [] : [.listPorts]
    case .port(let step): state.portList?.move(by: step)
    case .choosePort(let index):
      state.portList?.choose(index)
      return obeyPorts(.connect, at: now)
    case .connect:
      guard let outlet = state.portList?.present else { return [] }
      return [outlet.link == .free ? .connect(outlet) : .disconnect(outlet)]
    default: break
    }
    return []
  }

  /// Shows `connectablePorts` where the ports are listed.
  mutating func list(_ connectablePorts: [ConnectablePort]) {
    state.portList?.replace(connectablePorts)
  }

  /// Tells that `outlet` has been connected, and what it waits for.
  mutating func tell(connected outlet: ConnectablePort, at now: HostTime) {
    if outlet.hasOwnRoute {
      tell(.found(name: outlet.name, address: outlet.address))
    }
    let line = state.lines.first {
      outlet.hasOwnRoute ? $0.name == outlet.name : $0.route == generalRoute
    }
    // What has no part in starting and stopping waits for nothing.
    guard line?.startsAndStops == true else {
      say("connected: \(outlet.name)", at: now)
      return
    }
    // What to do first: a name may be long, and the list shows which one it is.
    let key =
      switch state.motion {
      case .rolling: state.job == .follow ? nil : "r starts it with the others"
      case .paused: state.job == .follow ? nil : "r starts it, space goes on"
      case .stopped: state.job == .follow ? nil : "space starts it"
      case .countingIn, .silent: nil as String?
      }
    say("connected" + (key.map { "; \($0)" } ?? "") + ": \(outlet.name)", at: now)
  }

  /// Tells that `outlet` has been disconnected, or is no longer waited for.
  mutating func tell(disconnected outlet: ConnectablePort, at now: HostTime) {
    if outlet.hasOwnRoute { tell(.released(name: outlet.name)) }
    say(
      outlet.link == .gone
        ? "no longer waited for: \(outlet.name)" : "disconnected: \(outlet.name)", at: now)
  }

  private var generalRoute: Int? { state.generalLine.map { state.lines[$0].route } }
}
