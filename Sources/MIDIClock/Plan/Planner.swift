/// Plans which message or report is due next, and when.
///
/// The plan is data. A `copy` of the planner continues independently from that point, which is how
/// a dispatch takes back what it planned too far ahead. The planner never reads a clock. Across
/// routes the earlier event comes first; at the same instant, transport before clock, clock before
/// notes, note-off before note-on. A Stop first ends the notes that sound.
///
/// What runs per pulse (`PlanState`) is fixed-size integers without references; the compiler checks
/// that it neither allocates nor locks. The score is read on changes and, for its coming passages,
/// between two events.
///
/// Its properties have mutating getters, and it cannot be copied implicitly, for one reason: a read
/// through an immutable reference copies the whole fixed array it reads from (Swift 6.3), some
/// kilobytes per event; a read in place does not.
public struct Planner: ~Copyable, Sendable {
  /// The maximum number of routes, including the observer.
  public static let maximumRoutes = 16

  /// When the song ends by itself, if before the score's own end.
  public enum Limit: Hashable, Sendable {
    /// Never.
    case none
    /// At this instant.
    case time(HostTime)
  }

  private let score: Score
  private var state: PlanState
  /// The most that any route has run ahead of the plan.
  public private(set) var earliness: HostTime.Span

  /// Creates a plan in which the first pulse after Start falls on `origin`.
  ///
  /// - Parameters:
  ///   - score: What to play.
  ///   - routes: Where to send it; routes beyond `maximumRoutes` are ignored.
  ///   - policy: When pulses go out.
  ///   - origin: The instant of the first pulse after Start or Continue.
  ///   - startBar: The bar to begin with, from 1. From bar 2 on, Song Position and Continue
  ///     announce it, and its first tick must fall on a sixteenth that Song Position can express.
  ///   - countInBars: Bars of clicks before Start.
  ///   - limit: When to stop by itself, if before the score's end.
  ///   - waits: Whether to begin stopped until a change starts it. Pulses, if the policy sends them
  ///     while stopped, begin at `origin`.
  public init(
    score: Score, routes: [Route], policy: ClockPolicy = .always, origin: HostTime = .zero,
    startBar: Int64 = 1, countInBars: Int64 = 0, limit: Limit = .none, waits: Bool = false
  ) {
    self.score = score
    earliness = routes.map { -$0.offset }.reduce(.zero, max)
    let start = score.start(ofBar: startBar)
    state = PlanState(
      routes: Array(routes.prefix(Self.maximumRoutes)), policy: policy, countInBars: countInBars,
      limit: limit, songEnd: score.end ?? Tick.endless,
      passages: PassageWindow(of: score, from: score.index(at: start)),
      pickUp: score.pickUp, density: score.density(within: SectionRing.span), start: start,
      origin: origin, waits: waits)
    settle()
  }

  private init(copying other: borrowing Planner) {
    score = other.score
    state = PlanState(copying: other.state)
    earliness = other.earliness
  }

  /// An independent planner that continues from here.
  public borrowing func copy() -> Planner { Planner(copying: self) }

  /// Continues from the state of `other`, which must be a copy of this planner or its original.
  public mutating func become(_ other: inout Planner) { state.become(&other.state) }

  /// The next event; `nil` if nothing is planned (stopped without clock, or finished).
  ///
  /// Real-time safe: yes.
  public var next: PlannedEvent? { mutating get { state.next } }

  /// True when the song has ended or was halted, and nothing more will be planned.
  ///
  /// Real-time safe: yes.
  public var isFinished: Bool { mutating get { state.isFinished } }

  /// True while the song moves, or will once everything planned so far has been sent.
  ///
  /// Real-time safe: yes.
  public var isRolling: Bool { mutating get { state.isRolling } }

  /// The pace at which new pulses are planned.
  ///
  /// Real-time safe: yes.
  public var pace: Pace { mutating get { state.pace } }

  /// Advances to the event after `next`.
  ///
  /// Real-time safe: yes; at a new passage of the score, the following passages are copied from
  /// memory.
  public mutating func advance() {
    state.advance()
    settle()
  }

  /// Appends the sections that are needed next, and refills the passage window.
  private mutating func settle() {
    takePassages()
    while state.mustTurn {
      state.turn()
      takePassages()
    }
  }

  private mutating func takePassages() {
    if state.wantsPassages { state.timeline.passages.slide(to: state.newestPassage, of: score) }
  }

  /// Postpones everything not yet sent by `span`, after a stall too long to catch up with.
  ///
  /// Real-time safe: yes.
  public mutating func shift(by span: HostTime.Span) {
    state.shift(by: span)
    settle()
  }

  /// Ends everything at `instant`, whatever the routes' offsets: note-offs for exactly the notes
  /// that sound, then Stop for each device that was started, then nothing.
  ///
  /// Real-time safe: yes.
  public mutating func halt(at instant: HostTime) { state.halt(at: instant) }

  /// The outcome of a change.
  public enum Outcome: Hashable, Sendable {
    /// Planned.
    case applied
    /// Has no meaning in the present state, or names a position that MIDI cannot express.
    case ignored
    /// Too many changes are still under way; try again.
    case busy
  }

  /// Changes the plan from `instant` on.
  ///
  /// `instant` is in plan time, without any route's offset: the time up to which messages may
  /// already have been sent, plus `earliness`. What has been returned by `next` stays, so a change
  /// takes effect after it at the earliest.
  public mutating func apply(_ change: PlanChange, at instant: HostTime) -> Outcome {
    if case .stopToTop = change { return stopToTop(at: instant) }
    while state.isBehind(instant) {
      state.turn()
      takePassages()
    }
    guard let change = state.resolved(change, at: instant) else { return .ignored }
    let place: Tick? =
      switch change {
      case .transport(.start): .zero
      case .transport(.continue): state.resumePlace
      case .transport(.locate(let tick)): tick
      case .startOnBeat: state.tappedPlace
      default: nil
      }
    // A new position needs the passages around it.
    let window = place.map { PassageWindow(of: score, from: score.index(at: $0)) }
    let outcome = state.apply(
      change, at: instant, leaving: instant - earliness, passages: window)
    if case .offset(_, let offset) = change, outcome == .applied {
      earliness = max(earliness, -offset)
    }
    settle()
    return outcome
  }

  /// Applies a Stop and a move to the top.
  ///
  /// When repeated after `.busy`, the one already made changes nothing.
  private mutating func stopToTop(at instant: HostTime) -> Outcome {
    let stopped = apply(.transport(.stop), at: instant)
    guard stopped != .busy else { return .busy }
    let moved = apply(.transport(.locate(.zero)), at: instant)
    return moved == .ignored ? stopped : moved
  }

  /// The planned state, for `PlanSnapshot`.
  ///
  /// Real-time safe: yes.
  public var planned: PlanSnapshot.Planned { @_noLocks mutating get { state.planned } }

  /// The pattern that applies to the next event of `route`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func pattern(ofRoute route: Int) -> ClickPattern { state.pattern(ofRoute: route) }
}
