/// The transport state, the requests it accepts, and the messages each one sends.
///
/// Stopped: the position is kept; the clock may run but does not advance it. Armed: a Start is
/// coming and the count-in may sound. Rolling: every pulse advances the position. Start begins at
/// the top, Continue at the position kept, and Stop keeps the position. Song Position is sent only
/// while stopped.
///
/// | state   | start             | continue               | stop          | locate   |
/// |---------|-------------------|------------------------|---------------|----------|
/// | stopped | armed, then FA    | FB (FA at the top)     | nothing       | F2       |
/// | armed   | nothing           | nothing                | back, silent  | nothing  |
/// | rolling | FC FA on the beat | nothing                | FC            | nothing  |
///
/// A Stop revokes a Start or Continue of which nothing has been sent yet, and a restart before its
/// beat, and then acts as if they had not been requested.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, "System Real Time Messages": redundant Stop,
/// Start and Continue are ignored; the first clock after Start or Continue is the position itself,
/// and follows at least 1 ms later.
public enum Transport: UInt8, Hashable, Sendable {
  /// Not moving; the position is kept.
  case stopped
  /// A Start is coming; the count-in counts down to it.
  case armed
  /// The position advances with each pulse.
  case rolling

  // Comparisons for the timing path, where `==` would be a generic call.
  var isStopped: Bool {
    @_noLocks get {
      if case .stopped = self { return true }
      return false
    }
  }
  var isArmed: Bool {
    @_noLocks get {
      if case .armed = self { return true }
      return false
    }
  }
  var isRolling: Bool {
    @_noLocks get {
      if case .rolling = self { return true }
      return false
    }
  }

  /// A request by the user.
  public enum Request: Hashable, Sendable {
    /// Starts from the top.
    case start
    /// Continues from the position kept.
    case `continue`
    /// Stops now and keeps the position.
    case stop
    /// Moves the position while stopped; it must fall on a sixteenth that Song Position can
    /// express.
    case locate(Tick)
  }

  /// The messages that begin a new state, each with its lead before the state's first instant.
  enum Entry: Hashable, Sendable {
    case none
    case start
    case `continue`
    case continueAt(SongPosition)
    case stop
    case locate(SongPosition)
    case restart

    /// Start and Continue precede their pulse by 1 ms, the minimum in the specification.
    static var startLead: HostTime.Span { @_noLocks get { .milliseconds(1) } }
    /// Song Position precedes Continue by 10 ms, to give the receiver time to locate.
    static var locateLead: HostTime.Span { @_noLocks get { .milliseconds(11) } }

    /// How long before the state's first instant the previous state stops sending: no pulse may
    /// come between a Start or Continue and the pulse it announces.
    var quietLead: HostTime.Span {
      @_noLocks get {
        switch self {
        case .none, .stop, .locate: .zero
        case .start, .continue, .continueAt: Entry.startLead
        case .restart: lead(0)
        }
      }
    }

    /// Whether devices start moving with it.
    var begins: Bool {
      @_noLocks get {
        switch self {
        case .start, .continue, .continueAt, .restart: true
        case .none, .stop, .locate: false
        }
      }
    }

    /// The number of messages.
    var count: Int {
      @_noLocks get {
        switch self {
        case .none: 0
        case .start, .continue, .stop, .locate: 1
        case .continueAt, .restart: 2
        }
      }
    }

    /// Message number `index`, in sending order.
    @_noLocks
    func message(_ index: Int) -> MIDIMessage {
      switch self {
      case .start, .none: .start
      case .continue: .continue
      case .stop: .stop
      case .locate(let position): .songPosition(position)
      case .continueAt(let position): index == 0 ? .songPosition(position) : .continue
      case .restart: index == 0 ? .stop : .start
      }
    }

    /// How long before the state's first instant message number `index` is sent.
    @_noLocks
    func lead(_ index: Int) -> HostTime.Span {
      switch self {
      case .none, .stop, .locate: .zero
      case .start, .continue: Entry.startLead
      case .continueAt: index == 0 ? Entry.locateLead : Entry.startLead
      case .restart: index == 0 ? .milliseconds(2) : Entry.startLead
      }
    }
  }
}
