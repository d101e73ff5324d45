/// One planned event: a message for a route, or a report for the display.
public struct PlannedEvent: Hashable, Sendable {
  /// When it is due, including the route's offset.
  public var time: HostTime
  /// The index of its route in the planner's list.
  public var route: Int
  /// What to do.
  public var action: Content
  /// For a pulse: the shortest allowed distance from the route's last pulse, half the shortest
  /// period since then.
  public var closest: HostTime.Span

  /// An event of `route` at `time`.
  @_noLocks
  public init(time: HostTime, route: Int, action: Content, closest: HostTime.Span) {
    self.time = time
    self.route = route
    self.action = action
    self.closest = closest
  }

  /// What to do.
  public enum Content: Hashable, Sendable {
    /// Send this message.
    case send(MIDIMessage)
    /// Report this.
    case report(PlanReport)
    /// A muted click: nothing is sent.
    case rest
  }

  /// True for a clock message (`F8`).
  public var isPulse: Bool {
    @_noLocks get {
      if case .send(.clock) = action { return true }
      return false
    }
  }

  /// True for a note-off.
  public var isNoteOff: Bool {
    @_noLocks get {
      if case .send(.noteOff) = action { return true }
      return false
    }
  }

  /// True for Start and Continue, which an `F8` may follow after 1 ms at the earliest.
  public var isStart: Bool {
    @_noLocks get {
      switch action {
      case .send(.start), .send(.continue): true
      default: false
      }
    }
  }
}
