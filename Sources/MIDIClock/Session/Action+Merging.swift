extension Action {
  /// Merges adjacent actions that have the effect of one.
  ///
  /// Keys that arrive all at once (a held key on a slow line) then do not fill the engine's queue.
  /// Steps are added only if they have the same sign: at the end of a range, order matters.
  public static func merged(_ actions: [Action]) -> [Action] {
    var kept: [Action] = []
    for action in actions {
      guard let last = kept.last, let both = last.merged(with: action) else {
        kept.append(action)
        continue
      }
      kept.removeLast()
      if let action = both { kept.append(action) }
    }
    return kept
  }

  /// The single action equal to this one followed by `next`: `.some(nil)` if they cancel out, `nil`
  /// if they cannot be merged.
  private func merged(with next: Action) -> Action?? {
    func sum(_ one: Int64, _ other: Int64) -> Int64? {
      one.signum() == other.signum() ? one + other : nil
    }
    switch (self, next) {
    case (.tempo, .tempo): return next
    case (.tempoStep(let one), .tempoStep(let other)):
      return sum(one, other).map { .some(.tempoStep($0)) }
    case (.volumeStep(let one), .volumeStep(let other)):
      return sum(one, other).map { .some(.volumeStep($0)) }
    case (.offsetStep(let route, let one), .offsetStep(let same, let other)) where route == same:
      return sum(one, other).map { .some(.offsetStep(route, $0)) }
    case (.mute(let route), .mute(let same)) where route == same: return .some(nil)
    case (.clock, .clock): return .some(nil)
    default: return nil
    }
  }
}
