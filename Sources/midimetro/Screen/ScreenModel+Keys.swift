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
    if case .wheelUp = key { return .tempo(by: 1_000) }
    if case .wheelDown = key { return .tempo(by: -1_000) }
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
    switch intent {
    case .help:
      turnHelp()
      return []
    case .quit: return [.quit]
    default: break
    }
    guard state.job == .play else { return obeyBesidePlaying(intent, at: now) }
    switch intent {
    case .playPause: return playPause()
    case .stop: return stop()
    case .restart: return restart()
    case .tap: return [.tap]
    case .panic:
      say("every note ended", at: now)
      return [.panic]
    case .tempo(let step):
      return set(Tempo(clamping: (state.tempo ?? .standard).milliBPM + step))
    case .slide(let place):
      let (least, most) = ScreenLayout.slider
      // Whole beats a minute: a click is not finer than that.
      return set(Tempo(clamping: (least + (most - least) * place / 1_000 + 500) / 1_000 * 1_000))
    case .nudge(let step): return [.change(.shift(.milliseconds(step)))]
    case .clock:
      if state.policy != .off { clockPolicy = state.policy }
      state.policy = state.policy == .off ? clockPolicy : .off
      say(state.policy == .off ? "clock off" : "clock on", at: now)
      return [.change(.policy(state.policy))]
    case .volume(let step): return changeVolume(by: step, at: now)
    case .soundSet: return nextSoundSet()
    case .route(let step):
      chooseLine(by: step)
      return []
    case .ports, .port, .choosePort, .connect: return obeyPorts(intent, at: now)
    case .mute:
      guard state.lines.indices.contains(state.chosenLine) else { return [] }
      state.lines[state.chosenLine].isMuted.toggle()
      let line = state.lines[state.chosenLine]
      return [.change(.mute(route: line.route, line.isMuted))]
    case .offset(let step):
      guard state.lines.indices.contains(state.chosenLine) else { return [] }
      let moved = state.lines[state.chosenLine].offset + .milliseconds(step)
      let offset = min(Route.offsets.upperBound, max(Route.offsets.lowerBound, moved))
      state.lines[state.chosenLine].offset = offset
      let line = state.lines[state.chosenLine]
      return [.change(.offset(route: line.route, line.base + offset))]
    case .save:
      state.helpPage = nil
      state.entry = ""
      state.entryNamesProfile = true
      return []
    case .meter, .chooseMeter, .accents, .accent, .subdivision, .swing, .left, .right, .up, .down:
      return obeyPattern(intent, at: now)
    case .type, .erase, .enter, .cancel: return obeyEntry(intent, at: now)
    case .help, .quit: return []
    }
  }

  /// What can be asked where the tempo is somebody else's.
  private mutating func obeyBesidePlaying(_ intent: Intent, at now: HostTime) -> [Request] {
    switch intent {
    case .panic where state.job == .follow: return [.panic]
    case .volume(let step) where state.job != .monitor: return changeVolume(by: step, at: now)
    case .soundSet where state.job != .monitor: return nextSoundSet()
    case .tap where state.job == .tap: return [.tap]
    case .playPause where state.job == .tap: return [.tap]
    case .route(let step) where state.job == .follow: chooseLine(by: step)
    case .ports, .port, .choosePort, .connect:
      // Where there is no line for who is connected, nothing goes out.
      if state.generalLine != nil { return obeyPorts(intent, at: now) }
      say(uselessKey, at: now)
    case .playPause, .stop, .restart, .tempo, .slide, .tap, .nudge:
      say(
        state.job == .follow
          ? "the tempo is the source's; midimetro play leads" : uselessKey,
        at: now)
    case .help, .quit, .erase, .enter, .cancel, .left, .right, .up, .down: break
    default: say(uselessKey, at: now)
    }
    return []
  }

  private var uselessKey: String { "midimetro \(state.job) has no use for that" }

  private mutating func changeVolume(by step: Int64, at now: HostTime) -> [Request] {
    guard let volume = state.volume else {
      say("nothing sounds here", at: now)
      return []
    }
    let volumes = SoundSettings.volumes
    let next = min(volumes.upperBound, max(volumes.lowerBound, volume + step))
    state.volume = next
    return [.volume(next)]
  }

  private mutating func nextSoundSet() -> [Request] {
    guard let present = state.soundSet, !soundSets.isEmpty else { return [] }
    let place = soundSets.firstIndex(of: present) ?? -1
    let next = soundSets[(place + 1) % soundSets.count]
    state.soundSet = next
    return [.soundSet(next)]
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

  mutating func set(_ tempo: Tempo) -> [Request] {
    state.tempo = tempo
    return [.change(.tempo(tempo))]
  }
}
