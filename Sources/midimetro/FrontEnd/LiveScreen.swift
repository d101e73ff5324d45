internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// A screen that is shown: the model, the terminal and the pace between them.
///
/// Main thread only, which never waits for the terminal: one that takes nothing is shown nothing until
/// it does, and then what is so at that time.
struct LiveScreen: ~Copyable {
  var model: ScreenModel
  private var terminal: FullScreen
  private var layout: ScreenLayout
  private var shown: ScreenState?
  private var shownSize = (width: 0, height: 0)
  private var drawn = HostTime.zero
  private var complaints: StderrCapture

  /// Thirty pictures a second are the most; a beat does not wait for its turn.
  private static var frame: HostTime.Span { .milliseconds(33) }

  /// Shows `state` on the terminal; `nil` when there is none that could.
  static func open(_ state: ScreenState, soundSets: [String] = []) -> LiveScreen? {
    guard
      let terminal = FullScreen.open(
        isColourless: Environment.read("NO_COLOR") != nil,
        isASCII: Environment.read("MIDIMETRO_ASCII") != nil)
    else { return nil }
    guard let complaints = StderrCapture.begin() else { return nil }
    terminal.onCrashCopy(from: complaints.descriptor, to: complaints.original)
    return LiveScreen(state, soundSets, terminal, complaints)
  }

  private init(
    _ state: ScreenState, _ soundSets: [String], _ terminal: consuming FullScreen,
    _ complaints: consuming StderrCapture
  ) {
    model = ScreenModel(state, soundSets: soundSets)
    layout = ScreenLayout(state, width: 0, height: 0, symbols: terminal.symbols)
    self.terminal = terminal
    self.complaints = complaints
  }

  /// What to poll for reading: keys, and what was written to the standard error stream.
  var descriptors: [Int32] { [terminal.descriptor, complaints.descriptor] }

  /// When to call `show` next; `nil` when nothing changes by itself.
  var wake: HostTime? {
    if terminal.hasHungUp { return nil }
    if let retry = terminal.retry { return retry }
    let next = model.nextChange
    if model.state != shown { return min(next, drawn + Self.frame) }
    return next < .distantFuture ? next : nil
  }

  /// Reads keys and complaints; what the outside is to do.
  mutating func takeInput(at now: HostTime) -> [ScreenModel.Request] {
    for line in complaints.lines() {
      let own = "midimetro: "
      model.warn(line.hasPrefix(own) ? String(line.dropFirst(own.count)) : line, at: now)
    }
    var requests: [ScreenModel.Request] = []
    while let key = terminal.nextKey(at: now) {
      requests += model.press(key, on: layout, at: now)
    }
    if terminal.hasPasted {
      terminal.hasPasted = false
      model.say("pasted text is not taken as keys", at: now)
    }
    // The signal is not sent to everyone who loses the terminal.
    if terminal.noticeHangUp(), !Signal.hangUp.isIgnored { requests.append(.quit) }
    return ScreenModel.Request.merged(requests)
  }

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
