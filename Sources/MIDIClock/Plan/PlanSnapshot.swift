/// The state of the plan: what is planned and what has been performed.
///
/// This is the only source for the state of the song. It is a value without references, a few
/// hundred bytes long, so that the engine can publish it. Reports may be dropped when they are not
/// read in time; the next snapshot makes up for them.
///
/// `performed` is the state after the last performed report. `planned` is the state after the last
/// change, which a queued dispatch may have planned up to 100 ms ahead.
public struct PlanSnapshot: Sendable {
  /// The state after the last performed report.
  public var performed: Performed
  /// The state after everything planned.
  public var planned: Planned
  /// The changes handled so far.
  public var handled = HandledChanges()
  /// Whether nothing will be sent any more.
  public var isFinished = false

  /// A snapshot of a plan before anything has been performed.
  @_noLocks
  public init(_ planned: Planned, performed: Performed) {
    self.planned = planned
    self.performed = performed
  }

  /// The transport state, as performed.
  ///
  /// An aborted count-in sends and reports nothing, so it counts as over as soon as the plan has
  /// ended it.
  public var transport: Transport {
    if performed.transport.isArmed, planned.endsSilently { return .stopped }
    return performed.transport
  }

  /// The state after the reports performed so far.
  public struct Performed: Sendable {
    /// The transport state.
    public private(set) var transport = Transport.stopped
    /// Bar and beat of the last beat or move.
    public private(set) var position = Position(bar: 1, beat: 1)
    /// Whether a beat or a position has been performed yet.
    public private(set) var hasPlace = false
    /// The place of the last beat, on the plan's count of ticks.
    public private(set) var place: Tick
    /// The tempo of the last beat or tempo change.
    public private(set) var tempo: Tempo
    /// The pattern of the last beat.
    public private(set) var pattern: ClickPattern
    /// The part of the song that the last beat belongs to.
    public private(set) var part: PlayedPart?
    /// When the last report but a pulse was due; before the first, the distant past.
    public private(set) var time = HostTime(nanoseconds: Int64.min / 2)

    /// The state before any report, for a plan that begins as `planned`.
    @_noLocks
    public init(before planned: Planned) {
      place = planned.resume
      tempo = planned.tempo
      pattern = planned.pattern
    }

    /// Updates the state with a report performed for `instant`; `pattern` is set for a beat.
    ///
    /// Real-time safe: yes.
    @_noLocks
    public mutating func take(_ report: PlanReport, at instant: HostTime, pattern: ClickPattern?) {
      switch report {
      case .pulse: return
      case .start, .continue: transport = .rolling
      case .stop: transport = .stopped
      case .position(let pointer, let position):
        place = pointer.tick
        self.position = position
        hasPlace = true
      case .tempo(let tempo): self.tempo = tempo
      case .beat(let beat):
        transport = beat.isCountIn ? .armed : .rolling
        position = beat.position
        hasPlace = true
        place = Tick(pulse: beat.pulse)
        tempo = beat.tempo
        if !beat.isCountIn { part = beat.part }
        if let pattern { self.pattern = pattern }
      }
      time = instant
    }
  }

  /// The state of the newest planned section, and the live settings.
  public struct Planned: Sendable {
    /// The transport state that the section brings.
    public var transport: Transport
    /// Whether the section stops without sending or reporting it.
    var endsSilently: Bool
    /// The tick on which the section begins, on the plan's count.
    public var place: Tick
    /// The instant at which it begins.
    public var time: HostTime
    /// The requested tempo where it begins.
    public var tempo: Tempo
    /// Its pattern.
    public var pattern: ClickPattern
    /// The requested pattern: the current one, or the one waiting for the next beat or Start.
    public var wantedPattern: ClickPattern
    /// When pulses go out.
    public var policy: ClockPolicy
    /// One bit for each muted route.
    public var muted: UInt16
    /// Each route's offset, as last requested.
    public var offsets: [16 of HostTime.Span]
    /// The passage of the score, from 0.
    public var passage: Int
    /// Where Continue would resume; while playing, where playing began.
    public var resume: Tick
    /// While stopped: whether something has been played or the position was moved.
    public var isPlaceKnown: Bool
    /// Whether the song has come to its end or was halted.
    public var hasEnded: Bool

    /// A state with these values; the synthesized initializer is not `@_noLocks`.
    @_noLocks
    init(
      transport: Transport, endsSilently: Bool, place: Tick, time: HostTime, tempo: Tempo,
      pattern: ClickPattern, wantedPattern: ClickPattern, policy: ClockPolicy, muted: UInt16,
      offsets: [16 of HostTime.Span], passage: Int, resume: Tick, isPlaceKnown: Bool,
      hasEnded: Bool
    ) {
      self.transport = transport
      self.endsSilently = endsSilently
      self.place = place
      self.time = time
      self.tempo = tempo
      self.pattern = pattern
      self.wantedPattern = wantedPattern
      self.policy = policy
      self.muted = muted
      self.offsets = offsets
      self.passage = passage
      self.resume = resume
      self.isPlaceKnown = isPlaceKnown
      self.hasEnded = hasEnded
    }

    /// Whether the clicks of `route` are muted.
    public func isMuted(_ route: Int) -> Bool {
      muted & (1 << UInt16(truncatingIfNeeded: route)) != 0
    }
  }
}
