internal import MIDIClock
internal import MetronomeCore

// What keys mean, and what they lead to.

extension ScreenModel {
  /// What `key` leads to.
  mutating func press(_ key: Key, on layout: ScreenLayout, at now: HostTime) -> [Request] {
    guard let intent = intent(of: key, on: layout) else { return [] }
    helpPages = layout.helpPages
    return obey(intent, at: now)
  }

  /// What a key means just now: typing and choosing accents take keys for themselves.
  mutating func intent(of key: Key, on layout: ScreenLayout) -> Intent? {
    if case .press(let x, let y) = key { return layout.intent(x: x, y: y) }
    if state.portList != nil, state.helpPage == nil { return portIntent(of: key) }
    if case .wheelUp = key { return .action(.tempoStep(1_000)) }
    if case .wheelDown = key { return .action(.tempoStep(-1_000)) }
    if state.entry != nil {
      switch key {
      case .character("["), .character("]"): return nil
      case .character(let character): return .type(character)
      case .enter: return .enter
      case .escape: return .cancel
      case .backspace: return .erase
      default: return nil
      }
    }
    if state.chosenBeat != nil {
      switch key {
      case .left: return .left
      case .right: return .right
      case .up: return .up
      case .down: return .down
      case .enter, .escape: return .accents
      default: break
      }
    }
    if case .character(let character) = key, character.isASCII, character.isNumber {
      return .type(character)
    }
    if case .escape = key {
      state.helpPage = nil
      return nil
    }
    return KeyBinding.intent(of: key, in: state.job)
  }

  private mutating func obey(_ intent: Intent, at now: HostTime) -> [Request] {
    guard intent.jobs.contains(state.job) else {
      refuse(intent, at: now)
      return []
    }
    switch intent {
    case .action(let action): return ask(action, at: now)
    case .slide(let place):
      let (least, most) = ScreenLayout.slider
      // Whole beats a minute: a click is not finer than that.
      let milliBPM = (least + (most - least) * place / 1_000 + 500) / 1_000 * 1_000
      return [.action(.tempo(Tempo(clamping: milliBPM)))]
    case .chooseMeter(let place):
      return state.meters.indices.contains(place) ? [.action(.meter(state.meters[place]))] : []
    case .mute: return chosenRoute.map { [.action(.mute($0))] } ?? []
    case .offset(let step): return chosenRoute.map { [.action(.offsetStep($0, step))] } ?? []
    case .help: turnHelp()
    case .route(let step): chooseLine(by: step)
    case .ports, .port, .choosePort, .connect:
      // Where there is no line for who is connected, nothing goes out.
      if state.job == .play || state.generalLine != nil { return obeyPorts(intent, at: now) }
      refuse(intent, at: now)
    case .save:
      state.helpPage = nil
      state.entry = ""
      state.entryNamesProfile = true
    case .accents:
      state.helpPage = nil
      state.chosenBeat = state.chosenBeat == nil ? 1 : nil
    case .left, .right:
      guard let beat = state.chosenBeat else { return [] }
      let (step, beats): (Int64, Int64) = (intent == .left ? -1 : 1, state.pattern.meter.beats)
      state.chosenBeat = (beat - 1 + step + beats) % beats + 1
    case .up, .down:
      guard let beat = state.chosenBeat else { return [] }
      return [.action(.accent(beat, step: intent == .up ? 1 : -1))]
    case .type, .erase, .enter, .cancel: return obeyEntry(intent, at: now)
    }
    return []
  }

  /// Requests `action`, unless it cannot have an effect here.
  private mutating func ask(_ action: Action, at now: HostTime) -> [Request] {
    switch action {
    case .volumeStep where state.volume == nil:
      say("nothing sounds here", at: now)
      return []
    case .soundSet where state.soundSet == nil: return []
    case .panic: say("every note ended", at: now)
    default: break
    }
    return [.action(action)]
  }

  /// Says that `intent` does not exist in this job.
  private mutating func refuse(_ intent: Intent, at now: HostTime) {
    switch intent {
    case .action(.toggle), .action(.stopToTop), .action(.start), .action(.tempoStep),
      .action(.tap), .action(.nudge), .slide:
      if state.job == .follow {
        return say("the tempo is the source's; midimetro play leads", at: now)
      }
    default: break
    }
    say("midimetro \(state.job) has no use for that", at: now)
  }

  /// The route of the chosen line.
  private var chosenRoute: Int? {
    state.lines.indices.contains(state.chosenLine) ? state.lines[state.chosenLine].route : nil
  }

  private mutating func chooseLine(by step: Int) {
    let places = state.shownLines.map(\.offset)
    guard !places.isEmpty else { return }
    let place = places.firstIndex(of: state.chosenLine) ?? 0
    state.chosenLine = places[(place + step + places.count) % places.count]
  }

  /// The next page of the help, and after the last one none.
  private mutating func turnHelp() {
    let next = state.helpPage.map { $0 + 1 } ?? 0
    state.helpPage = next < helpPages ? next : nil
  }
}
