extension Action {
  /// `actions` with neighbours that come to one made one.
  ///
  /// So keys that came all at once (a held key on a slow line, a paste) do not fill the engine's
  /// inbox. Steps are added only in one direction: at the end of a range the order counts.
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

  /// The action that this and `next` come to, `nil` for none; `nil` when they are not one.
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
