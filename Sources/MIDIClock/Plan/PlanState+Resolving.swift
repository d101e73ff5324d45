// Resolves relative changes.

extension PlanState {
  /// The absolute change that `change` comes to in the plan as it is; `nil` when it changes nothing.
  mutating func resolved(_ change: PlanChange, at instant: HostTime) -> PlanChange? {
    switch change {
    case .toggle:
      return .transport(ring[ring.newest].state.isStopped ? .continue : .stop)
    case .tempoStep(let step):
      let section = ring[ring.newest]
      let base = max(instant, section.time, latestGiven + HostTime.Span(nanoseconds: 1))
      let tick = Tick.earlier(
        section.end, Tick.later(section.line.firstTick(notBefore: base), section.start))
      let present = section.tempo(at: tick)
      let range = Tempo.range
      let limited = max(-range.upperBound, min(range.upperBound, step))
      let tempo = Tempo(clamping: present.milliBPM + limited)
      if case .none = section.line.ramp, tempo == present { return nil }
      return .tempo(tempo)
    case .togglePolicy: return .policy(policy.isOff ? policyWhenOn : .off)
    case .toggleMute(let route):
      guard (0..<routeCount).contains(route) else { return nil }
      return .mute(route: route, !isMuted(route))
    case .offsetStep(let route, let step, let base):
      guard (0..<routeCount).contains(route) else { return nil }
      let limits = Route.offsets
      let reach = limits.upperBound - limits.lowerBound
      let limited = max(-reach, min(reach, step))
      let present = routes[route].offset
      let offset = min(base + limits.upperBound, max(base + limits.lowerBound, present + limited))
      return offset == present ? nil : .offset(route: route, offset)
    case .edit(let edit):
      let present = wantedPattern
      guard let pattern = try? present.edited(edit), pattern != present else { return nil }
      return .pattern(pattern)
    default: return change
    }
  }

  @_noLocks
  private func isMuted(_ route: Int) -> Bool {
    muted & (1 << UInt16(truncatingIfNeeded: route)) != 0
  }

  /// The current pattern, or the one waiting for the next beat or Start.
  var wantedPattern: ClickPattern {
    @_noLocks mutating get {
      if let pendingPattern { return pendingPattern }
      // With several passages each brings its own pattern.
      if passages.total == 1, let livePattern { return livePattern }
      return ring[ring.newest].span.pattern
    }
  }
}
