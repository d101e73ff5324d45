internal import MIDIClock
internal import MetronomeCore

// Edits of the meter, the accents and the clicks between the beats.

extension ScreenModel {
  mutating func obeyPattern(_ intent: Intent, at now: HostTime) -> [Request] {
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
    default: break
    }
    return []
  }

  mutating func set(meter: Meter, at now: HostTime) -> [Request] {
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

  func accents(of pattern: ClickPattern) -> [Accent] {
    (0..<pattern.meter.beats).map { pattern.accent(ofClick: $0 * pattern.subdivision) }
  }

  mutating func set(
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
