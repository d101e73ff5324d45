internal import MIDIClock

extension ChangeOutcome {
  /// The message about it, given the `state` afterwards; `nil` if the change is visible anyway.
  func words(in state: SessionState) -> String? {
    switch (outcome, change) {
    case (.busy, _): "too many changes at once; the last one waits"
    case (.applied, .togglePolicy): state.policy == .off ? "clock off" : "clock on"
    case (.applied, .edit(.accent(let beat, _)))
    where beat <= state.snapshot.planned.wantedPattern.meter.beats:
      "beat \(beat): \(state.snapshot.planned.wantedPattern.beatAccents[beat - 1].name)"
    case (.ignored, _) where state.snapshot.planned.hasEnded: nil
    case (.ignored, .tempo), (.ignored, .tempoStep): "a tempo is \(Tempo.rangeText)"
    case (.ignored, .offset), (.ignored, .offsetStep): "an offset is -500 to 500 ms"
    case (.ignored, .shift): "only what plays can be nudged"
    case (.ignored, .edit(let edit)): refusal(of: edit, of: state.snapshot.planned.wantedPattern)
    default: nil
    }
  }

  private func refusal(of edit: PatternEdit, of pattern: ClickPattern) -> String? {
    do throws(ClickPattern.Mismatch) { _ = try pattern.edited(edit) } catch {
      guard case .swing = edit else { return "\(error)" }
      return "swing needs an even number of clicks a beat; d makes them two"
    }
    return switch edit {
    case .subdivision: "a beat has 1 to 24 clicks"
    case .swing: "swing is 50 to 75 %"
    case .meter, .meterStep, .accent: nil
    }
  }
}
