// The plan's part of a snapshot.

extension PlanState {
  var planned: PlanSnapshot.Planned {
    @_noLocks mutating get {
      let section = ring[ring.newest]
      var offsets: [16 of HostTime.Span] = .init(repeating: .zero)
      var index = 0
      while index < routeCount {
        offsets[index] = routes[index].offset
        index &+= 1
      }
      var endsSilently = section.state.isStopped
      if case .stop = section.entry { endsSilently = false }
      return PlanSnapshot.Planned(
        transport: section.state, endsSilently: endsSilently, place: section.start,
        time: section.time, tempo: section.tempo(at: section.start),
        pattern: section.span.pattern, wantedPattern: wantedPattern, policy: policy,
        muted: muted, offsets: offsets, passage: section.passage, resume: section.resume,
        isPlaceKnown: section.isPlaceKnown,
        hasEnded: timeline.isHalted || timeline.hasEnded)
    }
  }

  /// The pattern of the section that `route` is in.
  @_noLocks
  mutating func pattern(ofRoute route: Int) -> ClickPattern {
    ring[cursors[route].section].span.pattern
  }
}
