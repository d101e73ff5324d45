/// The planner's state from one event to the next: fixed size, without references.
///
/// Not copyable, so that reading it never copies kilobytes by accident.
struct PlanState: ~Copyable {
  /// What is rewound, besides cursors and sections, when a dispatch takes back events that it
  /// planned too far ahead.
  struct Timeline {
    var passages: PassageWindow
    var limit: Planner.Limit
    /// Pace and pattern set live; they outlive a Stop when the score has one passage.
    var livePace: Pace?
    var livePattern: ClickPattern?
    /// A pattern waiting for the next beat.
    var pendingPattern: ClickPattern?
    var isHalted = false
    var haltTime = HostTime.zero
    var hasEnded = false
    /// The latest pulse or click that any route was given, without its offset.
    var latestGiven = HostTime(nanoseconds: Int64.min / 2)
    /// The route whose event comes next.
    fileprivate(set) var leading = 0
  }

  var policy: ClockPolicy
  /// The policy that `togglePolicy` restores: the last one other than off.
  var policyWhenOn: ClockPolicy
  /// One bit for each muted route.
  var muted: UInt16 = 0
  let countInBars: Int64
  /// The bars after a pick-up, in which the count-in is counted.
  let pickUp: MeterSpan?
  let songEnd: Tick
  var routes: [16 of Route]
  /// How each route's offset reaches the value last requested.
  var glides: [16 of OffsetGlide] = .init(repeating: OffsetGlide())
  let routeCount: Int
  var cursors: [16 of RouteCursor]
  var ring: SectionRing
  var timeline: Timeline
  /// The pulse interval at which every divided route has a pulse.
  let commonDivision: Int64
  /// Whether any route has pulses between the clock's.
  let hasMultipliedRoutes: Bool

  init(
    routes: [Route], policy: ClockPolicy, countInBars: Int64, limit: Planner.Limit, songEnd: Tick,
    passages window: PassageWindow, pickUp: MeterSpan?, density: Int, start: Tick, origin: HostTime,
    waits: Bool
  ) {
    self.policy = policy
    policyWhenOn = policy.isOff ? .always : policy
    self.countInBars = countInBars
    self.pickUp = pickUp
    self.songEnd = songEnd
    timeline = Timeline(passages: window, limit: limit)
    routeCount = routes.count
    self.routes = .init(repeating: .observer)
    for index in routes.indices {
      self.routes[index] = routes[index]
      if routes[index].isMuted { muted |= 1 << UInt16(truncatingIfNeeded: index) }
    }
    cursors = .init(repeating: RouteCursor())
    commonDivision = routes.reduce(1) { Division.leastCommonMultiple($0, $1.divide) }
    hasMultipliedRoutes = routes.contains { $0.multiply > 1 }
    let line = TempoMap.Segment(tick: start, time: origin, pace: timeline.passages.present.pace)
    // Nothing leaves before the first Start: this section only waits for it.
    let dawn = Tick(start.count - Tick.endless.count)
    ring = SectionRing(
      first: Section(
        line: line, span: timeline.passages.present.span, start: dawn,
        time: line.time(of: ExactTick(dawn)), end: start, state: .stopped, hasPulses: false,
        hasClicks: false, entry: .none, announcesTempo: false, resume: start,
        passage: timeline.passages.firstNumber), density: density)
    if waits {
      wait(at: start, from: origin)
    } else {
      begin(at: start, time: origin, countIn: countInBars > 0)
    }
    refreshHeads()
  }

  /// An independent copy of `other`.
  init(copying other: borrowing PlanState) {
    policy = other.policy
    policyWhenOn = other.policyWhenOn
    muted = other.muted
    countInBars = other.countInBars
    pickUp = other.pickUp
    songEnd = other.songEnd
    routes = other.routes
    glides = other.glides
    routeCount = other.routeCount
    cursors = other.cursors
    ring = SectionRing(copying: other.ring)
    timeline = other.timeline
    commonDivision = other.commonDivision
    hasMultipliedRoutes = other.hasMultipliedRoutes
  }

  /// Takes over the state of `other`, which is this plan at another time.
  ///
  /// Live settings that are not tied to a position stay as they are here: routes and their offsets,
  /// muting, policy. Copies only what is in use, some hundred bytes a route, not the whole storage.
  mutating func become(_ other: inout PlanState) {
    var index = 0
    while index < routeCount {
      cursors[index] = other.cursors[index]
      index += 1
    }
    ring.become(other.ring, from: other.oldestSection)
    timeline = other.timeline
  }

  var next: PlannedEvent? {
    @_noLocks mutating get {
      switch cursors[timeline.leading].head.kind {
      case .nothing, .turn: return nil
      case .entry, .pulse, .noteOff, .click: return cursors[timeline.leading].head.event
      }
    }
  }

  var isFinished: Bool {
    @_noLocks mutating get {
      guard timeline.isHalted || timeline.hasEnded else { return false }
      if case .nothing = cursors[timeline.leading].head.kind { return true }
      return false
    }
  }

  @_noLocks
  mutating func advance() {
    give(timeline.leading)
    refreshHead(timeline.leading)
    chooseLeading()
  }

  /// True when nothing comes before the newest section's end and its successor can be appended.
  var mustTurn: Bool {
    @_noLocks mutating get {
      cursors[timeline.leading].head.isTurn && !ring.isFull(oldestInUse: oldestSection)
    }
  }

  /// Appends what follows the newest section.
  @_noLocks
  mutating func turn() {
    appendSuccessor()
    refreshHeads()
  }

  @_noLocks
  mutating func shift(by span: HostTime.Span) {
    var number = oldestSection
    while number <= ring.newest {
      var section = ring[number]
      section.time = section.time + span
      section.line.time = section.line.time + span
      ring[number] = section
      number &+= 1
    }
    if case .time(let end) = timeline.limit { timeline.limit = .time(end + span) }
    timeline.latestGiven = timeline.latestGiven + span
    var index = 0
    while index < routeCount {
      glides[index].shift(by: span)
      index &+= 1
    }
    refreshHeads()
  }

  @_noLocks
  mutating func halt(at instant: HostTime) {
    timeline.isHalted = true
    timeline.haltTime = instant
    refreshHeads()
  }

  var isRolling: Bool {
    @_noLocks mutating get {
      !timeline.isHalted && ring[ring.newest].state.isRolling
    }
  }

  var pace: Pace {
    @_noLocks mutating get {
      let section = ring[ring.newest]
      return section.pace(at: section.start)
    }
  }

  /// Where Continue would resume; `nil` unless stopped.
  var resumePlace: Tick? {
    mutating get {
      let section = ring[ring.newest]
      return section.state == .stopped ? section.resume : nil
    }
  }

  /// Where a tapped start would begin; `nil` unless stopped.
  var tappedPlace: Tick? {
    mutating get {
      let section = ring[ring.newest]
      guard section.state == .stopped else { return nil }
      // After playing, the top; if never started, the start position.
      return section.isPlaceKnown ? .zero : section.resume
    }
  }

  /// The passage of the newest section.
  var newestPassage: Int { @_noLocks mutating get { ring[ring.newest].passage } }

  /// True when the passages held are about to run out before the score does.
  var wantsPassages: Bool {
    @_noLocks mutating get { timeline.passages.lacks(after: newestPassage &+ 1) }
  }

  /// The oldest section that a route is still in.
  var oldestSection: Int {
    @_noLocks mutating get {
      var oldest = ring.newest
      var index = 0
      while index < routeCount {
        if cursors[index].section < oldest { oldest = cursors[index].section }
        index &+= 1
      }
      return oldest
    }
  }

  @_noLocks
  mutating func refreshHeads() {
    var index = 0
    while index < routeCount {
      refreshHead(index)
      index &+= 1
    }
    chooseLeading()
  }

  @_noLocks
  private mutating func chooseLeading() {
    var best = 0
    var index = 1
    while index < routeCount {
      if cursors[index].head.precedes(cursors[best].head) { best = index }
      index &+= 1
    }
    timeline.leading = best
    // Without room for a successor the routes behind go on first.
    guard cursors[best].head.isTurn, ring.isFull(oldestInUse: oldestSection) else { return }
    index = 0
    while index < routeCount {
      if !cursors[index].head.isTurn,
        cursors[timeline.leading].head.isTurn
          || cursors[index].head.precedes(cursors[timeline.leading].head)
      {
        timeline.leading = index
      }
      index &+= 1
    }
  }
}
