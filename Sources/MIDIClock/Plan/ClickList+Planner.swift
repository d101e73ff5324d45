extension ClickList {
  /// Collects the clicks that `planner` plans until it finishes; the plan must end by itself.
  ///
  /// - Parameters:
  ///   - planner: A plan in which `route` carries only clicks and has no offset.
  ///   - route: The route whose clicks are collected.
  ///   - observer: The route that carries the reports.
  ///   - last: The latest end of the list. Without it the list ends on the plan's last tick, which
  ///     may be later.
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
    // A note that ends on the plan's last tick ends at `last` instead.
    for index in clicks.indices where last < clicks[index].end { clicks[index].end = last }
  }
}
