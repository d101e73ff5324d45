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
    case report(Report)
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

/// What the plan tells the display and the log, at the instant it is true.
public enum Report: Hashable, Sendable {
  /// A pulse of the clock, to be counted; `isRolling` when it moves the place.
  case pulse(isRolling: Bool)
  /// A beat begins.
  case beat(Beat)
  /// Start: from the top.
  case start
  /// Continue: from the place kept.
  case `continue`
  /// Stop.
  case stop
  /// The place moved while stopped.
  case position(SongPosition, Position)
  /// A new tempo holds from here.
  case tempo(Tempo)

  /// One beat of the meter's unit.
  public struct Beat: Hashable, Sendable {
    /// Bar and beat, from 1; bars 0 and below count in.
    public var position: Position
    /// How it is accented.
    public var accent: Accent
    /// The pulse it falls on, from 0 at the top of the song; negative while counting in.
    public var pulse: Int64
    /// The tempo at that place.
    public var tempo: Tempo
    /// True before the Start.
    public var isCountIn: Bool

    /// A beat of its parts.
    @_noLocks
    public init(
      position: Position, accent: Accent, pulse: Int64, tempo: Tempo, isCountIn: Bool
    ) {
      self.position = position
      self.accent = accent
      self.pulse = pulse
      self.tempo = tempo
      self.isCountIn = isCountIn
    }
  }
}
