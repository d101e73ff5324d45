/// How far one route has advanced through the plan.
struct RouteCursor {
  /// The section it is in.
  var section = 0
  /// How many entry messages of the next section have been sent.
  var entriesGiven = 0
  /// Its next pulse, in its own count.
  var pulse: Int64 = 0
  /// Its next click, counted from the start of the section's span; `none` if the bar is silent.
  var click: Int64 = Int64.max
  /// The values of these two when it left the previous section.
  var pulseBefore: Int64 = 0
  var clickBefore: Int64 = Int64.max
  /// Half the shortest pulse period since its last pulse.
  var closest = HostTime.Span(nanoseconds: Int64.max / 4)
  /// The sounding notes, by the voice's slots.
  var notes: [3 of SoundingNote] = .init(repeating: SoundingNote())
  /// Whether its device has been started.
  var isRolling = false
  /// The next event; in the distant future if there is none.
  var head = Candidate.nothing

  /// The value of `click` when none is to come.
  static var none: Int64 { @_noLocks get { Int64.max } }

  /// A note that has been struck and has not ended.
  struct SoundingNote {
    var isSounding = false
    var key: UInt8 = 0
    var off = HostTime.zero
  }

  /// A route's next event and its kind.
  ///
  /// At the same instant the lower rank goes first.
  struct Candidate {
    var event: PlannedEvent
    var kind: Kind
    /// The plan time of a pulse or click, without the route's offset.
    var place = HostTime.zero

    @_noLocks
    init(event: PlannedEvent, kind: Kind) {
      self.event = event
      self.kind = kind
    }

    enum Kind {
      case entry, pulse, noteOff, click, nothing
      /// Nothing is due before the newest section ends by itself; its successor is needed.
      case turn
    }

    /// The order among events of one instant, over all routes: every device gets its pulse before
    /// any gets its click.
    var rank: Int {
      @_noLocks get {
        switch kind {
        case .turn: -1
        case .entry: 0
        case .pulse: 1
        case .noteOff: 2
        case .click: 3
        case .nothing: 4
        }
      }
    }

    var isPulse: Bool {
      @_noLocks get {
        if case .pulse = kind { return true }
        return false
      }
    }

    /// True for a pulse or click, whose time follows from the section's tempo line.
    var isOnLine: Bool {
      @_noLocks get {
        switch kind {
        case .pulse, .click: true
        case .entry, .noteOff, .nothing, .turn: false
        }
      }
    }

    var isTurn: Bool {
      @_noLocks get {
        if case .turn = kind { return true }
        return false
      }
    }

    @_noLocks
    func precedes(_ other: Candidate) -> Bool {
      if event.time < other.event.time { return true }
      return event.time == other.event.time && rank < other.rank
    }

    static var nothing: Candidate {
      @_noLocks get {
        Candidate(
          event: PlannedEvent(
            time: .distantFuture, route: 0, action: .send(.clock), closest: .zero),
          kind: .nothing)
      }
    }
  }

  /// The slot of the sounding note that ends first; `nil` when no note sounds.
  var firstToEnd: Int? {
    @_noLocks get {
      var found: Int?
      var time = HostTime.distantFuture
      for slot in 0..<3 where notes[slot].isSounding && notes[slot].off < time {
        found = slot
        time = notes[slot].off
      }
      return found
    }
  }
}
