/// The leader's plan: which message or report is due next, and when.
///
/// The plan is data. A `copy` of the planner taken at some instant plays on from there, which is
/// how a dispatcher takes back what it planned too far ahead. It never asks what time it
/// is. Between two routes the earlier event comes first; at one instant, transport before clock,
/// clock before notes, note-off before note-on. A Stop ends what sounds first.
///
/// What runs per pulse (`PlanState`) is fixed-size integers without references; the compiler
/// checks that it neither allocates nor locks. The score is read on changes and, for its coming
/// passages, between two events.
///
/// Its properties have mutating getters, and it cannot be copied by accident, for one reason: a
/// read through an immutable reference copies the whole fixed array it reads from (Swift 6.3), some
/// kilobytes per event; a read in place does not.
public struct Planner: ~Copyable, Sendable {
  /// The most routes a plan can have, the observer included.
  public static let maximumRoutes = 16

  /// When the song ends by itself, before the score's own end.
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

  /// A plan that starts playing: pulse 0 of the first bar falls on `origin`.
  ///
  /// - Parameters:
  ///   - score: What is played.
  ///   - routes: Where it goes; at most `maximumRoutes`, further ones are left out.
  ///   - policy: When pulses go out.
  ///   - origin: The instant of the first pulse after Start or Continue.
  ///   - startBar: The bar begun with; from 2 on it is announced by Song Position and Continue.
  ///     Its first tick must fall on a sixteenth that Song Position can name.
  ///   - countInBars: Bars of clicks before Start.
  ///   - limit: When to stop by itself, if before the score's end.
  ///   - waits: Whether it begins stopped, with nothing but pulses (when they go out while stopped)
  ///     from `origin` on, until a change starts it.
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
      density: score.density(within: SectionRing.span), start: start,
      origin: origin, waits: waits)
    settle()
  }

  private init(copying other: borrowing Planner) {
    score = other.score
    state = PlanState(copying: other.state)
    earliness = other.earliness
  }

  /// A planner that goes on from here on its own.
  public borrowing func copy() -> Planner { Planner(copying: self) }

  /// Goes on from where `other` is, which must be a copy of this planner or the other way round.
  public mutating func become(_ other: inout Planner) { state.become(&other.state) }

  /// The next event; `nil` when nothing is planned (stopped without clock, or finished).
  ///
  /// Real-time safe: yes.
  public var next: PlannedEvent? { mutating get { state.next } }

  /// True when the song has come to its end or was halted, and nothing more will be planned.
  ///
  /// Real-time safe: yes.
  public var isFinished: Bool { mutating get { state.isFinished } }

  /// True while the song moves, or will once what is planned has been given.
  ///
  /// Real-time safe: yes.
  public var isRolling: Bool { mutating get { state.isRolling } }

  /// The pace that new pulses are planned with.
  ///
  /// Real-time safe: yes.
  public var pace: Pace { mutating get { state.pace } }

  /// Goes on to the event after `next`.
  ///
  /// Real-time safe: yes; where a score turns, its coming passages are copied from memory.
  public mutating func advance() {
    state.advance()
    settle()
  }

  /// Appends what the score says next, as far as it is wanted, with its coming passages at hand.
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

  /// Puts everything not yet given `span` later: after a stall too long to catch up with.
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

  /// What became of a change.
  public enum Outcome: Hashable, Sendable {
    /// It is planned.
    case applied
    /// It means nothing in the present state, or names a place that cannot be named.
    case ignored
    /// No room for now: too many changes still under way; ask again.
    case busy
  }

  /// Changes the plan from `instant` on.
  ///
  /// `instant` is on the plan's own time, without any route's offset: `earliness` later than what can
  /// still be changed on the way out. What was already given
  /// stays, so a change takes effect after it at the earliest.
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
    // A new place needs the score's passages around it.
    let window = place.map { PassageWindow(of: score, from: score.index(at: $0)) }
    let outcome = state.apply(
      change, at: instant, leaving: instant - earliness, passages: window)
    if case .offset(_, let offset) = change, outcome == .applied {
      earliness = max(earliness, -offset)
    }
    settle()
    return outcome
  }

  /// Two changes in one; made again after `.busy`, the one already made changes nothing.
  private mutating func stopToTop(at instant: HostTime) -> Outcome {
    let stopped = apply(.transport(.stop), at: instant)
    guard stopped != .busy else { return .busy }
    let moved = apply(.transport(.locate(.zero)), at: instant)
    return moved == .ignored ? stopped : moved
  }

  /// What is planned by now, for `PlanSnapshot`.
  ///
  /// Real-time safe: yes.
  public var planned: PlanSnapshot.Planned { @_noLocks mutating get { state.planned } }

  /// The pattern in which `route` counts its next event.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func pattern(ofRoute route: Int) -> ClickPattern { state.pattern(ofRoute: route) }
}
