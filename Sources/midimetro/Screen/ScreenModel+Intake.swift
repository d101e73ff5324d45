internal import MIDIClock
internal import MetronomeCore

// What comes in from the engine, a follower and taps.

extension ScreenModel {
  mutating func show(_ report: PlanReport, _ time: HostTime) {
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
      if !beat.isCountIn { enterPassage(at: Tick(pulse: beat.pulse), of: beat.part) }
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
  private mutating func enterPassage(at tick: Tick, of part: PlayedPart?) {
    guard let score else { return }
    state.section = part.map { score.parts[$0.index] }
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
      enterPassage(at: pointer.tick, of: score?.part(at: pointer.tick))
      let span = MeterSpan(start: .zero, bar: 1, pattern: state.pattern)
      state.position = (score?.span(at: pointer.tick) ?? span).position(of: pointer.tick)
    case .beat(let beat):
      state.motion = .rolling
      state.position = beat.position
      let tick = Tick(pulse: beat.pulse)
      enterPassage(at: tick, of: score?.part(at: tick))
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
