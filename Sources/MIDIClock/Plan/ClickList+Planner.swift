extension ClickList {
  /// Gathers what `planner` plans; the plan must come to an end by itself.
  ///
  /// - Parameters:
  ///   - planner: A plan in which `route` carries clicks and nothing else, and has no offset.
  ///   - route: Whose clicks.
  ///   - observer: The route of the reports.
  ///   - last: The instant it ends at the latest; a plan itself ends on a tick, which is later.
  public init(
    _ planner: consuming Planner, route: Int, observer: Int, notAfter last: HostTime? = nil
  ) {
    self.init()
    var planner = planner
    var sounding: [UInt8: Int] = [:]
    var hasBegun = false
    while let event = planner.next {
      planner.advance()
      if event.time > end { end = event.time }
      switch event.action {
      case .send(.noteOn(_, let key, let velocity)) where event.route == route:
        sounding[key] = clicks.count
        clicks.append(Click(time: event.time, end: event.time, key: key, velocity: velocity))
      case .send(.noteOff(_, let key, _)) where event.route == route:
        if let index = sounding.removeValue(forKey: key) { clicks[index].end = event.time }
      case .report(.beat) where event.route == observer && !hasBegun:
        begin = event.time
        hasBegun = true
      case .report(.stop) where event.route == observer: end = event.time
      default: break
      }
    }
    guard let last, last < end else { return }
    end = last
    // An end of a note on the plan's last tick is one on the last instant.
    for index in clicks.indices where last < clicks[index].end { clicks[index].end = last }
  }
}
