/// What is planned and what has been performed of it: the one answer to what a song does.
///
/// A value without references, a few hundred bytes, so that the engine can publish it. Reports may
/// be dropped when nobody reads them in time; the next snapshot makes up for them.
///
/// `performed` is the state that the last performed report left. `planned` is the state after the
/// last change, which a queued dispatch may have planned up to 100 ms ahead.
public struct PlanSnapshot: Sendable {
  /// The state that the last performed report left.
  public var performed: Performed
  /// The state after everything planned.
  public var planned: Planned
  /// The changes handled so far.
  public var handled = HandledChanges()
  /// Whether nothing will be sent any more.
  public var isFinished = false

  /// A snapshot of a plan of which nothing has been performed.
  @_noLocks
  public init(_ planned: Planned, performed: Performed) {
    self.planned = planned
    self.performed = performed
  }

  /// What the transport does, as it has been performed.
  ///
  /// A count-in that was ended sends and reports nothing, so it is over when the plan says so.
  public var transport: Transport {
    if performed.transport.isArmed, planned.endsSilently { return .stopped }
    return performed.transport
  }

  /// The state that the reports performed so far have left.
  public struct Performed: Sendable {
    /// What the transport did last.
    public private(set) var transport = Transport.stopped
    /// Bar and beat of the last beat or place.
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

    /// The state before any report of a plan that begins as `planned`.
    @_noLocks
    public init(before planned: Planned) {
      place = planned.resume
      tempo = planned.tempo
      pattern = planned.pattern
    }

    /// Takes in a report performed for `instant`; `pattern` is that of a beat.
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

  /// The state of the newest section planned, and what is set live.
  public struct Planned: Sendable {
    /// What the transport will do.
    public var transport: Transport
    /// Whether the section began a stop that sends and reports nothing.
    var endsSilently: Bool
    /// Where the section begins, on the plan's count of ticks.
    public var place: Tick
    /// When it begins.
    public var time: HostTime
    /// The tempo asked for where it begins.
    public var tempo: Tempo
    /// The pattern it counts in.
    public var pattern: ClickPattern
    /// The pattern that holds once what was asked for has come: the present one, or the one that
    /// waits for the next beat or the next Start.
    public var wantedPattern: ClickPattern
    /// When pulses go out.
    public var policy: ClockPolicy
    /// A bit for each route whose clicks are left out.
    public var muted: UInt16
    /// Each route's offset, as asked for last.
    public var offsets: [16 of HostTime.Span]
    /// The passage of the score.
    public var passage: Int
    /// Where Continue would go on; while it plays, where it began.
    public var resume: Tick
    /// While stopped: whether something has been played or the position was moved.
    public var isPlaceKnown: Bool
    /// Whether the song has come to its end or was halted.
    public var hasEnded: Bool

    /// A state of its parts; the compiler's own initializer is not known to be real-time safe.
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

    /// Whether the clicks of `route` are left out.
    public func isMuted(_ route: Int) -> Bool {
      muted & (1 << UInt16(truncatingIfNeeded: route)) != 0
    }
  }
}
