/// One thing the plan does at one instant: a message for a route, or a report for the display.
public struct PlannedEvent: Hashable, Sendable {
  /// When it is due, the route's offset included.
  public var time: HostTime
  /// The route, by its place in the list the planner was given.
  public var route: Int
  /// What is done.
  public var action: Action
  /// For a pulse: the closest it may follow the route's last one, half the shortest period between.
  public var closest: HostTime.Span

  /// An event of `route` at `time`.
  @_noLocks
  public init(time: HostTime, route: Int, action: Action, closest: HostTime.Span) {
    self.time = time
    self.route = route
    self.action = action
    self.closest = closest
  }

  /// What is done.
  public enum Action: Hashable, Sendable {
    /// Send it.
    case send(MIDIMessage)
    /// Tell it.
    case report(PlanReport)
    /// A muted click: nothing goes out.
    case rest
  }

  /// True for an `F8`.
  public var isPulse: Bool {
    @_noLocks get {
      if case .send(.clock) = action { return true }
      return false
    }
  }

  /// True for the end of a note.
  public var isNoteOff: Bool {
    @_noLocks get {
      if case .send(.noteOff) = action { return true }
      return false
    }
  }

  /// True for the messages an `F8` must follow by 1 ms.
  public var isStart: Bool {
    @_noLocks get {
      switch action {
      case .send(.start), .send(.continue): true
      default: false
      }
    }
  }
}
