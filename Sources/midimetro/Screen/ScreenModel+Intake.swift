internal import MIDIClock
internal import MetronomeCore

// What comes in from the session, a follower and taps.

extension ScreenModel {
  /// Takes in an event; warnings arrive through the standard error stream.
  mutating func take(_ event: SessionEvent, at time: HostTime) {
    switch event {
    case .engine(.plan(let report)): take(report, at: time)
    case .engine(.lateness(let present)):
      state.lateness = [present.median, present.high, present.most].map { $0.nanoseconds / 100 }
    case .follower(let said): take(said)
    case .connection(let notice, _): tell(notice)
    case .source(_, let name): state.source = name
    case .sound(let news):
      if case .line(let line)? = SoundReporter(form: .screen).say(news) { say(line, at: time) }
    case .outcome(let outcome, let session):
      if let words = outcome.words(in: session) { say(words, at: time) }
    case .engine, .otherSource, .refused, .tap, .ignoredHit, .ownClick, .control, .warning, .played,
      .followed:
      break
    }
  }

  /// Shows the session's state.
  mutating func take(_ session: SessionState) {
    state.motion =
      switch session.transport {
      case .rolling: .rolling
      case .armed: .countingIn(session.countInBeats)
      case .stopped: session.isPaused ? .paused : .stopped
      }
    if session.transport == .stopped { state.litBeat = nil }
    state.position = session.position
    state.tempo = session.tempo
    state.section = session.part.flatMap { part in score.map { $0.parts[part.index] } }
    show(session.pattern)
    state.policy = session.policy
    for index in state.lines.indices {
      state.lines[index].offset = session.offset(state.lines[index].route)
      state.lines[index].isMuted = session.isMuted(state.lines[index].route)
    }
  }

  /// Flashes a beat that is due, unless playback has stopped since.
  mutating func show(_ beat: PlanReport.Beat, _ time: HostTime) {
    switch state.motion {
    case .rolling, .countingIn: break
    case .stopped, .paused, .silent: return
    }
    flash(
      beat.position.beat, at: time,
      for: HostTime.Span(
        nanoseconds: beat.tempo.pulsePeriod.nanoseconds * state.pattern.meter.ticksPerBeat
          / Resolution.ticksPerPulse))
  }

  private mutating func show(_ pattern: ClickPattern) {
    state.pattern = pattern
    if let beat = state.chosenBeat { state.chosenBeat = min(beat, pattern.meter.beats) }
  }

  /// Shows the meter and the name of the score's passage at `tick`.
  private mutating func enterPassage(at tick: Tick) {
    guard let score else { return }
    state.section = score.part(at: tick).map { score.parts[$0.index] }
    show(score.passages[score.index(at: tick)].span.pattern)
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
      let quarter = beat.bpm.map {
        HostTime.Span(nanoseconds: Int64(Resolution.quarterAtOneBPM / $0))
      }
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
}
