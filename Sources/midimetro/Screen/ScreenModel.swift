internal import MIDIClock
internal import MetronomeCore

/// What happens to a screen: reports and keys come in, what is to be seen and done comes out.
///
/// Pure: time is a parameter, and nothing here knows of a terminal or an engine. A beat is shown at
/// its own instant, also when it was reported ahead of it.
struct ScreenModel: Sendable {
  /// What the outside is asked to do.
  enum Request: Hashable, Sendable {
    case change(Change)
    case volume(Int64)
    case soundSet(String)
    case tap
    /// Keep what is set as the profile of that name.
    case save(String)
    /// Tell what ports there are to connect.
    case listPorts
    case connect(Outlet)
    case disconnect(Outlet)
    case panic
    case quit

    /// Whether `next`, right after it, says all that it says: both set the same thing to a value.
    private func isOutdone(by next: Request) -> Bool {
      switch (self, next) {
      case (.change(.tempo), .change(.tempo)), (.change(.pattern), .change(.pattern)),
        (.change(.policy), .change(.policy)), (.volume, .volume), (.soundSet, .soundSet):
        true
      case (.change(.offset(let route, _)), .change(.offset(let other, _))),
        (.change(.mute(let route, _)), .change(.mute(let other, _))):
        route == other
      default: false
      }
    }

    /// `requests` without those that the next one makes void, so that keys that came all at once
    /// (a held key on a slow line, a paste) do not fill the engine's inbox.
    static func merged(_ requests: [Request]) -> [Request] {
      var kept: [Request] = []
      for request in requests {
        if let last = kept.last, last.isOutdone(by: request) { kept.removeLast() }
        kept.append(request)
      }
      return kept
    }
  }

  private(set) var state: ScreenState
  /// Reported but not yet due, oldest first.
  private var due: [(time: HostTime, report: Report)] = []
  /// What a key asked for and the engine has not done yet: to play, or not to.
  private var wantsToPlay: Bool?
  /// Whether the Stop to come goes back to the top.
  private var goesToTop = false
  private var beatTime = HostTime.zero
  private var beatLength = HostTime.Span.zero
  private var noticeEnd = HostTime.distantFuture
  private var warningEnd = HostTime.distantFuture
  private var helpPages = 1
  /// The sound sets to go through.
  private let soundSets: [String]
  /// What the song's passages are, and the one that was last seen to begin.
  private var score: Score?
  private var labels: [ScoreReading.Label] = []
  private var passage = 0

  init(_ state: ScreenState, soundSets: [String] = []) {
    self.state = state
    self.soundSets = soundSets
  }

  /// Shows the meters of `score` as they come, and the names of its parts.
  mutating func show(_ score: Score, _ labels: [ScoreReading.Label], from tick: Tick) {
    self.score = score
    self.labels = labels
    passage = score.index(at: tick)
  }

  // MARK: - Time

  /// Takes in what the engine tells; it is seen when its time has come.
  mutating func take(_ report: Report, at time: HostTime) {
    let place = due.lastIndex { !(time < $0.time) }.map { $0 + 1 } ?? 0
    due.insert((time, report), at: place)
    // A minute of beats is more than any plan runs ahead.
    if due.count > 512 { due.removeFirst() }
  }

  /// Brings the state to `now`.
  mutating func advance(to now: HostTime) {
    while let next = due.first, !(now < next.time) {
      due.removeFirst()
      show(next.report, next.time)
    }
    if state.litBeat != nil {
      let since = now - beatTime
      let subdivision = state.pattern.subdivision
      if beatLength > .zero {
        state.part = min(
          subdivision - 1, since.nanoseconds * subdivision / beatLength.nanoseconds)
      }
      if !(since < lit) { state.litBeat = nil }
    }
    if !(now < noticeEnd) {
      state.notice = nil
      noticeEnd = .distantFuture
    }
    if !(now < warningEnd) {
      state.warnings = []
      warningEnd = .distantFuture
    }
  }

  /// How long a spot is lit: the whole beat when its clicks are shown in it, else half of it and
  /// 150 ms at most, so that two beats never run together.
  private var lit: HostTime.Span {
    let half = HostTime.Span(nanoseconds: beatLength.nanoseconds / 2)
    if state.pattern.subdivision > 1 {
      return HostTime.Span(nanoseconds: beatLength.nanoseconds * 9 / 10)
    }
    return min(half, .milliseconds(150))
  }

  /// When the state changes next by itself; far away when it does not.
  var nextChange: HostTime {
    var next = due.first?.time ?? .distantFuture
    if state.litBeat != nil {
      next = min(next, beatTime + lit)
      let subdivision = state.pattern.subdivision
      if subdivision > 1, state.part + 1 < subdivision {
        let part = beatLength.nanoseconds * (state.part + 1) / subdivision
        next = min(next, beatTime + HostTime.Span(nanoseconds: part + 1))
      }
    }
    return min(next, min(noticeEnd, warningEnd))
  }

  private mutating func show(_ report: Report, _ time: HostTime) {
    switch report {
    case .pulse: break
    case .start, .continue:
      state.motion = .rolling
      wantsToPlay = nil
    case .stop:
      state.motion = goesToTop ? .stopped : .paused
      goesToTop = false
      state.litBeat = nil
      if wantsToPlay == false { wantsToPlay = nil }
    case .position(_, let position): state.position = position
    case .tempo(let tempo): state.tempo = tempo
    case .beat(let beat):
      state.position = beat.position
      state.tempo = beat.tempo
      if !beat.isCountIn { enterPassage(at: Tick(pulse: beat.pulse)) }
      let meter = state.pattern.meter
      flash(
        beat.position.beat, at: time,
        for: HostTime.Span(
          nanoseconds: beat.tempo.pulsePeriod.nanoseconds * meter.ticksPerBeat
            / Resolution.ticksPerPulse))
      if beat.isCountIn {
        // One that was on its way when the count-in was ended.
        if wantsToPlay == false { break }
        wantsToPlay = nil
        let bars = -beat.position.bar
        state.motion = .countingIn(bars * meter.beats + meter.beats - beat.position.beat + 1)
      } else {
        state.motion = .rolling
      }
    }
  }

  /// Where a passage begins it brings its own meter and accents, whatever was set before.
  private mutating func enterPassage(at tick: Tick) {
    guard let score else { return }
    state.section = labels.last { $0.tick <= tick }?.name
    let number = score.index(at: tick)
    guard number != passage else { return }
    passage = number
    state.pattern = score.passages[number].span.pattern
    if let chosen = state.chosenBeat, chosen > state.pattern.meter.beats { state.chosenBeat = nil }
  }

  /// Takes in what a follower says; the place of a beat is where its clock's own grid has it.
  mutating func take(_ said: FollowerReport) {
    switch said {
    case .found, .withoutStart: if state.motion == .silent { state.motion = .stopped }
    case .start, .continue: state.motion = .rolling
    case .stop:
      state.motion = .paused
      state.litBeat = nil
    case .position(_, let pointer):
      enterPassage(at: pointer.tick)
      let span = MeterSpan(start: .zero, bar: 1, pattern: state.pattern)
      state.position = (score?.span(at: pointer.tick) ?? span).position(of: pointer.tick)
    case .beat(let beat):
      state.motion = .rolling
      state.position = beat.position
      enterPassage(at: Tick(pulse: beat.pulse))
      let quarter = beat.bpm.map { HostTime.Span(nanoseconds: Int64(60e9 / $0)) }
      flash(
        beat.position.beat, at: beat.time,
        for: HostTime.Span(
          nanoseconds: (quarter ?? .milliseconds(500)).nanoseconds
            * state.pattern.meter.ticksPerBeat / Resolution.ticksPerQuarter))
    case .tempo(let reading):
      if state.motion == .silent { state.motion = .stopped }
      state.tempo = Tempo(clamping: Int64((reading.bpm * 1_000).rounded()))
      state.rawBPM = reading.rawBPM
      state.uncertainty = reading.uncertainty
      state.quality =
        "\(reading.windowLength) pulses, jitter \(reading.jitter.nanoseconds / 1_000) us"
    case .lost:
      state.motion = .silent
      state.tempo = nil
      state.rawBPM = nil
      state.uncertainty = nil
      state.quality = nil
      state.litBeat = nil
    case .repaired, .suspected, .ignored: break
    }
  }

  /// A tap came at `time`; what it says of the tempo.
  mutating func take(
    tapAt time: HostTime, count: Int, tempo: Tempo?, error: Double?, spread: Double?
  ) {
    state.motion = .rolling
    state.taps = Int64(count)
    state.tempo = tempo
    state.uncertainty = error
    state.spread = spread
    flash(1, at: time, for: .milliseconds(300))
  }

  private mutating func flash(_ beat: Int64, at time: HostTime, for length: HostTime.Span) {
    state.litBeat = beat
    state.part = 0
    beatTime = time
    beatLength = length
  }

  // MARK: - What the outside knows

  /// Shows `text` for a while as something that is not as it should be.
  mutating func warn(_ text: String, at now: HostTime) {
    state.warnings.append(text)
    if state.warnings.count > 8 { state.warnings.removeFirst() }
    warningEnd = now + .seconds(8)
  }

  /// Tells that a tap was taken: `count` in a row, of which `needed` give `purpose`.
  mutating func tell(taps count: Int, of needed: Int, for purpose: String, at now: HostTime) {
    guard state.taps != Int64(count) else { return }
    state.taps = Int64(count)
    guard count > 0 else { return }
    let left = needed - count
    say(left > 0 ? "tap \(count); \(left) more for \(purpose)" : "tap \(count)", at: now)
  }

  /// Shows `text` for a moment.
  mutating func say(_ text: String, at now: HostTime) {
    state.notice = text
    noticeEnd = now + .seconds(3)
  }

  /// A destination has gone or come back.
  mutating func tell(_ notice: ConnectionNotice) {
    let trouble: String? =
      switch notice {
      case .lost: "gone"
      case .found: nil
      case .released: "disconnected"
      case .failed: "refuses"
      case .looped: nil
      }
    for index in state.lines.indices where state.lines[index].name == notice.name {
      state.lines[index].trouble = trouble
    }
  }

  /// Changes what the outside alone can know: destinations, lateness, what is measured.
  mutating func update(_ change: (inout ScreenState) -> Void) { change(&state) }

  // MARK: - Keys

  /// What `key` leads to.
  mutating func press(_ key: Key, on layout: ScreenLayout, at now: HostTime) -> [Request] {
    guard let intent = intent(of: key, on: layout) else { return [] }
    helpPages = layout.helpPages
    return obey(intent, at: now)
  }

  /// What a key means just now: typing and choosing accents take keys for themselves.
  private mutating func intent(of key: Key, on layout: ScreenLayout) -> Intent? {
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
    return KeyBinding.intent(of: key)
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
      state.policy = state.policy == .off ? .always : .off
      say(state.policy == .off ? "clock off" : "clock on", at: now)
      return [.change(.policy(state.policy))]
    case .volume(let step):
      guard let volume = state.volume else {
        say("nothing sounds here", at: now)
        return []
      }
      let next = min(200, max(0, volume + step))
      state.volume = next
      return [.volume(next)]
    case .soundSet:
      guard let present = state.soundSet, !soundSets.isEmpty else { return [] }
      let place = soundSets.firstIndex(of: present) ?? -1
      let next = soundSets[(place + 1) % soundSets.count]
      state.soundSet = next
      return [.soundSet(next)]
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
      let most = HostTime.Span.milliseconds(500)
      let moved = state.lines[state.chosenLine].offset + .milliseconds(step)
      let offset = min(most, max(.zero - most, moved))
      state.lines[state.chosenLine].offset = offset
      let line = state.lines[state.chosenLine]
      return [.change(.offset(route: line.route, line.base + offset))]
    case .save:
      state.helpPage = nil
      state.entry = ""
      state.entryNamesProfile = true
      return []
    case .meter, .chooseMeter, .accents, .accent, .subdivision, .swing, .type, .erase, .enter,
      .cancel, .left, .right, .up, .down:
      return obeyPattern(intent, at: now)
    case .help, .quit: return []
    }
  }

  /// What can be asked where the tempo is somebody else's.
  private mutating func obeyBesidePlaying(_ intent: Intent, at now: HostTime) -> [Request] {
    switch intent {
    case .panic: return [.panic]
    case .tap where state.job == .tap: return [.tap]
    case .playPause where state.job == .tap: return [.tap]
    case .route(let step): chooseLine(by: step)
    case .ports, .port, .choosePort, .connect:
      // Where there is no line for who is connected, nothing goes out.
      if state.generalLine != nil { return obeyPorts(intent, at: now) }
    case .playPause, .stop, .restart, .tempo, .slide, .tap, .nudge:
      if state.job == .follow {
        say("the tempo is the source's; midimetro play leads", at: now)
      }
    default: break
    }
    return []
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

  private mutating func playPause() -> [Request] {
    goesToTop = false
    guard !isPlaying else {
      leaveOff()
      return [.change(.transport(.stop))]
    }
    wantsToPlay = true
    switch state.motion {
    case .rolling, .paused: return [.change(.transport(.continue))]
    case .countingIn, .stopped, .silent: return [.change(.transport(.start))]
    }
  }

  /// Whether it plays, or will when what was asked for has been done: a key hit twice is two keys.
  private var isPlaying: Bool {
    if let wantsToPlay { return wantsToPlay }
    switch state.motion {
    case .rolling, .countingIn: return true
    case .paused, .stopped, .silent: return false
    }
  }

  /// A stop was asked for; that of a count-in is no message, so nothing will tell of it.
  private mutating func leaveOff() {
    wantsToPlay = false
    if case .countingIn = state.motion {
      state.motion = .stopped
      state.litBeat = nil
    }
  }

  /// From the top: on the next beat while it plays, else as soon as can be.
  private mutating func restart() -> [Request] {
    if case .countingIn = state.motion { return [] }
    // A Start under way is not begun again.
    if state.motion != .rolling, wantsToPlay == true { return [] }
    goesToTop = false
    wantsToPlay = true
    return [.change(.transport(.start))]
  }

  /// Stop goes back to the top; when stopped already there is nothing to do.
  private mutating func stop() -> [Request] {
    var requests: [Request] = []
    if isPlaying {
      goesToTop = state.motion == .rolling || wantsToPlay == true
      leaveOff()
      requests.append(.change(.transport(.stop)))
    } else if state.motion == .paused {
      state.motion = .stopped
    } else if state.motion == .rolling {
      goesToTop = true
    }
    requests.append(.change(.transport(.locate(.zero))))
    return requests
  }

  private mutating func set(_ tempo: Tempo) -> [Request] {
    state.tempo = tempo
    return [.change(.tempo(tempo))]
  }

  // MARK: - Ports

  /// What a key means while the ports are listed: it stops and starts as ever, and changes nothing
  /// that is not seen.
  private func portIntent(of key: Key) -> Intent? {
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
    guard let intent = KeyBinding.intent(of: key) else { return nil }
    switch intent {
    case .ports, .help, .stop, .restart, .tap, .clock, .panic: return intent
    default: return nil
    }
  }

  private mutating func obeyPorts(_ intent: Intent, at now: HostTime) -> [Request] {
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

  /// Shows `outlets` where the ports are listed.
  mutating func list(_ outlets: [Outlet]) { state.portList?.replace(outlets) }

  /// Tells that `outlet` has been connected, and what it waits for.
  mutating func tell(connected outlet: Outlet, at now: HostTime) {
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
  mutating func tell(disconnected outlet: Outlet, at now: HostTime) {
    if outlet.hasOwnRoute { tell(.released(name: outlet.name)) }
    say(
      outlet.link == .gone
        ? "no longer waited for: \(outlet.name)" : "disconnected: \(outlet.name)", at: now)
  }

  private var generalRoute: Int? { state.generalLine.map { state.lines[$0].route } }

  // MARK: - Meter and accents

  private mutating func obeyPattern(_ intent: Intent, at now: HostTime) -> [Request] {
    let pattern = state.pattern
    switch intent {
    case .meter(let step):
      let meters = state.meters
      let place = meters.firstIndex(of: pattern.meter) ?? 0
      return set(meter: meters[(place + step + meters.count) % meters.count], at: now)
    case .chooseMeter(let place):
      return state.meters.indices.contains(place) ? set(meter: state.meters[place], at: now) : []
    case .accents:
      state.helpPage = nil
      state.chosenBeat = state.chosenBeat == nil ? 1 : nil
    case .left, .right:
      guard let beat = state.chosenBeat else { return [] }
      let step: Int64 = intent == .left ? -1 : 1
      state.chosenBeat = (beat - 1 + step + pattern.meter.beats) % pattern.meter.beats + 1
    case .up, .down:
      guard let beat = state.chosenBeat else { return [] }
      return cycle(beat, by: intent == .up ? 1 : -1, at: now)
    case .accent(let beat): return cycle(beat, by: -1, at: now)
    case .subdivision(let step):
      let subdivision = min(max(pattern.subdivision + step, 1), 24)
      let swing = subdivision % 2 == 0 ? pattern.swing : 50_000
      return set(accents(of: pattern), pattern.meter, subdivision, swing, at: now)
    case .swing(let step):
      guard pattern.subdivision % 2 == 0 else {
        say("swing needs an even number of clicks a beat; d makes them two", at: now)
        return []
      }
      let swing = min(max(pattern.swing + step * 1_000, 50_000), 75_000)
      return set(accents(of: pattern), pattern.meter, pattern.subdivision, swing, at: now)
    case .type(let character):
      guard (state.entry?.count ?? 0) < 32 else { return [] }
      // The config file takes no such letter.
      let isControl = character.unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      guard !isControl else { return [] }
      state.helpPage = nil
      state.entry = (state.entry ?? "") + String(character)
    case .erase:
      if state.entry?.isEmpty == false { state.entry?.removeLast() }
      if state.entry?.isEmpty == true, !state.entryNamesProfile { state.entry = nil }
    case .cancel: endEntry()
    case .enter: return takeEntry(at: now)
    default: break
    }
    return []
  }

  /// What was typed is a meter if it can be one, else a tempo.
  private mutating func takeEntry(at now: HostTime) -> [Request] {
    guard let text = state.entry else { return [] }
    let namesProfile = state.entryNamesProfile
    endEntry()
    if namesProfile {
      let name = text.trimmed
      return name.isEmpty ? [] : [.save(name)]
    }
    do throws(Meter.TextError) { return set(meter: try Meter(text: text), at: now) } catch {
      do throws(Tempo.TextError) { return set(try Tempo(text: text)) } catch let refused {
        // The message is about what it looks like.
        say(
          text.contains("/") && !text.contains("=") ? "\(error)" : "\(refused)", at: now)
        return []
      }
    }
  }

  private mutating func endEntry() {
    state.entry = nil
    state.entryNamesProfile = false
  }

  private mutating func set(meter: Meter, at now: HostTime) -> [Request] {
    set(
      accents(of: ClickPattern(plain: meter)), meter, state.pattern.subdivision,
      state.pattern.swing, at: now)
  }

  /// The next accent of a beat, from 1: strong, medium, weak, silent and round again.
  private mutating func cycle(_ beat: Int64, by step: Int, at now: HostTime) -> [Request] {
    let pattern = state.pattern
    var accents = accents(of: pattern)
    let index = Int(beat - 1)
    guard accents.indices.contains(index) else { return [] }
    let count = Accent.allCases.count
    let place = (Int(accents[index].rawValue) + step + count) % count
    accents[index] = Accent.allCases[place]
    say("beat \(beat): \(accents[index].name)", at: now)
    return set(accents, pattern.meter, pattern.subdivision, pattern.swing, at: now)
  }

  private func accents(of pattern: ClickPattern) -> [Accent] {
    (0..<pattern.meter.beats).map { pattern.accent(ofClick: $0 * pattern.subdivision) }
  }

  private mutating func set(
    _ accents: [Accent], _ meter: Meter, _ subdivision: Int64, _ swing: Int64, at now: HostTime
  ) -> [Request] {
    do throws(ClickPattern.Mismatch) {
      let pattern = try ClickPattern(
        meter: meter, accents: AccentPattern(accents), subdivision: subdivision, swing: swing)
      guard pattern != state.pattern else { return [] }
      state.pattern = pattern
      if let beat = state.chosenBeat, beat > meter.beats { state.chosenBeat = meter.beats }
      return [.change(.pattern(pattern))]
    } catch {
      say("\(error)", at: now)
      return []
    }
  }
}

extension String {
  /// Without blanks at either end.
  fileprivate var trimmed: String {
    var rest = drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
