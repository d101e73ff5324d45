internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// A screen that is shown: the model, the terminal and the pace between them.
///
/// Main thread only, which never waits for the terminal: one that takes nothing is shown nothing
/// until it does, and then what is so at that time.
struct LiveScreen: ControlSource, Observer, ~Copyable {
  var model: ScreenModel
  private var terminal: FullScreen
  private var layout: ScreenLayout
  private var shown: ScreenState?
  private var shownSize = (width: 0, height: 0)
  private var drawn = HostTime.zero
  private var complaints: StderrCapture
  /// Requests about ports that have not been taken yet.
  private var portRequests: [ScreenModel.Request] = []

  /// Thirty pictures a second are the most; a beat does not wait for its turn.
  private static var frame: HostTime.Span { .milliseconds(33) }

  /// Shows `state` on the terminal; `nil` when there is none that could.
  static func open(_ state: ScreenState) -> LiveScreen? {
    guard
      let terminal = FullScreen.open(
        isColourless: Environment.read("NO_COLOR") != nil,
        isASCII: Environment.read("MIDIMETRO_ASCII") != nil)
    else { return nil }
    guard let complaints = StderrCapture.begin() else { return nil }
    terminal.onCrashCopy(from: complaints.descriptor, to: complaints.original)
    return LiveScreen(state, terminal, complaints)
  }

  private init(
    _ state: ScreenState, _ terminal: consuming FullScreen, _ complaints: consuming StderrCapture
  ) {
    model = ScreenModel(state)
    layout = ScreenLayout(state, width: 0, height: 0, symbols: terminal.symbols)
    self.terminal = terminal
    self.complaints = complaints
  }

  /// What to poll for reading: keys, and what was written to the standard error stream.
  var descriptors: [Int32] { [terminal.descriptor, complaints.descriptor] }

  /// When to call `show` next; `nil` when nothing changes by itself.
  var deadline: HostTime? {
    if terminal.hasHungUp { return nil }
    if let retry = terminal.retry { return retry }
    let next = model.nextChange
    if model.state != shown { return min(next, drawn + Self.frame) }
    return next < .distantFuture ? next : nil
  }

  /// Reads keys and error messages; returns the actions of the keys.
  mutating func actions(at now: HostTime) -> [TimedAction] {
    for line in complaints.lines() {
      let own = "midimetro: "
      model.warn(line.hasPrefix(own) ? String(line.dropFirst(own.count)) : line, at: now)
    }
    var actions: [Action] = []
    while let key = terminal.nextKey(at: now) {
      for request in model.press(key, on: layout, at: now) {
        if case .action(let action) = request {
          actions.append(action)
        } else {
          portRequests.append(request)
        }
      }
    }
    if terminal.hasPasted {
      terminal.hasPasted = false
      model.say("pasted text is not taken as keys", at: now)
    }
    // The signal is not sent to everyone who loses the terminal.
    if terminal.noticeHangUp(), !Signal.hangUp.isIgnored { actions.append(.quit) }
    return Action.merged(actions).map { TimedAction($0, at: now) }
  }

  /// The requests about ports since the last call.
  mutating func takePortRequests() -> [ScreenModel.Request] {
    defer { portRequests = [] }
    return portRequests
  }

  mutating func take(_ event: SessionEvent, at time: HostTime) { model.take(event, at: time) }
  mutating func take(_ state: SessionState) { model.take(state) }

  /// Shows what has changed, if it is time for it.
  mutating func show(at now: HostTime) {
    guard !terminal.hasHungUp else { return }
    let before = model.state.litBeat
    model.advance(to: now)
    guard terminal.isReady(at: now) else { return }
    let size = terminal.size
    guard model.state != shown || size != shownSize else { return }
    let isBeat = model.state.litBeat != nil && model.state.litBeat != before
    guard isBeat || drawn + Self.frame <= now || shown == nil else { return }
    layout = ScreenLayout(
      model.state, width: size.width, height: size.height, symbols: terminal.symbols)
    terminal.show(layout.canvas, at: now)
    shown = model.state
    shownSize = size
    drawn = now
  }

  /// The window has another size.
  mutating func resize() {
    terminal.measure()
    shown = nil
  }

  /// Gives the terminal back while the program is suspended.
  mutating func leave() { terminal.leave() }

  /// Shows itself again.
  mutating func comeBack() {
    terminal.comeBack()
    shown = nil
  }
}
