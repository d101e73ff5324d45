/// What the transport is doing, what it may be asked, and what each answer sends.
///
/// Stopped: the place is kept; the clock may run, but it moves nothing. Armed: a Start is coming,
/// the count-in may sound. Rolling: every pulse moves the place. Start goes to the top, Continue
/// goes on from the place kept, Stop keeps it. Song Position is sent only while stopped.
///
/// | state   | start             | continue               | stop          | locate   |
/// |---------|-------------------|------------------------|---------------|----------|
/// | stopped | armed, then FA    | FB (FA at the top)     | nothing       | F2       |
/// | armed   | nothing           | nothing                | back, silent  | nothing  |
/// | rolling | FC FA on the beat | nothing                | FC            | nothing  |
///
/// A Stop takes back a Start or Continue of which nothing has left yet, a restart before its beat for
/// one, and then does what it would have done without it.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, "System Real Time Messages": redundant Stop,
/// Start and Continue are ignored; the first clock after Start or Continue is the place itself,
/// and follows at least 1 ms later.
public enum Transport: UInt8, Hashable, Sendable {
  /// The place is kept.
  case stopped
  /// A Start is coming; the count-in counts down to it.
  case armed
  /// The place moves with each pulse.
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

  /// What the player asks for.
  public enum Request: Hashable, Sendable {
    /// From the top.
    case start
    /// From the place kept.
    case `continue`
    /// Now, keeping the place.
    case stop
    /// Move the place while stopped; must fall on a sixteenth that Song Position can name.
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

    /// Start and Continue precede their pulse by 1 ms, the least the specification asks for.
    static var startLead: HostTime.Span { @_noLocks get { .milliseconds(1) } }
    /// Song Position precedes Continue by 10 ms: time for a receiver to find the place.
    static var locateLead: HostTime.Span { @_noLocks get { .milliseconds(11) } }

    /// How long before the state's first instant the state before falls silent: no pulse may come
    /// between a Start or Continue and the pulse it announces.
    var quietLead: HostTime.Span {
      @_noLocks get {
        switch self {
        case .none, .stop, .locate: .zero
        case .start, .continue, .continueAt: Entry.startLead
        case .restart: lead(0)
        }
      }
    }

    /// Whether the devices begin to move with it.
    var begins: Bool {
      @_noLocks get {
        switch self {
        case .start, .continue, .continueAt, .restart: true
        case .none, .stop, .locate: false
        }
      }
    }

    /// How many messages.
    var count: Int {
      @_noLocks get {
        switch self {
        case .none: 0
        case .start, .continue, .stop, .locate: 1
        case .continueAt, .restart: 2
        }
      }
    }

    /// Message number `index`, in the order sent.
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

    /// How long before the state's first instant message number `index` leaves.
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
